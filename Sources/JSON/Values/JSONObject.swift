/// The members of a JSON object, unique by name and kept in the canonical order: by the names' UTF-8 bytes.
///
/// Look-up is a binary search over one contiguous array, which for the dozen members of a usual object beats a hash table; text
/// that arrives in canonical order is read without sorting.
public struct JSONObject: Sendable {
    /// A name and its value.
    public struct Member: Sendable {
        /// Compared and ordered by its UTF-8 bytes.
        public let name: String
        /// May be `null`: that is a member, too.
        public var value: JSONValue

        /// Makes a member that is in no object yet.
        public init(_ name: String, _ value: JSONValue) {
            self.name = name
            self.value = value
        }
    }

    /// The members in ascending order of their names' UTF-8 bytes.
    public private(set) var members: [Member]

    /// An object without members.
    public init() {
        members = []
    }

    /// Takes over members that already are unique and in order.
    init(ordered members: [Member]) {
        self.members = members
    }

    /// How many members there are, those whose value is `null` among them.
    public var count: Int { members.count }

    /// Whether there is no member at all.
    public var isEmpty: Bool { members.isEmpty }

    /// The value under a name. Setting nil removes the member.
    public subscript(name: String) -> JSONValue? {
        get {
            index(of: name).map { members[$0].value }
        }
        set {
            if let newValue {
                updateValue(newValue, for: name)
            } else if let index = index(of: name) {
                members.remove(at: index)
            }
        }
    }

    /// Sets a member and returns what it replaced.
    @discardableResult
    public mutating func updateValue(_ value: JSONValue, for name: String) -> JSONValue? {
        let (index, found) = position(of: name)
        if found {
            let old = members[index].value
            members[index].value = value
            return old
        }
        members.insert(Member(name, value), at: index)
        return nil
    }

    /// Removes a member and returns its value; nil where there was none.
    @discardableResult
    public mutating func removeValue(for name: String) -> JSONValue? {
        index(of: name).map { members.remove(at: $0).value }
    }

    /// Where the member of that name is in `members`.
    public func index(of name: String) -> Int? {
        let (index, found) = position(of: name)
        return found ? index : nil
    }

    /// Changes the value at an index of `members` in place.
    mutating func withValue<Result, Fault>(
        at index: Int, _ change: (inout JSONValue) throws(Fault) -> Result
    ) throws(Fault) -> Result {
        try change(&members[index].value)
    }

    private func position(of name: String) -> (index: Int, found: Bool) {
        var low = 0
        var high = members.count
        while low < high {
            let middle = (low + high) / 2
            let order = byteOrder(members[middle].name, name)
            if order == 0 { return (middle, true) }
            if order < 0 { low = middle + 1 } else { high = middle }
        }
        return (low, false)
    }
}

extension JSONObject.Member: Hashable {
    /// Names by their UTF-8 bytes, values as `JSONValue` compares them.
    public static func == (left: Self, right: Self) -> Bool {
        sameBytes(left.name, right.name) && left.value == right.value
    }

    /// In agreement with `==`: the name's UTF-8 bytes and the value.
    public func hash(into hasher: inout Hasher) {
        hashBytes(of: name, into: &hasher)
        hasher.combine(value)
    }
}

extension JSONObject: Hashable {}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// The members of a literal; of a name given twice the last counts.
    public init(dictionaryLiteral members: (String, JSONValue)...) {
        self.init()
        for (name, value) in members { self[name] = value }
    }
}
