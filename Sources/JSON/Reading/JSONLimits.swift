/// How much JSON is read at most. Each bound has its own `JSONFault.Kind`.
public struct JSONLimits: Hashable, Sendable {
    /// Containers inside one another; `tooDeep`. At most 512, because reading recurses once per level.
    public var depthMax: Int
    /// The text's length in bytes; `tooLong`.
    public var bytesMax: Int
    /// Members of one object or elements of one array; `tooManyMembers`.
    public var membersMax: Int
    /// One string or name in bytes of UTF-8, unescaped; `stringTooLong`.
    public var stringBytesMax: Int
    /// One number's text in bytes; `numberTooLong`.
    public var numberBytesMax: Int

    /// The most `depthMax` may be, and how deep values may be that are encoded or patched.
    public static let depthCeiling = 512

    /// Makes limits, by default those of a request; traps where `depthMax` is not in 1...`depthCeiling`, or another is below 1.
    public init(
        depthMax: Int = 64, bytesMax: Int = 1 << 20, membersMax: Int = 100_000, stringBytesMax: Int = 1 << 20,
        numberBytesMax: Int = 1024
    ) {
        precondition((1...Self.depthCeiling).contains(depthMax), "depthMax is 1 to \(Self.depthCeiling)")
        precondition(min(bytesMax, membersMax, stringBytesMax, numberBytesMax) >= 1, "limits are positive")
        self.depthMax = depthMax
        self.bytesMax = bytesMax
        self.membersMax = membersMax
        self.stringBytesMax = stringBytesMax
        self.numberBytesMax = numberBytesMax
    }

    /// For what clients send.
    public static let request = JSONLimits()

    /// For what the service itself wrote and reads back: whatever could be encoded can be read.
    public static let stored = JSONLimits(
        depthMax: depthCeiling, bytesMax: 1 << 30, membersMax: 1 << 30, stringBytesMax: 1 << 30, numberBytesMax: 1024)
}
