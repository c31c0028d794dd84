internal import Glibc

/// An open file descriptor with one owner; closed when the owner lets go of it.
public struct Descriptor: ~Copyable, Sendable {
    /// The number, valid as long as this value lives.
    public let raw: Int32

    /// Takes ownership of an open descriptor.
    public init(adopting raw: Int32) {
        precondition(raw >= 0, "not a descriptor")
        self.raw = raw
    }

    deinit { System.close(raw) }

    /// Gives up ownership without closing, for a hand-over that a move cannot express (into an escaping closure).
    public consuming func release() -> Int32 {
        let raw = raw
        discard self
        return raw
    }
}
