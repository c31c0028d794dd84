internal import API
internal import Runtime
internal import Shop

extension Command {
    static let problems = Command(
        name: "problems", summary: "Print the table of problem types, in Markdown.",
        options: [("--json", nil, "Print one JSON array.")], takesSettings: false
    ) { options in
        ThisProcess.print(options.isOn("--json") ? ProblemTable.json(ShopModel.self) : ProblemTable.markdown(ShopModel.self))
    }
}
