/// A slice's name in the state's JSON, its schema version, and how older versions become newer ones.
public struct SliceSchema: Sendable {
    /// Reads version n, returns version n + 1. Pure.
    public typealias Migration = @Sendable (any Decoder) throws -> any Encodable & Sendable

    /// The member of the state that holds the slice.
    public let name: String
    /// From 1, raised by one with each migration.
    public let version: Int
    /// Under n: from version n to n + 1. Contiguous from the oldest version that is still read.
    public let migrations: [Int: Migration]

    /// A slice at `version`; the migrations reach it without a gap.
    public init(_ name: String, version: Int = 1, migrations: [Int: Migration] = [:]) {
        precondition(version >= 1, "a slice's schema versions start at 1")
        precondition(
            migrations.isEmpty || Set(migrations.keys) == Set((migrations.keys.min() ?? 1)..<version),
            "the migrations of slice \(name) leave a gap before version \(version)")
        self.name = name
        self.version = version
        self.migrations = migrations
    }
}
