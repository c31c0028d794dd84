internal import Accounts
internal import Persistence
internal import Redux
internal import Runtime

extension Command {
    static let exportAccounts = Command(
        name: "export",
        summary: "Write all accounts, or one, as lines of JSON, to FILE or standard output; works on a live database.",
        options: [
            ("--account", "N", "This account only."),
            ("--redact", nil, "Without what tells of a person: no owner, and pseudonyms for names, addresses and searches."),
        ], takesSettings: true, operands: ["[FILE]"]
    ) { options in
        let configuration = Configuration.orExit(options)
        let path = options.last("[FILE]")
        do {
            let account = try options.account()
            if let path, File.exists(path) { throw CommandFault("\(path) is there already") }
            let inspector = try Inspector.open(path: configuration.database, model: nil)
            let sink = try ExportSink(path)
            do {
                let findings = try export(
                    model(of: inspector), inspector, account: account, redacting: options.isOn("--redact"), to: sink)
                try sink.finish()
                for finding in findings { ThisProcess.complain(["\(finding)"]) }
                ThisProcess.exit(findings.isEmpty ? .success : .failure)
            } catch {
                sink.abandon()
                throw error
            }
        } catch {
            ThisProcess.complain(["\(error)"])
            ThisProcess.exit(error is CommandFault.Usage ? .usage : .failure)
        }
    }

    private static func export<Model: AccountModel>(
        _ model: Model.Type, _ inspector: Inspector, account: AccountID?, redacting: Bool, to sink: ExportSink
    ) throws -> [Inspector.Finding] {
        let now = TimeSource.system.wallMilliseconds()
        var export = AccountExport(model, redacting: redacting, at: now) { sink.write($0) }
        if let account {
            guard let record = try inspector.account(account) else { throw CommandFault("there is no account \(account)") }
            try export.write(record, of: inspector)
        } else {
            var progress = ProgressLine(total: try inspector.accountCount(), unit: "accounts")
            defer { progress.end() }
            var last: AccountID?
            while case let page = try inspector.accounts(after: last, limit: 500), let end = page.last {
                for record in page {
                    try export.write(record, of: inspector)
                    progress.show(export.accounts)
                    if let fault = sink.fault { throw fault }
                }
                last = end.id
            }
        }
        export.finish()
        return export.findings
    }
}
