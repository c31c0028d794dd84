internal import Accounts
internal import HTTP
internal import HTTPServer
internal import JSON
internal import Redux
internal import Runtime

// Postponed work: POST /actions?postpone=TAG keeps an action or a batch, POST /postponed/TAG/run dispatches what a tag holds.

/// The names postponed work is kept under.
enum PostponedTag {
    static let charactersMax = 64

    /// Letters, digits, `-`, `_` and `.`, so that a tag is a path segment as it stands.
    static func isValid(_ text: String) -> Bool {
        (1...charactersMax).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }

    static func require(_ text: String) throws(Problem) {
        guard isValid(text) else {
            throw Problem(
                .invalidParameter, "A tag is 1 to \(charactersMax) characters of letters, digits, \"-\", \"_\" and \".\"."
            ).with("parameter", .string("tag"))
        }
    }
}

extension Service {
    /// 202 `{"account", "tag", "waiting"}`, once the item is durable. What is not understood is refused now, not when the tag is run.
    func postpone(under tag: String, _ call: Call, _ caller: Caller, on loop: isolated EventLoop) {
        let exchange = call.exchange
        do throws(Problem) {
            try PostponedTag.require(tag)
            guard try !call.flag("dryRun") else {
                throw Problem(.invalidParameter, "What is only tried cannot be postponed.").with("parameter", .string("dryRun"))
            }
            let key = try idempotencyKey(of: call.request)
            let count = try actions(in: call.request).actions.count
            let account = caller.account.id
            var item = Postponement(tag: tag, body: call.request.body, count: count) { waiting in
                let body: JSONValue = [
                    "account": .integer(account.rawValue), "tag": .string(tag), "waiting": .integer(Int64(waiting)),
                ]
                return RenderedAnswer(status: 202, fields: CommonFields.accountJSON.bytes, body: body.canonicalBytes)
            }
            item.key = key
            item.precondition = try call.request.head.fields.precondition()
            accounts.postpone(item, to: account) { exchange.respond(Self.response(to: $0)) }
        } catch {
            exchange.respond(error.response, on: loop)
        }
    }

    /// 200 `{"account", "results": [{"revision"} or {"problem"}], "tag"}`, in the order in which the items were postponed.
    func runPostponed(_ call: Call, _ caller: Caller, on loop: isolated EventLoop) {
        let exchange = call.exchange
        do throws(Problem) {
            let tag = call.variables[0]
            try PostponedTag.require(tag)
            let account = caller.account.id
            var run = PostponedRun<Model>(tag: tag) { body in
                (try? self.actions(inBody: body))?.actions
            } render: { outcomes in
                let body: JSONValue = [
                    "account": .integer(account.rawValue), "results": .array(outcomes.map(Self.result(of:))), "tag": .string(tag),
                ]
                return RenderedAnswer(status: 200, fields: CommonFields.accountJSON.bytes, body: body.canonicalBytes)
            }
            run.key = try idempotencyKey(of: call.request)
            run.trace = trace(of: call)
            accounts.run(run, of: account) { exchange.respond(Self.response(to: $0)) }
        } catch {
            exchange.respond(error.response, on: loop)
        }
    }

    private static func result(of outcome: PostponedOutcome) -> JSONValue {
        switch outcome {
        case .done(let revision): ["revision": .integer(revision)]
        case .refused(let refusal, let index): ["problem": Problem(refusal, index: index).value]
        case .unreadable:
            ["problem": Problem(.invalidAction, "The action was understood when it was postponed, and is not any more.").value]
        }
    }
}
