internal import JSON
public import Persistence
public import Redux

/// Who owns a registered account, as its record's profile keeps it: what the service must know whatever the model is.
public struct AccountOwner: Hashable, Sendable {
    /// As given at registration; what it is now is for the model to say.
    public var name: String
    /// Whether the address is known to be the owner's, or was never asked to be; until then the account's tokens do not work.
    public var isVerified: Bool
    /// The hash of the code that was sent to the address, and when.
    public var codeHash: [UInt8]?
    /// Nil where no code is out, as `codeHash`.
    public var codeSent: Milliseconds?

    /// Makes an owner to whom no code was sent.
    public init(name: String, isVerified: Bool) {
        self.name = name
        self.isVerified = isVerified
    }

    /// Reads a profile; nil for an anonymous account.
    public init?(profile: [UInt8]?) {
        guard let profile, case .object(let members)? = try? JSONReader.read(profile) else { return nil }
        name = members["name"]?.string ?? ""
        isVerified = members["verified"]?.bool ?? false
        codeHash = members["code"]?.array?.compactMap { $0.integer.map { UInt8(truncatingIfNeeded: $0) } }
        codeSent = members["codeSent"]?.integer
    }

    /// `{"code", "codeSent", "name", "verified"}` in canonical JSON.
    public var profile: [UInt8] {
        var members = JSONObject()
        members["name"] = .string(name)
        members["verified"] = .bool(isVerified)
        if let codeHash { members["code"] = .array(codeHash.map { .integer(Int64($0)) }) }
        if let codeSent { members["codeSent"] = .integer(codeSent) }
        return JSONValue.object(members).canonicalBytes
    }
}

extension AccountRecord {
    /// Who owns the account; nil for an anonymous one.
    public var owner: AccountOwner? { email == nil ? nil : AccountOwner(profile: profile) }

    /// Whether the account waits for its owner's address to be shown to be theirs.
    public var awaitsVerification: Bool { owner.map { !$0.isVerified } ?? false }
}
