internal import JSON
internal import Redux
internal import Runtime
internal import Shop
internal import Webhooks

extension ShopComposition {
    /// The services as configured: those with an address are called, the others simulated.
    static func services(_ configuration: Configuration) throws(ServeFault) -> ShopServices {
        var services = ShopServices.simulated(configuration.simulation)
        do throws(WebhookAddress.Fault) {
            let payment = try configuration.webhook("payment")
            let favorites = try configuration.webhook("favorites")
            let profile = try configuration.webhook("profile")
            let notifications = try configuration.webhook("notifications")
            guard [payment, favorites, profile, notifications].contains(where: { $0 != nil }) else { return services }
            let client = WebhookClient(limits: configuration.webhookLimits, secret: try secret(configuration))
            if let payment { services.payment = { try await call(payment, $0, $1, client) } }
            if let favorites { services.favorites = { try await call(favorites, $0, $1, client) } }
            if let profile { services.profile = { try await call(profile, $0, $1, client) } }
            if let notifications { services.notifications = { try await call(notifications, $0, $1, client) } }
            return services
        } catch {
            throw ServeFault([error.sentence], code: .configuration)
        }
    }

    private static func secret(_ configuration: Configuration) throws(WebhookAddress.Fault) -> [UInt8]? {
        let path = configuration.webhookSecretFile
        guard !path.isEmpty else { return nil }
        guard var bytes = try? File.read(path, bytesMax: 4096) else {
            throw WebhookAddress.Fault("webhooks.secretFile: \(path) cannot be read")
        }
        while bytes.last == UInt8(ascii: "\n") || bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        guard !bytes.isEmpty else { throw WebhookAddress.Fault("webhooks.secretFile: \(path) is empty") }
        return bytes
    }

    /// Posts a request as JSON; an outcome that is not known asks for another attempt.
    private static func call(
        _ address: WebhookAddress, _ request: some Encodable & Sendable, _ run: EffectRun, _ client: WebhookClient
    ) async throws -> ServiceAnswer {
        let call = WebhookCall(
            to: address, body: try JSONEncoding.encode(request), idempotencyKey: run.id, attempt: run.attempt,
            trace: run.trace)
        switch try await client.post(call) {
        case .done: return .done
        case .refused(let reason): return .refused(reason)
        case .unknown(let reason, let wait): throw ServiceUnavailable(reason, retryAfter: wait)
        }
    }
}
