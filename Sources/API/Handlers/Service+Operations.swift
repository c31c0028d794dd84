internal import Accounts
internal import HTTP
internal import HTTPServer
internal import JSON
internal import Persistence
internal import Redux
internal import Runtime

// Health, and the model's shared data.

extension Service {
    /// The process answers: no look at anything else.
    func health(_ call: Call, on loop: isolated EventLoop) {
        call.exchange.respond(
            Response(status: .ok, fields: CommonFields.notStoredJSON, body: Array("{\"status\":\"ok\"}".utf8)),
            on: loop)
    }

    /// It can commit, and does not stop.
    func readiness(_ call: Call, on loop: isolated EventLoop) {
        let writer = accounts.database.metrics
        let checks: [(String, Bool)] = [
            ("draining", !isDraining), ("writer", !writer.hasFailed), ("database file", !writer.isDisplaced),
            ("disk space", !writer.isFull),
        ]
        let isVerbose: Bool
        do throws(Problem) {
            isVerbose = try call.flag("verbose")
        } catch {
            return call.exchange.respond(error.response, on: loop)
        }
        if isVerbose {
            let lines = checks.map { "[\($0.1 ? "+" : "-")] \($0.0)\n" }.joined()
            let isReady = checks.allSatisfy(\.1)
            var fields = ResponseFields([(.contentType, "text/plain; charset=utf-8"), (.cacheControl, "no-store")])
            if !isReady { fields.add(.retryAfter, 1) }
            call.exchange.respond(
                Response(status: isReady ? .ok : .serviceUnavailable, fields: fields, body: Array(lines.utf8)), on: loop)
        } else if let failed = checks.first(where: { !$0.1 }) {
            call.exchange.respond(Problem(.unavailable, "Not ready: \(failed.0).").retry(afterSeconds: 1).response, on: loop)
        } else {
            call.exchange.respond(
                Response(
                    status: .ok, fields: CommonFields.notStoredJSON, body: Array("{\"status\":\"ready\"}".utf8)),
                on: loop)
        }
    }

    func readResource(_ resource: Resource<Model>, _ call: Call, on loop: isolated EventLoop) {
        do throws(ResourceFault) {
            let value = try resource.answer(call.query, accounts.environment)
            let body = (try? JSONEncoding.encode(value)) ?? Array("null".utf8)
            call.exchange.respond(
                Response(
                    status: .ok, fields: CommonFields.json.with(.cacheControl, "no-cache"), body: body), on: loop)
        } catch {
            call.exchange.respond(
                Problem(.invalidParameter, error.detail).with("parameter", .string(error.parameter)).response, on: loop)
        }
    }
}
