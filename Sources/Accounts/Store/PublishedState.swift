public import Redux
internal import Synchronization

/// An account's newest committed state, as readers on any thread see it.
///
/// The value is immutable; a commit publishes another one. Its bytes are made by the first reader and kept, so that a thousand
/// readers of one revision cost one encoding, and an account nobody reads costs none.
public final class PublishedState: Sendable {
    public let revision: Revision
    /// The entity tag of the whole state, quoted: `"EPOCH.REVISION"` (RFC 9110, 8.8.3).
    public let tag: [UInt8]
    private let encode: @Sendable () throws -> [UInt8]
    private let encodeView: @Sendable (String) throws -> [UInt8]?
    private let bytes = AtomicLazyReference<Bytes>()
    private let views = Mutex<[String: Bytes]>([:])
    private let answerFields = AtomicLazyReference<Bytes>()

    init(
        revision: Revision, tag: [UInt8], encode: @escaping @Sendable () throws -> [UInt8],
        encodeView: @escaping @Sendable (String) throws -> [UInt8]?
    ) {
        self.revision = revision
        self.tag = tag
        self.encode = encode
        self.encodeView = encodeView
    }

    /// The body of `GET /state`: `{"account", "epoch", "revision", "state"}` in canonical JSON.
    public func body() throws -> [UInt8] {
        if let made = bytes.load() { return made.value }
        return bytes.storeIfNil(Bytes(value: try encode())).value
    }

    /// The field lines an answer with this state has, made once from the tag.
    public func fields(_ make: ([UInt8]) -> [UInt8]) -> [UInt8] {
        if let made = answerFields.load() { return made.value }
        return answerFields.storeIfNil(Bytes(value: make(tag))).value
    }

    /// The canonical JSON of a view's value over this state; nil where there is no such view.
    ///
    /// Kept as long as this published state: a catalog that is replaced publishes the states in memory anew.
    public func view(_ name: String) throws -> [UInt8]? {
        if let made = views.withLock({ $0[name] }) { return made.value }
        guard let value = try encodeView(name) else { return nil }
        views.withLock { $0[name] = Bytes(value: value) }
        return value
    }

    /// Bytes behind one reference, shared by all readers.
    private final class Bytes: Sendable {
        let value: [UInt8]
        init(value: [UInt8]) { self.value = value }
    }
}
