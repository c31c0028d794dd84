internal import Foundation

/// An address that may be called: its host is one of those that are allowed.
public struct WebhookAddress: Hashable, Sendable {
    let url: URL

    /// Why an address may not be called.
    public struct Fault: Error, Hashable, Sendable {
        /// For the operator, without a full stop; it may show the address as it was configured.
        public let sentence: String

        /// A reason in words, to be shown as it is.
        public init(_ sentence: String) {
            self.sentence = sentence
        }
    }

    /// Checks an address of the configuration.
    ///
    /// - Parameter allowedHosts: names or addresses, compared as they are written; a port is not part of them.
    public init(_ text: String, allowedHosts: [String]) throws(Fault) {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https",
            let host = url.host?.lowercased(), !host.isEmpty
        else {
            // What stands before an "@" may be a password, also where the rest is no URL: then nothing of it is shown.
            throw Fault(text.contains("@") ? "what is given is no http or https URL" : "\"\(text)\" is no http or https URL")
        }
        guard url.user == nil, url.password == nil else { throw Fault("a URL with a password in it is shown in logs") }
        guard allowedHosts.contains(where: { $0.lowercased() == host }) else {
            throw Fault("the host \(host) is not one of webhooks.allowedHosts")
        }
        self.url = url
    }
}
