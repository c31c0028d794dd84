public import Persistence
public import Redux

/// Every account of a database, verified one after the other.
public struct Examination: Sendable {
    /// How many have been walked through.
    public private(set) var accounts = 0
    /// Log entries that this build could fold, over all accounts.
    public private(set) var entries = 0
    /// Stored states that were compared with the fold.
    public private(set) var states = 0
    /// Accounts whose newest stored state is of another version of the model.
    public private(set) var otherVersions = 0
    /// What is wrong: with the file's structure first, where that was asked for, then by account. Empty where all is well.
    public private(set) var findings: [Inspector.Finding] = []

    /// Findings kept; a database that is wrong from end to end need not be listed whole.
    public static let findingsMax = 1_000
    /// Accounts read at a time.
    private static let pageAccounts = 500

    /// Walks through the database an inspector has open; `progress` is told how many accounts are done.
    public init<Model: AccountModel>(
        _ model: Model.Type, of inspector: Inspector, asking question: Verification<Model>.Question,
        progress: (Int) -> Void = { _ in }
    ) throws(StorageFault) {
        let history = History<Model>()
        if question == .isWhole { findings = try inspector.checkStructure() }
        var last: AccountID?
        while true {
            let page = try inspector.accounts(after: last, limit: Self.pageAccounts)
            guard let end = page.last else { return }
            for account in page {
                var verification = Verification<Model>(of: account.id, with: history, asking: question)
                let found = try inspector.walk(account) { verification.take($0) }
                add(found + [verification.finish()].compactMap { $0 })
                accounts += 1
                entries += verification.folded
                states += verification.compared
                otherVersions += verification.isOfOtherVersion ? 1 : 0
            }
            last = end.id
            progress(accounts)
        }
    }

    private mutating func add(_ found: [Inspector.Finding]) {
        findings += found.prefix(max(0, Self.findingsMax - findings.count))
    }
}
