/// What the parser has found next in a connection's bytes.
public enum ParserEvent: Sendable {
    /// Nothing more can be said before further bytes arrive; or, once `RequestParser.isStopped`, ever.
    case needMore

    /// The head of a request with a body, which is being collected. Said once, before any of the body is waited for,
    /// so that an interim 100 or an early refusal can leave. A request without a body comes as `request` at once.
    case head(RequestHead, BodyLength)

    /// A whole request.
    case request(Request)

    /// The bytes are no request that is served here. To be answered behind all earlier answers, then the connection closes.
    case fault(ParseFault)
}
