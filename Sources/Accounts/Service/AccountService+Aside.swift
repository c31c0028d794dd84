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
                published: PublishedState(
                    revision: found.newest, tag: EntityTag.state(epoch: epoch, revision: found.newest),
                    encode: { throw fault }, encodeView: { _ in throw fault }),
                sessions: found.sessions.compactMap(Session.init), record: found.record)
            handle.retire()
            done(.success(handle))
        }
    }
}
