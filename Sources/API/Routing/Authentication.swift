internal import Accounts
internal import HTTP
internal import HTTPServer
internal import Identity
internal import Redux
internal import Runtime

/// What a connection remembers of the Authorization field it brought last: the same bytes need no second look-up.
///
/// Owned by the connection, so touched on its loop only. While a look-up runs, further requests with the same bytes wait behind it, in
/// order: a request never overtakes an earlier one of its connection.
private final class ConnectionCredentials {
    typealias Waiter = (Result<Caller, Problem>, isolated EventLoop) -> Void

    /// A request behind the look-up: with the same bytes, or with others that are to be looked up after it.
    enum Waiting {
        case same(Waiter)
        case other(Call, Waiter)
    }

    /// Of `Account-ID`, set by a trusted gateway, not of Authorization.
    let isGateway: Bool
    /// Nil for a ticket, which no later request may go by.
    let bytes: [UInt8]?
    var caller: Caller?
    /// Nil once the look-up is done.
    var waiting: [Waiting]?

    init(bytes: [UInt8]?, isGateway: Bool, waiter: @escaping Waiter) {
        self.isGateway = isGateway
        self.bytes = bytes
        waiting = [.same(waiter)]
    }

    /// Of a caller who needed no look-up.
    init(bytes: [UInt8], _ caller: Caller) {
        isGateway = false
        self.bytes = bytes
        self.caller = caller
    }
}

extension ConnectionCredentials {
    /// Whether a request brings these very bytes, and once.
    func isOf(_ field: FieldValue, isGateway: Bool, in fields: Fields) -> Bool {
        guard isGateway == self.isGateway, let bytes, field.equals(bytes) else { return false }
        return fields.count(of: isGateway ? .accountID : .authorization) == 1
    }
}

extension Service {
    /// Who asks, where the connection knows: nearly always, so that this way is short. Nil asks for `authenticate`.
    func knownCaller(_ call: borrowing Call, on loop: isolated EventLoop) -> Caller? {
        guard let known = call.exchange.attachment(on: loop) as? ConnectionCredentials, known.waiting == nil,
            let caller = known.caller
        else { return nil }
        let isGateway = isNamedByGateway(call.request.head)
        guard let field = call.request.head.fields.first(isGateway ? .accountID : .authorization),
            known.isOf(field, isGateway: isGateway, in: call.request.head.fields),
            // A store that has left memory, or a session that has ended, is looked up anew.
            caller.account.isCurrent, caller.session.isLive(at: loop.wallMilliseconds)
        else { return nil }
        return caller
    }

    /// Finds out who asks; `then` runs on `loop`, at once where the account is in memory.
    func authenticate(
        _ call: Call, on loop: isolated EventLoop, then: @escaping (Result<Caller, Problem>, isolated EventLoop) -> Void
    ) {
        let isGateway = isNamedByGateway(call.request.head)
        let name: FieldName = isGateway ? .accountID : .authorization
        guard let field = call.request.head.fields.first(name) else {
            // Only the routes that know the parameter let it through.
            guard let ticket = call.query["ticket"] else { return then(.failure(.noToken), loop) }
            return authenticate(ticket: ticket, call, on: loop, then: then)
        }
        let known = call.exchange.attachment(on: loop) as? ConnectionCredentials
        if let known, known.waiting != nil, known.isOf(field, isGateway: isGateway, in: call.request.head.fields) {
            known.waiting?.append(.same(then))
            return
        }
        if known?.waiting != nil {
            // Another token is being looked up for this connection; this request waits its turn behind it.
            known?.waiting?.append(.other(call, then))
            return
        }
        do throws(Problem) {
            if isGateway {
                let account = try namedAccount(call.request.head)
                call.exchange.attach(ConnectionCredentials(bytes: field.copy, isGateway: true, waiter: then), on: loop)
                accounts.open(account) { self.resolved(Self.caller($0), for: call.exchange) }
            } else {
                let reading = try read(call.request.head, on: loop)
                if let standing = accounts.standing(of: reading.token, at: loop.wallMilliseconds),
                    case .success(let caller) = Self.caller(.success(standing))
                {
                    call.exchange.attach(ConnectionCredentials(bytes: reading.bytes, caller), on: loop)
                    return then(.success(caller), loop)
                }
                call.exchange.attach(ConnectionCredentials(bytes: reading.bytes, isGateway: false, waiter: then), on: loop)
                accounts.authenticate(reading.token) { self.resolved(Self.caller($0), for: call.exchange) }
            }
        } catch {
            then(.failure(error), loop)
        }
    }

    private func resolved(_ caller: Result<Caller, Problem>, for exchange: Exchange) {
        exchange.loop.execute { loop in
            // Gone with its connection, and its waiters with it: there is nobody to answer.
            guard let credentials = exchange.attachment(on: loop) as? ConnectionCredentials else { return }
            credentials.caller = try? caller.get()
            let waiting = credentials.waiting ?? []
            credentials.waiting = nil
            for one in waiting {
                switch one {
                case .same(let then): then(caller, loop)
                case .other(let call, let then): self.authenticate(call, on: loop, then: then)
                }
            }
        }
    }

    /// A stream ticket in place of a token. What is looked up is the session that asked for it.
    private func authenticate(
        ticket text: String, _ call: Call, on loop: isolated EventLoop,
        then: @escaping (Result<Caller, Problem>, isolated EventLoop) -> Void
    ) {
        let known = call.exchange.attachment(on: loop) as? ConnectionCredentials
        if known?.waiting != nil {
            known?.waiting?.append(.other(call, then))
            return
        }
        guard let parsed = accounts.mint.parse(text, kind: .ticket), let ticket = tickets.use(parsed, at: loop.wallMilliseconds)
        else {
            return then(.failure(.deadTicket), loop)
        }
        call.exchange.attach(ConnectionCredentials(bytes: nil, isGateway: false, waiter: then), on: loop)
        let now = loop.wallMilliseconds
        accounts.open(ticket.account) { [exchange = call.exchange] result in
            let session = result.map { handle in
                handle.session(again: ticket.session).flatMap { $0.isLive(at: now) ? (handle, $0) : nil }
            }
            self.resolved(Self.caller(session), for: exchange)
        }
    }

    private func read(_ head: RequestHead, on loop: isolated EventLoop) throws(Problem) -> RecentTokens.Reading {
        guard head.fields.count(of: .authorization) == 1 else {
            throw Problem(.invalidCredentials, "There is more than one Authorization field.")
        }
        guard let field = head.fields.first(.authorization) else { throw .noToken }
        return try field.withSpan { credentials throws(Problem) in
            if let known = accounts.recentToken(credentials, on: loop) { return known }
            switch BearerCredentials.parse(credentials) {
            case .none: throw .noToken
            case .malformed: throw Problem(.invalidCredentials, "The field is not of the form \"Bearer TOKEN\" (RFC 6750).")
            case .token(let range):
                guard let token = accounts.mint.parse(credentials.extracting(range)) else { throw .deadToken }
                let reading = RecentTokens.Reading(credentials, token)
                accounts.keep(reading, on: loop)
                return reading
            }
        }
    }

    private static func caller(_ result: Result<(AccountHandle, Session)?, OpenFault>) -> Result<Caller, Problem> {
        switch result {
        case .success(let (account, session)?):
            account.record.awaitsVerification
                ? .failure(Problem(IdentityFault.notVerified)) : .success(Caller(account: account, session: session))
        case .success(nil): .failure(.deadToken)
        case .failure(let fault): .failure(Problem(fault))
        }
    }

    // MARK: A trusted gateway

    /// The field that names the caller of a request.
    func callerField(_ head: borrowing RequestHead) -> FieldName { isNamedByGateway(head) ? .accountID : .authorization }

    /// Whether a request says who its caller is, rightly or not.
    func namesCaller(_ head: borrowing RequestHead) -> Bool { head.fields.first(callerField(head)) != nil }

    /// Whether the gateway, if one is trusted, says who asks; what it lets through as Authorization does not count then.
    private func isNamedByGateway(_ head: borrowing RequestHead) -> Bool {
        trustsGateway && head.fields.first(.accountID) != nil
    }

    private func namedAccount(_ head: RequestHead) throws(Problem) -> AccountID {
        let bytes = head.fields.first(.accountID)?.copy ?? []
        guard head.fields.count(of: .accountID) == 1, !bytes.isEmpty,
            bytes.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let account = Int64(String(decoding: bytes, as: UTF8.self)).flatMap(AccountID.init)
        else { throw Problem(.invalidAccount, "Account-ID is one positive integer of 64 bits, in decimal digits.") }
        return account
    }

    private static func caller(_ result: Result<AccountHandle, OpenFault>) -> Result<Caller, Problem> {
        switch result {
        case .success(let account): .success(Caller(account: account, session: .ofGateway(account.id)))
        case .failure(.noAccount):
            .failure(Problem(.accountNotFound, "Accounts are opened by POST /accounts; reading opens none."))
        case .failure(let fault): .failure(Problem(fault))
        }
    }
}

extension Problem {
    /// No credentials were sent: RFC 6750, section 3.1, wants no error code then.
    static let noToken = Problem(.unauthorized, "Send \"Authorization: Bearer TOKEN\"; POST /accounts gives a token.")
    static let deadTicket = Problem(
        .invalidToken,
        "The ticket was not issued here, was not used for too long, or its session has ended; POST /events/tickets.")
    static let deadToken = Problem(.invalidToken, "The token was not issued here, or its session has ended.")
}
