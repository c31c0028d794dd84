import Testing

/// What the tests of the service need to know of an account model: the same tests run over each.
struct ModelUnderTest: Sendable, CustomTestStringConvertible {
    let name: String
    /// The wire name of an action that changes the state, asks for no effect, and is never refused.
    let change: String
    /// Its payload the nth time, as JSON; each time another value.
    let payload: @Sendable (Int) -> String
    /// An action that is refused in every state, and how.
    let refused: (action: String, status: Int, problem: String)
    /// An action whose payload has the wrong form, and the pointer's end that names the place.
    let misshapen: (action: String, pointer: String)

    var testDescription: String { name }

    /// The nth change as the text of an action.
    func action(_ number: Int) -> String { #"{"type": "\#(change)", "payload": \#(payload(number))}"# }

    static let shop = ModelUnderTest(
        name: "shop", change: "catalog/search", payload: { #"{"query": "word \#($0)"}"# },
        refused: (#"{"type": "cart/addItem", "payload": {"productID": "dune", "quantity": 0}}"#, 409, "invalid-quantity"),
        misshapen: (#"{"type": "cart/addItem", "payload": {"productID": 7}}"#, "/payload/productID"))

    /// Nothing refuses the counter's actions but its bounds, which no test reaches one by one: a payload it does not know does.
    static let counter = ModelUnderTest(
        name: "counter", change: "counter/increase", payload: { _ in "{}" },
        refused: (#"{"type": "counter/increase", "payload": {"by": 2}}"#, 422, Problems.invalidPayload),
        misshapen: (#"{"type": "counter/increase", "payload": {"by": 2}}"#, "/payload/by"))

    static let all = [shop, counter]
}

/// The last path segments of the problem types the service itself has, beside the models' refusals.
enum Problems {
    static let malformedJSON = "malformed-json"
    static let badRequest = "bad-request"
    static let invalidAction = "invalid-action"
    static let invalidPayload = "invalid-payload"
    static let unknownAction = "unknown-action"
    static let batchTooLarge = "batch-too-large"
    static let factNotAllowed = "fact-not-allowed"
    static let unauthorized = "unauthorized"
    static let invalidToken = "invalid-token"
    static let invalidAuthorization = "invalid-authorization"
    static let notFound = "not-found"
    static let methodNotAllowed = "method-not-allowed"
    static let unsupportedMediaType = "unsupported-media-type"
    static let contentTooLarge = "content-too-large"
    static let targetTooLong = "uri-too-long"
    static let fieldsTooLarge = "fields-too-large"
    static let invalidParameter = "invalid-parameter"
    static let preconditionFailed = "precondition-failed"
}
