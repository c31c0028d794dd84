import Testing

/// An account of the service under test, as its owner knows it.
struct Account: Hashable {
    let id: Int64
    let token: String
}

/// The bytes of one request.
///
/// With a body it carries Content-Type and Content-Length, unless `fields` names them.
func request(
    _ method: String, _ target: String, as account: Account? = nil, fields: [(String, String)] = [], body: [UInt8]? = nil
) -> [UInt8] {
    var all = [("Host", "service.test")]
    if let account { all.append(("Authorization", "Bearer \(account.token)")) }
    if let body {
        let given = Set(fields.map { $0.0.lowercased() })
        if !given.contains("content-type") { all.append(("Content-Type", "application/json")) }
        if !given.contains("content-length") { all.append(("Content-Length", String(body.count))) }
    }
    all += fields
    let head = "\(method) \(target) HTTP/1.1\r\n" + all.map { "\($0.0): \($0.1)\r\n" }.joined() + "\r\n"
    return Array(head.utf8) + (body ?? [])
}

extension Wire {
    /// Sends a request and reads its answer.
    func exchange(
        _ method: String, _ target: String, as account: Account? = nil, fields: [(String, String)] = [], body: [UInt8]? = nil
    ) throws -> Answer {
        try send(request(method, target, as: account, fields: fields, body: body))
        return try receive(isHead: method == "HEAD")
    }

    func get(_ target: String, as account: Account? = nil, fields: [(String, String)] = []) throws -> Answer {
        try exchange("GET", target, as: account, fields: fields)
    }

    /// Posts JSON text to `/actions`.
    func act(_ actions: String, as account: Account?, fields: [(String, String)] = []) throws -> Answer {
        try exchange("POST", "/actions", as: account, fields: fields, body: Array(actions.utf8))
    }

    /// Opens an anonymous account.
    func openAccount() throws -> Account {
        let answer = try exchange("POST", "/accounts")
        guard answer.status == 201, let id = try answer.json["account"]?.integer, let token = try answer.json["token"]?.string
        else {
            throw UnexpectedAnswer(answer: answer)
        }
        return Account(id: id, token: token)
    }

    /// The account's revision and state now.
    func state(of account: Account) throws -> (revision: Int64, state: Value, bytes: [UInt8], tag: String?) {
        let answer = try get("/state", as: account)
        guard answer.status == 200, let revision = try answer.json["revision"]?.integer, let state = try answer.json["state"]
        else {
            throw UnexpectedAnswer(answer: answer)
        }
        return (revision, state, answer.body, answer.field("ETag"))
    }

    /// The account's revision and state of the shop once nothing is loaded or saved any more: a payment alone may still be on its way.
    ///
    /// Until then every answer of a service is a transition of its own, so that two reads need not be of one state.
    func settledState(of account: Account) throws -> (revision: Int64, state: Value, bytes: [UInt8], tag: String?) {
        let deadline = ContinuousClock.now + .seconds(Self.stepSecondsMax)
        while true {
            let now = try state(of: account)
            let isSaving = now.state["favorites"]?["pending"] != [] || now.state["profile"]?["isUpdating"] != false
            let isLoading = ["profile", "cart", "catalog"].contains { now.state[$0]?["isLoading"] != false }
            if !isSaving && !isLoading { return now }
            guard ContinuousClock.now < deadline else {
                Issue.record("it is still being saved or loaded: \(String(decoding: now.bytes, as: UTF8.self))")
                return now
            }
        }
    }

    /// The account's whole log, oldest first.
    func log(of account: Account) throws -> [Value] {
        let answer = try get("/actions?limit=1000", as: account)
        guard answer.status == 200, let actions = try answer.json["actions"]?.array else {
            throw UnexpectedAnswer(answer: answer)
        }
        return actions
    }
}

/// A step that every test needs was answered otherwise than the contract says.
struct UnexpectedAnswer: Error {
    let answer: Answer
}
