internal import Persistence
internal import Redux

/// Everything one shard wants written in one turn of its loop, and whom to tell.
struct TurnBatch<Model: AccountModel> {
    var isOpen = false
    /// In the order in which it happened.
    var writes: [Write] = []
    /// The stores with transitions in this batch.
    var touched: [LiveStore<Model>] = []
    /// How far each of them had come when the batch left.
    var reached: [(store: LiveStore<Model>, revision: Revision, state: Shared<Model.State>)] = []
    var effects: [EffectChange] = []
    /// Told nil, or why the commit failed.
    var afterwards: [(CommitFault?) -> Void] = []
    var actions = 0
    /// What the model counts, to be counted once it is committed.
    var events: [(name: String, account: AccountID, revision: Revision)] = []
}
