internal import Persistence
public import Redux
internal import Runtime

extension AccountService {
    /// Erases everything of an account, for good; its tokens are dead at once, on every connection.
    ///
    /// `done` runs on the account's shard after the commit. Where that fails, nothing was erased and the tokens count again.
    public func erase(_ account: AccountID, _ done: @escaping @Sendable (Result<Void, IdentityFault>) -> Void) {
        shard(of: account).perform { $0.erase(account, done) }
    }
}

extension AccountShard {
    typealias EraseDone = @Sendable (Result<Void, IdentityFault>) -> Void

    /// Takes the account out of use now, and out of the database with this turn's batch.
    func erase(_ account: AccountID, _ done: @escaping EraseDone) {
        open(account) { result in
            self.assumeIsolated { shard in
                switch result {
                case .success: shard.eraseLoaded(account, done)
                // Its owner may want to be rid of it all the same: nobody can use it.
                case .failure(let fault) where fault.setsAside: shard.eraseSetAside(account, done)
                case .failure(let fault): done(.failure(.open(fault)))
                }
            }
        }
    }

    // The store stays in its table until the commit, so that nobody loads the account anew from what is about to go.
    private func eraseLoaded(_ account: AccountID, _ done: @escaping EraseDone) {
        guard let store = store(of: account) else { return done(.failure(.open(.noAccount))) }
        let handle = store.handle
        handle.erase()
        handle.keep()
        service.directory.remove(handle)
        // A state written back behind the erasure would belong to nobody.
        store.tail = .empty
        write(.eraseAccount(account), of: store)
        // Followers look at the sessions, and end.
        feeds[account]?.refresh()
        afterCommit(of: store) { fault in
            handle.release()
            self.assumeIsolated { $0.didErase(account, fault) }
            done(fault.map { .failure(.commit($0)) } ?? .success(()))
        }
    }

    // There is no store, and nothing of it waits to be written: what is set aside takes no action.
    private func eraseSetAside(_ account: AccountID, _ done: @escaping EraseDone) {
        service.database.submit([.eraseAccount(account)]) { result in
            self.perform { shard in
                switch result {
                case .failure(let fault): done(.failure(.commit(fault)))
                case .success:
                    shard.readmit(account)
                    shard.didErase(account, nil)
                    done(.success(()))
                }
            }
        }
    }

    private func didErase(_ account: AccountID, _ fault: CommitFault?) {
        guard fault == nil else { return }
        if let store = stores[account] { remove(store) }
        service.counters.accountsErased.add(1)
        // In a later turn: the effects of this batch are announced before.
        perform { $0.service.accountErased(account) }
    }
}
