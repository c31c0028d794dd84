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
        let examination = Examination.orExit(Configuration.orExit(options), checksOtherVersions: false)
        ThisProcess.print(options.isOn("--json") ? examination.json : examination.text(wrong: "faults"))
        ThisProcess.exit(examination.findings.isEmpty ? .success : .failure)
    }

    static let migrate = Command(
        name: "migrate",
        summary:
            "With --check: fold every log with this build, and list the accounts whose state it would change or not understand.",
        options: [("--check", nil, "Look only; works on a live database."), ("--json", nil, "Print one JSON object.")],
        takesSettings: true
    ) { options in
        guard options.isOn("--check") else {
            ThisProcess.complain([
                "accounts are migrated when they are next used; migrate --check tells beforehand what that changes"
            ])
            ThisProcess.exit(.usage)
        }
        let examination = Examination.orExit(Configuration.orExit(options), checksOtherVersions: true)
        ThisProcess.print(options.isOn("--json") ? examination.json : examination.text(wrong: "accounts would change"))
        ThisProcess.exit(examination.findings.isEmpty ? .success : .failure)
    }
}

extension Examination {
    /// Examines the configured database with the model it holds; says what is in the way and ends the process where something is.
    fileprivate static func orExit(_ configuration: Configuration, checksOtherVersions: Bool) -> Examination {
        do throws(StorageFault) {
            let inspector = try Inspector.open(path: configuration.database, model: nil)
            var progress = ProgressLine(total: try inspector.accountCount(), unit: "accounts")
            defer { progress.end() }
            func examine<Model: AccountModel>(_ model: Model.Type) throws(StorageFault) -> Examination {
                try Examination(model, of: inspector, asking: checksOtherVersions ? .agreesWithThisBuild : .isWhole) {
                    progress.show($0)
                }
            }
            switch inspector.model {
            case CounterModel.name: return try examine(CounterModel.self)
            case ShopModel.name: return try examine(ShopModel.self)
            default:
                throw .otherModel(path: configuration.database, stored: inspector.model, wanted: "one of this build's")
            }
        } catch {
            ThisProcess.complain(["\(error)"])
            ThisProcess.exit(.failure)
        }
    }

    /// A line for each finding, and one with the numbers.
    fileprivate func text(wrong: String) -> String {
        findings.map { "\($0)\n" }.joined()
            + "\(accounts) accounts (\(otherVersions) of another version), \(entries) log entries folded, \(states) stored states compared: "
            + (findings.isEmpty ? "all is well\n" : "\(findings.count) \(wrong)\n")
    }

    fileprivate var json: String {
        let faults = findings.map { finding in
            var fault = JSONObject()
            fault["account"] = finding.account.map { .integer($0.rawValue) }
            fault["revision"] = finding.revision.map { .integer($0) }
            fault["reason"] = .string(finding.reason)
            return JSONValue.object(fault)
        }
        let report: JSONValue = [
            "accounts": .integer(Int64(accounts)), "entries": .integer(Int64(entries)), "faults": .array(faults),
            "otherVersions": .integer(Int64(otherVersions)), "states": .integer(Int64(states)),
        ]
        return report.canonicalText + "\n"
    }
}
