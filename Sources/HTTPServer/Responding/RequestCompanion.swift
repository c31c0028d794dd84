public import HTTP
internal import Synchronization

/// How a request was answered.
public struct GivenAnswer: Sendable {
    /// The final status; of a stream the one that it began with.
    public let status: Status
    /// Nil for a stream, which has only begun.
    public let bodyBytes: Int?
    /// From when the request was taken to its answer, or the beginning of its stream; monotonic time.
    public let nanoseconds: Int64
}

/// What goes with one request to its answer: fields to add to it, and who is told of it.
///
/// Made only where something asks for it (an access log, another origin's page), so that most requests pay one comparison with nil.
public final class RequestCompanion: Sendable {
    /// Added to the answer, whoever makes it.
    public let fields: ResponseFields
    /// The request's trace context, where one was begun or taken for it.
    public let trace: String?
    /// The account that asks, once it is known; 0 before.
    private let account = Atomic<Int64>(0)
    private let told: (@Sendable (GivenAnswer, _ account: Int64) -> Void)?

    /// - Parameter told: called once, on the connection's loop, when the answer is given or its stream begins.
    public init(
        fields: ResponseFields, trace: String? = nil, told: (@Sendable (GivenAnswer, _ account: Int64) -> Void)? = nil
    ) {
        self.fields = fields
        self.trace = trace
        self.told = told
    }

    /// Says whose request it is.
    public func note(account: Int64) { self.account.store(account, ordering: .relaxed) }

    func tell(_ answer: GivenAnswer) { told?(answer, account.load(ordering: .relaxed)) }
}
