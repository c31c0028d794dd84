/// Shared, read-only data of a model's environment, answered at `GET /NAME` without a token: the shop's catalog.
public struct Resource<Model: AccountModel>: Sendable {
    /// One query parameter, as the documents describe it.
    public struct Parameter: Sendable {
        /// The name in the query.
        public let name: String
        /// One line for documents.
        public let summary: String
        /// JSON Schema's type: `string`, `integer`, `number` or `boolean`.
        public let type: String
        /// The only values there are; empty for any.
        public let values: [String]
        /// The least and the greatest number; nil for any.
        public let bounds: ClosedRange<Int64>?

        /// A parameter that takes any value, unless `values` or `bounds` say which.
        public init(
            _ name: String, type: String = "string", values: [String] = [], bounds: ClosedRange<Int64>? = nil, summary: String
        ) {
            self.name = name
            self.type = type
            self.values = values
            self.bounds = bounds
            self.summary = summary
        }
    }

    /// The first part of its path.
    public let name: String
    /// One line for documents.
    public let summary: String
    /// Every parameter it takes; any other is refused before `answer` is asked.
    public let parameters: [Parameter]
    /// Gives the value for the parameters sent, each at most once.
    public let answer: @Sendable ([String: String], Model.Environment) throws(ResourceFault) -> any Encodable & Sendable

    /// A resource at `/NAME` that takes these parameters and no others.
    public init(
        _ name: String, summary: String, parameters: [Parameter],
        answer: @escaping @Sendable ([String: String], Model.Environment) throws(ResourceFault) -> any Encodable & Sendable
    ) {
        self.name = name
        self.summary = summary
        self.parameters = parameters
        self.answer = answer
    }
}

/// A query parameter was not understood (422).
public struct ResourceFault: Error, Hashable, Sendable {
    /// The name of the parameter at fault.
    public let parameter: String
    /// How to mend it, for a person.
    public let detail: String

    /// The fault of one parameter, with its advice.
    public init(parameter: String, _ detail: String) {
        self.parameter = parameter
        self.detail = detail
    }
}
