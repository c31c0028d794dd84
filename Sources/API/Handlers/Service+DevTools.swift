internal import DevTools
internal import HTTP
internal import HTTPServer
internal import Redux
internal import Runtime
internal import Sodium

// GET /devtools: a page for whoever builds a client. Static files from inside the program; all it shows it asks for with the reader's token.

extension Service {
    func readDevTools(_ call: Call, on loop: isolated EventLoop) {
        let name = call.variables.first ?? ""
        guard showsDevTools, let file = DevToolsPage.files[name] else {
            let reason = showsDevTools ? "The page has no such file." : "The page is off; devtools.enabled turns it on."
            return call.exchange.respond(Problem(.notFound, reason).response, on: loop)
        }
        guard call.request.head.fields.noneMatch(file.tag) else {
            return call.exchange.respond(Response(status: .notModified, fields: file.fields), on: loop)
        }
        call.exchange.respond(Response(status: .ok, fields: file.fields, body: file.body), on: loop)
    }
}

/// The page's files with their fields.
private enum DevToolsPage {
    struct File: Sendable {
        let tag: [UInt8]
        let fields: ResponseFields
        let body: [UInt8]
    }

    static let files = Dictionary(
        uniqueKeysWithValues: DevToolsFile.all.map { file in
            let tag = Array("\"\(Base64URL.text(Hash.blake2b(file.bytes, length: 16)))\"".utf8)
            let fields = ResponseFields([
                (.contentType, file.type), (.cacheControl, "no-cache"), (.contentSecurityPolicy, policy),
                (.contentTypeOptions, "nosniff"), (.referrerPolicy, "no-referrer"), (.openerPolicy, "same-origin"),
            ])
            return (file.name, File(tag: tag, fields: fields.tagged(tag), body: file.bytes))
        })

    /// Only its own files, and requests to where it came from; no text ever becomes markup.
    private static let policy = """
        default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; \
        form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'
        """
}

extension FieldName {
    fileprivate static var contentSecurityPolicy: FieldName { FieldName("Content-Security-Policy") }
    fileprivate static var contentTypeOptions: FieldName { FieldName("X-Content-Type-Options") }
    fileprivate static var referrerPolicy: FieldName { FieldName("Referrer-Policy") }
    fileprivate static var openerPolicy: FieldName { FieldName("Cross-Origin-Opener-Policy") }
}
