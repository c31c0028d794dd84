internal import HTTP
internal import HTTPServer
internal import JSON
internal import Redux
internal import Runtime

// GET /openapi.json.

extension Service {
    func readDocument(_ call: Call, on loop: isolated EventLoop) {
        let fields = CommonFields.json.with(.cacheControl, "no-cache")
        call.exchange.respond(Response(status: .ok, fields: fields, body: document.bytes()), on: loop)
    }
}
