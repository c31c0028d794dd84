public import HTTP
public import Runtime

/// What answers requests. Called on the connection's loop, which it must not block.
public protocol Responder: Sendable {
    /// How many routes it tells apart in figures: `Exchange.route` is below it.
    var routeCount: Int { get }

    /// Which requests of the same connection this one may run beside. Called once for each, before it starts.
    func lane(of head: borrowing RequestHead) -> Lane

    /// Answers `request` through `exchange`: now, or later from anywhere, exactly once.
    func respond(to request: consuming Request, exchange: Exchange, on loop: isolated EventLoop)

    /// The final answer to a request whose client waits to be told to send the body (`Expect: 100-continue`), where the head alone decides.
    ///
    /// Nil asks for the body. After an answer the connection is closed, since the body may follow all the same.
    func answerBeforeBody(of head: borrowing RequestHead, on loop: isolated EventLoop) -> Response?

    /// The answer to what never reaches `respond`: a framing fault, a deadline, a limit, a method unknown to HTTP.
    ///
    /// Closing the connection afterwards, where that is due, is the server's affair.
    func refusal(_ status: Status, detail: String) -> Response
}

extension Responder {
    /// None are told apart: all answers count as one.
    public var routeCount: Int { 0 }
    /// Asks for the body, whatever the head says.
    public func answerBeforeBody(of head: borrowing RequestHead, on loop: isolated EventLoop) -> Response? { nil }
}
