internal import Accounts
internal import Identity
internal import Redux
internal import Synchronization

/// A stand-in for a token, for event streams only, and for places that cannot send header fields: a browser's EventSource.
final class StreamTicket: Sendable {
    let account: AccountID
    /// The session that asked for it, with which it ends.
    let session: Session
    fileprivate let hash: TokenHash
    private let lastUse: Atomic<Milliseconds>

    fileprivate init(account: AccountID, session: Session, hash: TokenHash, at now: Milliseconds) {
        self.account = account
        self.session = session
        self.hash = hash
        lastUse = Atomic(now)
    }

    /// It is in use: its time runs from here on.
    func touch(at now: Milliseconds) { lastUse.store(now, ordering: .relaxed) }

    fileprivate func isGood(at now: Milliseconds) -> Bool {
        now - lastUse.load(ordering: .relaxed) < StreamTickets.lifetime
    }
}

/// The tickets that count. They live in memory: after a restart a page asks for another one.
final class StreamTickets: Sendable {
    /// How long a ticket counts after it was used last.
    static let lifetime: Milliseconds = 10 * 60 * 1000
    /// Tickets of one account; a further one replaces the oldest.
    static let perAccountMax = 32
    /// Tickets of all accounts (503 `overloaded`).
    static let countMax = 65_536

    private struct Table {
        var tickets: [AccountID: [StreamTicket]] = [:]
        var count = 0
    }
    private let table = Mutex(Table())

    /// Adds a ticket; false where there are too many.
    func add(_ token: Token, for account: AccountID, session: Session, at now: Milliseconds) -> Bool {
        table.withLock { table in
            if table.count >= Self.countMax { Self.sweep(&table, at: now) }
            guard table.count < Self.countMax else { return false }
            var own = (table.tickets[account] ?? []).filter { $0.isGood(at: now) }
            if own.count >= Self.perAccountMax { own.removeFirst() }
            own.append(StreamTicket(account: account, session: session, hash: token.hash, at: now))
            table.count += own.count - (table.tickets[account]?.count ?? 0)
            table.tickets[account] = own
            return true
        }
    }

    /// The ticket with this hash, in use from now; nil where it counts no more. Compares in constant time per ticket.
    func use(_ token: ParsedToken, at now: Milliseconds) -> StreamTicket? {
        guard let account = AccountID(rawValue: token.account) else { return nil }
        let own = table.withLock { $0.tickets[account] ?? [] }
        guard let ticket = own.first(where: { $0.hash == token.hash }), ticket.isGood(at: now) else { return nil }
        ticket.touch(at: now)
        return ticket
    }

    private static func sweep(_ table: inout Table, at now: Milliseconds) {
        table.tickets = table.tickets.compactMapValues { own in
            let good = own.filter { $0.isGood(at: now) }
            return good.isEmpty ? nil : good
        }
        table.count = table.tickets.values.reduce(0) { $0 + $1.count }
    }
}
