public import Redux
internal import Synchronization

/// What makes the published forms of one state, each when it is first asked for.
protocol PublishedForms: Sendable {
    /// The body of `GET /state`.
    func body() throws -> [UInt8]
    /// The canonical JSON of a view's value; nil where there is no such view.
    func view(_ name: String) throws -> [UInt8]?
}

/// An account's newest committed state, as readers on any thread see it.
///
/// The value is immutable; a commit publishes another one. Its bytes are made by the first reader and kept, so that a thousand
/// readers of one revision cost one encoding, and an account nobody reads costs none.
public final class PublishedState: Sendable {
    /// The account's, at this state; 0 before its first action.
    public let revision: Revision
    private let epoch: String
    private let forms: any PublishedForms
    private let made = Mutex(Made())

    /// What the first reader of each has made.
    private struct Made {
        var tag: [UInt8]?
        var answerFields: [UInt8]?
        var body: [UInt8]?
        var views: [String: [UInt8]] = [:]
    }

    init(epoch: String, revision: Revision, forms: any PublishedForms) {
        self.epoch = epoch
        self.revision = revision
        self.forms = forms
    }

    /// The entity tag of the whole state, quoted: `"EPOCH.REVISION"` (RFC 9110, 8.8.3).
    public var tag: [UInt8] {
        if let known = made.withLock({ $0.tag }) { return known }
        // Not under the lock, here and below: two first readers may both make it, and the bytes are the same.
        let tag = EntityTag.state(epoch: epoch, revision: revision)
        made.withLock { $0.tag = tag }
        return tag
    }

    /// The body of `GET /state`: `{"account", "epoch", "revision", "state"}` in canonical JSON.
    public func body() throws -> [UInt8] {
        if let known = made.withLock({ $0.body }) { return known }
        let body = try forms.body()
        made.withLock { $0.body = body }
        return body
    }

    /// The field lines that an answer with this state has, made once from the tag, and its body.
    public func answer(_ fields: ([UInt8]) -> [UInt8]) throws -> (fields: [UInt8], body: [UInt8]) {
        let known = made.withLock { ($0.answerFields, $0.body) }
        if case (let fields?, let body?) = known { return (fields, body) }
        let lines = fields(tag)
        made.withLock { $0.answerFields = lines }
        return (lines, try body())
    }

    /// The canonical JSON of a view's value over this state; nil where there is no such view.
    ///
    /// Kept as long as this published state: a catalog that is replaced publishes the states in memory anew.
    public func view(_ name: String) throws -> [UInt8]? {
        if let known = made.withLock({ $0.views[name] }) { return known }
        guard let value = try forms.view(name) else { return nil }
        made.withLock { $0.views[name] = value }
        return value
    }
}
