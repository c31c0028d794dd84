internal import Webhooks

extension Setting {
    /// The services that may be called over HTTP instead of being simulated.
    static let webhookServices = ["payment", "favorites", "profile", "notifications"]

    /// About calls to services outside.
    static let webhooks: [Setting] =
        webhookServices.map { name in
            Setting(
                "webhooks.\(name)", .text, .text(""), "Where the \(name) service is called (http or https); empty simulates it.")
        } + [
            Setting(
                "webhooks.allowedHosts", .text, .text(""), "The hosts that may be called, with commas between them."),
            Setting(
                "webhooks.secretFile", .path, .text(""), "The key of the calls' signatures, a file; without one they have none."),
            Setting("webhooks.timeout", .integer(1...600_000), .integer(10_000), "How long a call may take, in milliseconds."),
            Setting(
                "webhooks.responseBytesMax", .integer(1...16_777_216), .integer(65_536), "The largest answer that is taken."),
        ]
}

extension Configuration {
    var webhookLimits: WebhookClient.Limits {
        var limits = WebhookClient.Limits()
        limits.milliseconds = Int64(integer("webhooks.timeout"))
        limits.responseBytesMax = integer("webhooks.responseBytesMax")
        return limits
    }

    var webhookSecretFile: String { text("webhooks.secretFile") }

    /// Where a service is called; nil where it is simulated.
    func webhook(_ service: String) throws(WebhookAddress.Fault) -> WebhookAddress? {
        let text = text("webhooks.\(service)")
        guard !text.isEmpty else { return nil }
        let hosts = self.text("webhooks.allowedHosts").split(separator: ",").map { part in
            String(part.filter { $0 != " " })
        }
        return try WebhookAddress(text, allowedHosts: hosts)
    }

    /// What is wrong with the addresses.
    var webhookFaults: [String] {
        Setting.webhookServices.compactMap { service -> String? in
            do throws(WebhookAddress.Fault) {
                _ = try webhook(service)
                return nil
            } catch {
                return "webhooks.\(service): \(error.sentence)"
            }
        }
    }
}
