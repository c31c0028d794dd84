internal import JSON
internal import Persistence
internal import Redux

/// Reads transitions that a follower has missed, a page at a time, on the database's readers.
struct CatchUp<Model: AccountModel>: Sendable {
    /// Where the patches of the next page start from, so that it need not be folded to again.
    typealias Point = History<Model>.Point

    enum Page: Sendable {
        /// The transitions right after the revision asked for; at least one.
        case events([FeedEvent], then: Point?)
        /// They are not kept any more.
        case trimmed
        /// Not now; try again.
        case busy
        case closed
        case unreadable
    }

    let past: PastStates<Model>

    /// Transitions of one page.
    static var pageEntriesMax: Int { 64 }

    /// The page after a revision. `point`, where it is at that revision, spares patches a fold.
    func read(
        _ account: AccountID, after revision: Revision, patched: Bool, from point: Point?,
        _ done: @escaping @Sendable (Page) -> Void
    ) {
        past.database.entries(of: account, after: revision, limit: Self.pageEntriesMax) { result in
            switch result {
            case .failure(let fault): done(Page(fault))
            case .success(let page):
                guard page.entries.first?.revision == revision + 1 else { return done(.trimmed) }
                guard patched else { return done(.events(page.entries.map { FeedEvent($0) }, then: nil)) }
                if let point, point.revision == revision { return done(patch(page.entries, from: point)) }
                past.state(of: account, at: revision) { result in
                    switch result {
                    case .success(let point): done(patch(page.entries, from: point))
                    // Without the state before it a transition has no patch; the client starts again from a snapshot.
                    case .failure(.unavailable), .failure(.noSuchRevision), .failure(.noAccount): done(.trimmed)
                    case .failure(.unreadable): done(.unreadable)
                    case .failure(.storage(let fault)): done(Page(fault))
                    }
                }
            }
        }
    }

    private func patch(_ entries: [LogEntry], from point: Point) -> Page {
        do {
            var patching = Patching(point: point, json: try JSONEncoding.encodeValue(point.state), history: past.history)
            return .events(try entries.map { try patching.event($0) }, then: patching.point)
        } catch {
            return .unreadable
        }
    }
}

extension CatchUp.Page {
    fileprivate init(_ fault: StorageFault) {
        switch fault {
        case .overloaded: self = .busy
        case .closed: self = .closed
        default: self = .unreadable
        }
    }
}
