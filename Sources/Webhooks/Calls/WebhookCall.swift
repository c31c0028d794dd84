internal import Sodium

/// A call that is to be made: what is posted, and under which idempotency key.
public struct WebhookCall: Sendable {
    /// Where it is posted to: a host that the configuration allows.
    public let address: WebhookAddress
    /// JSON.
    public let body: [UInt8]
    /// The same for every attempt.
    public let idempotencyKey: String
    /// From 1.
    public let attempt: Int
    /// The `traceparent` of the request that led to it; nil begins a trace of its own.
    public let trace: String?

    /// One attempt of a call; another attempt differs in `attempt` alone, so that the service can tell it is the same.
    public init(to address: WebhookAddress, body: [UInt8], idempotencyKey: String, attempt: Int, trace: String? = nil) {
        self.address = address
        self.body = body
        self.idempotencyKey = idempotencyKey
        self.attempt = attempt
        self.trace = trace
    }

    /// W3C Trace Context, version 00: the request's trace, or one for all attempts; and a span for each.
    public var traceparent: String {
        let span = hexadecimal(Hash.blake2b(Array("\(idempotencyKey) \(attempt)".utf8), length: 16).prefix(8))
        if let parts = trace?.split(separator: "-"), parts.count == 4 { return "00-\(parts[1])-\(span)-\(parts[3])" }
        return "00-\(hexadecimal(Hash.blake2b(Array(idempotencyKey.utf8), length: 16)))-\(span)-01"
    }

    /// The value of `Storehouse-Signature`: `t=SECONDS,v1=HEX`, HMAC-SHA256 over `SECONDS.KEY.BODY`.
    ///
    /// The receiver compares the code, and refuses a time that is far from its own, so that nothing can be replayed later.
    public func signature(secret: [UInt8], seconds: Int64) -> String {
        let message = Array("\(seconds).\(idempotencyKey).".utf8) + body
        return "t=\(seconds),v1=\(hexadecimal(MessageCode.sha256(message, key: secret)))"
    }
}

/// How a call ended.
public enum WebhookOutcome: Hashable, Sendable {
    /// 2xx: it is done.
    case done
    /// 4xx: it will not be done.
    case refused(reason: String)
    /// It may have been done or not: to be called again under the same key, no sooner than the service said (milliseconds).
    case unknown(reason: String, retryAfter: Int64?)

    /// What an answer means.
    ///
    /// 408, 409, 423, 425 and 429 are no refusals: they say "not now", 409 that a call with the same key is still running. A redirect is
    /// not followed and says nothing of the outcome, nor does a 5xx.
    ///
    /// - Parameter wait: what `Retry-After` asks for, in milliseconds.
    public init(status: Int, wait: Int64?, reason: String?) {
        switch status {
        case 200..<300: self = .done
        case 408, 409, 423, 425, 429: self = .unknown(reason: "The service answered \(status).", retryAfter: wait)
        case 400..<500: self = .refused(reason: reason ?? "The service refused it (\(status)).")
        default: self = .unknown(reason: "The service answered \(status).", retryAfter: wait)
        }
    }
}

func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
    bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
}
