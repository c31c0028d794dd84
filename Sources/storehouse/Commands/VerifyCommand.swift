internal import Accounts
internal import Counter
internal import JSON
internal import Persistence
internal import Redux
internal import Runtime
internal import Shop

extension Command {
    static let verify = Command(
        name: "verify",
        summary: "Check that every account's log is whole and folds to its stored states; works on a live database.",
        options: [("--json", nil, "Print one JSON object.")], takesSettings: true
    ) { options in
        let configuration = Configuration.orExit(options)
        do throws(StorageFault) {
            let inspector = try Inspector.open(path: configuration.database, model: nil)
            let report =
                switch inspector.model {
                case CounterModel.name: try VerifyReport.make(of: CounterModel.self, inspector)
                case ShopModel.name: try VerifyReport.make(of: ShopModel.self, inspector)
                default:
                    throw StorageFault.otherModel(path: configuration.database, stored: inspector.model, wanted: "this build's")
                }
            ThisProcess.print(options.has("--json") ? report.json : report.text)
            ThisProcess.exit(report.findings.isEmpty ? .success : .failure)
        } catch {
            ThisProcess.say("storehouse: \(error)")
            ThisProcess.exit(.failure)
        }
    }
}

/// What a verification counted and found.
struct VerifyReport {
    private(set) var accounts = 0
    private(set) var folded = 0
    private(set) var compared = 0
    private(set) var findings: [Inspector.Finding] = []

    /// Accounts read at a time.
    private static let pageMax = 1000

    static func make<Model: AccountModel>(of model: Model.Type, _ inspector: Inspector) throws(StorageFault) -> VerifyReport {
        let history = History<Model>()
        var report = VerifyReport()
        report.findings = try inspector.checkStructure()
        var last: AccountID?
        while true {
            let page = try inspector.accounts(after: last, limit: pageMax)
            guard let end = page.last else { return report }
            for record in page {
                var verification = Verification<Model>(of: record.id, with: history)
                report.findings += try inspector.walk(record) { verification.take($0) }
                report.accounts += 1
                report.folded += verification.folded
                report.compared += verification.compared
            }
            last = end.id
        }
    }

    var text: String {
        findings.map { "\($0)\n" }.joined()
            + "\(accounts) accounts, \(folded) log entries folded, \(compared) stored states compared: "
            + (findings.isEmpty ? "all is well\n" : "\(findings.count) faults\n")
    }

    var json: String {
        let faults = findings.map { finding in
            var fault: JSONObject = JSONObject()
            fault["account"] = finding.account.map { .integer($0.rawValue) }
            fault["revision"] = finding.revision.map { .integer($0) }
            fault["reason"] = .string(finding.reason)
            return JSONValue.object(fault)
        }
        let report: JSONValue = [
            "accounts": JSONValue(accounts), "entries": JSONValue(folded), "faults": .array(faults), "states": JSONValue(compared),
        ]
        return report.canonicalText + "\n"
    }
}
