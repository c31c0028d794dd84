internal import HTTP
internal import JSON
public import Redux

/// The table of problem types for the documents, made from the code.
public enum ProblemTable {
    /// Markdown: the service's own kinds, then those of a model, each with its status and title.
    public static func markdown<Model: AccountModel>(_: Model.Type) -> String {
        var text = "| type | status | title |\n| --- | --- | --- |\n"
        let own = ProblemKind.all
        let slugs = Set(own.map(\.slug))
        for kind in own { text += row(kind) }
        for kind in Model.refusals.map(ProblemKind.init) where !slugs.contains(kind.slug) { text += row(kind) }
        return text
    }

    /// The same as one JSON array.
    public static func json<Model: AccountModel>(_: Model.Type) -> String {
        var slugs: Set<String> = []
        let kinds = (ProblemKind.all + Model.refusals.map(ProblemKind.init)).filter { slugs.insert($0.slug).inserted }
        let rows = kinds.map { kind -> JSONValue in
            [
                "status": .integer(Int64(kind.status.code)), "title": .string(kind.title),
                "type": .string(Problem.typePrefix + kind.slug),
            ]
        }
        return JSONValue.array(rows).canonicalText + "\n"
    }

    private static func row(_ kind: ProblemKind) -> String {
        "| `\(Problem.typePrefix)\(kind.slug)` | \(kind.status.code) | \(kind.title) |\n"
    }
}
