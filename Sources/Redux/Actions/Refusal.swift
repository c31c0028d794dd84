/// One way in which an action can be refused, stable on the wire: the last part of a problem's `type` (RFC 9457).
public struct RefusalKind: Hashable, Sendable {
    /// Lower-case words joined by hyphens, such as `cart-full`.
    public let slug: String
    /// One constant sentence for the kind.
    public let title: String
    /// The HTTP status it is answered with; 409 unless the contract pins another.
    public let status: Int

    /// A kind named `slug`, which is unique within its model.
    public init(_ slug: String, title: String, status: Int = 409) {
        self.slug = slug
        self.title = title
        self.status = status
    }
}

/// An action was refused: the state is as it was, and nothing is logged.
public struct Refusal: Error, Hashable, Sendable {
    /// In which way it was refused.
    public let kind: RefusalKind
    /// How to mend it, for a person; never to be parsed.
    public let detail: String
    /// The place in the action that is at fault, as a JSON Pointer from the action's root (`/payload/quantity`).
    public let pointer: String?

    /// A refusal with its advice and, where one place is at fault, that place.
    public init(_ kind: RefusalKind, _ detail: String, pointer: String? = nil) {
        self.kind = kind
        self.detail = detail
        self.pointer = pointer
    }
}
