internal import Persistence
internal import Redux

extension AccountService {
    /// A handle of an account that is set aside: its owner is known, and what is left of its log and its past can be read.
    ///
    /// Its state is the fault that set it aside; what would write opens the account, and fails with it. Never current, so that each request looks
    /// again, and finds the account once it can be understood.
    func openAside(
        _ account: AccountID, _ fault: OpenFault, _ done: @escaping @Sendable (Result<AccountHandle, OpenFault>) -> Void
    ) {
        let shard = shard(of: account).index
        database.aside(of: account) { [database] result in
            guard case .success(let found?) = result else { return done(.failure(fault)) }
            let epoch = Epoch.text(database.epoch(of: found.record))
            let handle = AccountHandle(
                id: account, shard: shard, epoch: epoch,
                published: PublishedState(epoch: epoch, revision: found.newest, forms: NoForms(fault: fault)),
                sessions: found.sessions.compactMap(Session.init), record: found.record)
            handle.retire()
            done(.success(handle))
        }
    }
}

/// The forms of a state that cannot be made: each is the fault.
private struct NoForms: PublishedForms {
    let fault: OpenFault

    func body() throws -> [UInt8] { throw fault }
    func view(_ name: String) throws -> [UInt8]? { throw fault }
}
