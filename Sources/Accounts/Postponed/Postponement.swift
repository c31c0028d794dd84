public import Redux

/// An action, or a batch, that is to wait under a tag until the tag is run.
public struct Postponement: Sendable {
    /// Free text to the store; of the account, not of the whole database.
    public let tag: String
    /// What the client sent, already found to be understood; opaque to the store.
    public let body: [UInt8]
    /// How many actions there are in it.
    public let count: Int
    /// Makes a retry harmless: the item waits once. Nil where the request had none.
    public var key: IdempotencyKey?
    /// Must hold when the item is postponed, not when its tag is run.
    public var precondition: Precondition?
    /// Writes the answer; told how many items of the account wait, with this one.
    public let render: @Sendable (_ waiting: Int) -> RenderedAnswer

    /// Makes an item without a key or a precondition, of one action unless `count` says otherwise.
    public init(
        tag: String, body: [UInt8], count: Int = 1, render: @escaping @Sendable (_ waiting: Int) -> RenderedAnswer
    ) {
        self.tag = tag
        self.body = body
        self.count = count
        self.render = render
    }
}

/// What became of one postponed item when its tag was run.
public enum PostponedOutcome: Sendable {
    /// Accepted; the account's head after it.
    case done(Revision)
    case refused(Refusal, index: Int?)
    /// Its action is not known any more, or has another form now.
    case unreadable
}

/// A tag that is to be run: all that waits under it, first in first out, each once.
public struct PostponedRun<Model: AccountModel>: Sendable {
    /// What waits under other tags goes on waiting.
    public let tag: String
    /// Makes a retry harmless: it gets the first answer, and runs nothing. Nil where the request had none.
    public var key: IdempotencyKey?
    /// The trace context that it runs in, in the form of `LogEntry.trace`.
    public var trace: [UInt8]?
    /// Reads what `Postponement.body` holds; nil where it is not understood.
    public let decode: @Sendable ([UInt8]) -> [Model.Action]?
    /// Writes the answer of the outcomes, in the order of postponing. Runs on the account's executor, before the commit.
    public let render: @Sendable ([PostponedOutcome]) -> RenderedAnswer

    /// Makes a run without a key or a trace context.
    public init(
        tag: String, decode: @escaping @Sendable ([UInt8]) -> [Model.Action]?,
        render: @escaping @Sendable ([PostponedOutcome]) -> RenderedAnswer
    ) {
        self.tag = tag
        self.decode = decode
        self.render = render
    }
}

extension AccountService {
    /// Stores an item until its tag is run; `deliver` is called once, after the commit, on the account's executor.
    public func postpone(_ item: Postponement, to account: AccountID, deliver: @escaping @Sendable (Verdict) -> Void) {
        shard(of: account).perform { $0.postpone(item, to: account, deliver: deliver) }
    }

    /// Runs a tag; `deliver` is called once, after the commit of all of it, on the account's executor.
    public func run(_ run: PostponedRun<Model>, of account: AccountID, deliver: @escaping @Sendable (Verdict) -> Void) {
        shard(of: account).perform { $0.run(run, of: account, deliver: deliver) }
    }
}
