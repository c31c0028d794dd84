internal import Accounts
internal import JSON
internal import Persistence
internal import Redux
internal import Runtime
internal import Synchronization

extension Command {
    static let importAccounts = Command(
        name: "import",
        summary: "Take the accounts of an export into the database, all or none, once every state in it has been reached again.",
        options: [
            ("--copy", nil, "To look at: under new numbers, without owners, logs and what waits to be run."),
            ("--tokens", nil, "Open a session of each account, and print its token."),
            ("--json", nil, "Print a line of JSON for each account."),
        ], takesSettings: true, operands: ["FILE"]
    ) { options in
        let configuration = Configuration.orExit(options)
        do {
            var source = try LineSource(options.last("FILE") ?? "")
            guard let first = try source.next() else { throw CommandFault("the file is empty") }
            let model = try model(ofExport: first)
            let imported = try run(model, first, &source, options, configuration)
            if options.isOn("--json") {
                for account in imported { ThisProcess.print(account.json + "\n") }
            } else {
                for account in imported { ThisProcess.print(account.text) }
                ThisProcess.print("\(imported.count) accounts imported into \(configuration.database)\n")
            }
            ThisProcess.exit(.success)
        } catch {
            ThisProcess.complain(["\(options.last("FILE") ?? ""): \(error)"])
            ThisProcess.complain(["nothing was imported"])
            ThisProcess.exit(.failure)
        }
    }

    private static func run<Model: AccountModel>(
        _: Model.Type, _ first: [UInt8], _ source: inout LineSource, _ options: Options, _ configuration: Configuration
    ) throws -> [ImportedAccount] {
        var settings = Database.Options()
        settings.modelVersion = History<Model>().states.version
        let database = try Database.open(
            path: configuration.database, model: Model.name, mode: .createIfNew, options: settings)
        defer { wait { done in database.close(then: done) } }
        var accounts = AccountImport<Model>(
            into: database, as: options.isOn("--copy") ? .copies : .whole, mintingTokens: options.isOn("--tokens"),
            at: TimeSource.system.wallMilliseconds())
        var progress = ProgressLine(total: source.size, unit: "bytes")
        defer { progress.end() }
        try accounts.take(first)
        while let line = try source.next() {
            try accounts.take(line)
            progress.show(source.taken)
        }
        try accounts.finish()

        let outcome = Mutex<Result<Void, CommitFault>>(.success(()))
        let writes = accounts.writes
        wait { done in
            database.submit(writes) { result in
                outcome.withLock { $0 = result }
                done()
            }
        }
        do throws(CommitFault) { try outcome.withLock { $0 }.get() } catch {
            throw CommandFault(
                error == .conflict(.email) ? "an account here has the email address of one there" : "the commit failed: \(error)")
        }
        return accounts.imported.map {
            ImportedAccount(original: $0.original, account: $0.account, revision: $0.revision, token: $0.token)
        }
    }

    /// Waits until `body` has called what it is given.
    private static func wait(_ body: (@escaping @Sendable () -> Void) -> Void) {
        let latch = Latch()
        body { latch.open() }
        latch.wait()
    }
}

/// An account that was imported, whatever its model, as it is reported.
private struct ImportedAccount {
    let original: AccountID
    let account: AccountID
    let revision: Revision
    let token: String?

    var text: String {
        let name = original == account ? "account \(account)" : "account \(account), which was \(original) there"
        return "\(name), at revision \(revision)" + (token.map { ": \($0)" } ?? "") + "\n"
    }

    var json: String {
        var line = JSONObject()
        line["account"] = .integer(account.rawValue)
        line["original"] = .integer(original.rawValue)
        line["revision"] = .integer(revision)
        line["token"] = token.map { .string($0) }
        return JSONValue.object(line).canonicalText
    }
}
