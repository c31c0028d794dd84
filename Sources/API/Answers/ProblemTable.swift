internal import HTTP
package import Redux

/// The table of problem types for the documents, made from the code.
package enum ProblemTable {
    /// Markdown: the service's own kinds, then those of a model, each with its status and title.
    package static func markdown<Model: AccountModel>(_: Model.Type) -> String {
        var text = "| type | status | title |\n| --- | --- | --- |\n"
        let own = ProblemKind.all
        let slugs = Set(own.map(\.slug))
        for kind in own { text += row(kind) }
        for kind in Model.refusals.map(ProblemKind.init) where !slugs.contains(kind.slug) { text += row(kind) }
        return text
    }

    private static func row(_ kind: ProblemKind) -> String {
        "| `\(Problem.typePrefix)\(kind.slug)` | \(kind.status.code) | \(kind.title) |\n"
    }
}
