internal import Accounts
internal import Counter
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
        ThisProcess.say("storehouse: verify is not there yet")
        ThisProcess.exit(.failure)
    }
}
