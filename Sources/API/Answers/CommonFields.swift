internal import HTTP

/// Field lines that many answers share.
enum CommonFields {
    static let json = ResponseFields([(.contentType, "application/json")])
    /// Every account-scoped answer, past or head: a cache asks again each time, and never serves one account to another.
    static let accountScoped = ResponseFields([
        (.cacheControl, "private, no-cache"), (.vary, "Authorization, Account-ID, Prefer, Accept"),
    ])
    static let accountJSON = json + accountScoped
    /// Answers that hold a secret or a moment.
    static let notStored = ResponseFields([(.cacheControl, "no-store")])
    static let notStoredJSON = json + notStored
}

extension ResponseFields {
    static func + (left: ResponseFields, right: ResponseFields) -> ResponseFields {
        var sum = left
        sum.add(right)
        return sum
    }

    /// With another line.
    func with(_ name: FieldName, _ value: String) -> ResponseFields {
        var fields = self
        fields.add(name, value)
        return fields
    }

    /// With an entity tag.
    func tagged(_ tag: [UInt8]) -> ResponseFields {
        var fields = self
        fields.add(.entityTag, tag)
        return fields
    }
}
