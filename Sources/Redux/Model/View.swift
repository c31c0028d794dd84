/// A named selector: a pure function of the state and the environment, read at `GET /views/NAME`.
public struct View<Model: AccountModel>: Sendable {
    /// The name in `/views/NAME`.
    public let name: String
    /// One line for documents.
    public let summary: String
    /// Writes the selected value.
    public let encode: @Sendable (Model.State, Model.Environment, any Encoder) throws -> Void

    /// A view of what `select` gives.
    public init<Value: Encodable & SendableMetatype>(
        _ name: String, summary: String, select: @escaping @Sendable (Model.State, Model.Environment) -> Value
    ) {
        self.name = name
        self.summary = summary
        self.encode = { state, environment, encoder in try select(state, environment).encode(to: encoder) }
    }
}
