internal import API
internal import Runtime
internal import Shop

extension Command {
    static let problems = Command(
        name: "problems", summary: "Print the table of problem types, in Markdown.", options: [], takesSettings: false
    ) { _ in
        ThisProcess.print(ProblemTable.markdown(ShopModel.self))
    }
}
