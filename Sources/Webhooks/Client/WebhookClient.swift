internal import Foundation
internal import FoundationNetworking
internal import JSON
internal import Synchronization

/// Makes calls over HTTP or HTTPS. One for the process; callable from any task.
///
/// Redirects are not followed, cookies and caches not kept. What an answer means is `WebhookOutcome`'s to say; whatever goes wrong
/// before there is a whole answer leaves the outcome unknown.
public final class WebhookClient: Sendable {
    /// The bounds of a call.
    public struct Limits: Sendable {
        /// From the call to the end of its answer.
        public var milliseconds: Int64 = 10_000
        /// The body of an answer; a longer one counts as none.
        public var responseBytesMax = 65_536

        /// Ten seconds, and answers of 64 KiB.
        public init() {}
    }

    /// The characters of a service's reason that are passed on.
    public static let reasonCharactersMax = 200

    private let limits: Limits
    private let secret: [UInt8]?
    private let session: URLSession
    private let receiver: Receiver

    /// - Parameter secret: the key of the signatures; without one calls are not signed.
    public init(limits: Limits = Limits(), secret: [UInt8]?) {
        self.limits = limits
        self.secret = secret
        let configuration = URLSessionConfiguration.ephemeral
        configuration.httpShouldSetCookies = false
        configuration.httpCookieAcceptPolicy = .never
        configuration.urlCache = nil
        configuration.timeoutIntervalForRequest = Double(limits.milliseconds) / 1000
        configuration.httpMaximumConnectionsPerHost = 32
        let receiver = Receiver(bytesMax: limits.responseBytesMax)
        self.receiver = receiver
        session = URLSession(configuration: configuration, delegate: receiver, delegateQueue: nil)
    }

    /// Lets go of connections; calls that run end without an answer.
    public func close() { session.invalidateAndCancel() }

    /// Posts a call and says how it ended. Throws `CancellationError` alone, where the caller's task is cancelled.
    public func post(_ call: WebhookCall) async throws -> WebhookOutcome {
        let task = session.dataTask(with: request(of: call))
        let limit = limits.milliseconds
        let deadline = Task {
            try await Task.sleep(for: .milliseconds(limit))
            task.cancel()
        }
        defer { deadline.cancel() }
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                receiver.expect(task.taskIdentifier) { continuation.resume(returning: $0) }
                task.resume()
            }
        } onCancel: {
            task.cancel()
        }
        try Task.checkCancellation()
        return switch answer {
        case .whole(let status, let retryAfter, let body):
            WebhookOutcome(
                status: status, wait: RetryAfter.milliseconds(retryAfter, now: Self.seconds), reason: Self.reason(in: body))
        case .tooLarge: .unknown(reason: "The service's answer is too large.", retryAfter: nil)
        case .none: .unknown(reason: "The service does not answer.", retryAfter: nil)
        }
    }

    private static var seconds: Int64 { Int64(Date().timeIntervalSince1970) }

    private func request(of call: WebhookCall) -> URLRequest {
        var request = URLRequest(url: call.address.url)
        request.httpMethod = "POST"
        request.httpBody = Data(call.body)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue("application/json", forHTTPHeaderField: "Accept")
        request.setValue("\"\(call.idempotencyKey)\"", forHTTPHeaderField: "Idempotency-Key")
        request.setValue(call.traceparent, forHTTPHeaderField: "traceparent")
        if let secret {
            request.setValue(call.signature(secret: secret, seconds: Self.seconds), forHTTPHeaderField: "Storehouse-Signature")
        }
        return request
    }

    /// What a refusal says for a person: `reason`, else a problem's `detail` or `title` (RFC 9457).
    static func reason(in body: [UInt8]) -> String? {
        guard case .object(let members)? = try? JSONReader.read(body) else { return nil }
        for name in ["reason", "detail", "title"] {
            if case .string(let text)? = members[name], !text.isEmpty { return String(text.prefix(reasonCharactersMax)) }
        }
        return nil
    }
}

/// What came back.
private enum Answer: Sendable {
    case whole(status: Int, retryAfter: String?, body: [UInt8])
    case tooLarge
    /// Refused, reset, late, not HTTP, or called off.
    case none
}

/// Collects the answers of all calls, each within its bound.
private final class Receiver: NSObject, URLSessionDataDelegate {
    private struct Call {
        let done: @Sendable (Answer) -> Void
        var body: [UInt8] = []
        var isTooLarge = false
    }

    private let bytesMax: Int
    private let calls = Mutex<[Int: Call]>([:])

    init(bytesMax: Int) {
        self.bytesMax = bytesMax
    }

    func expect(_ task: Int, _ done: @escaping @Sendable (Answer) -> Void) {
        calls.withLock { $0[task] = Call(done: done) }
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let isTooLarge = calls.withLock { calls in
            guard let known = calls[dataTask.taskIdentifier] else { return true }
            guard known.body.count + data.count <= bytesMax else {
                calls[dataTask.taskIdentifier]?.isTooLarge = true
                return true
            }
            calls[dataTask.taskIdentifier]?.body.append(contentsOf: data)
            return false
        }
        if isTooLarge { dataTask.cancel() }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        guard let call = calls.withLock({ $0.removeValue(forKey: task.taskIdentifier) }) else { return }
        if call.isTooLarge { return call.done(.tooLarge) }
        guard error == nil, let response = task.response as? HTTPURLResponse else { return call.done(.none) }
        call.done(
            .whole(
                status: response.statusCode, retryAfter: response.value(forHTTPHeaderField: "Retry-After"), body: call.body))
    }
}
