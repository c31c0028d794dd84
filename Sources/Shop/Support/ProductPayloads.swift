/// The payload of an action about one product: `{"productID": "dune"}`.
public struct ProductReference: Codable, Hashable, Sendable {
    /// The product's id.
    public var productID: String

    /// Names a product.
    public init(productID: String) {
        self.productID = productID
    }
}

/// The payload of an action about a number of one product: `{"productID": "dune", "quantity": 2}`.
public struct ProductQuantity: Codable, Hashable, Sendable {
    /// The product's id.
    public var productID: String
    /// Pieces; which numbers are allowed is the action's matter.
    public var quantity: Int

    /// Names a product and a number of it.
    public init(productID: String, quantity: Int) {
        self.productID = productID
        self.quantity = quantity
    }
}

/// The payload of an action that puts pieces of a product into the cart; one piece where `quantity` is left out.
public struct ProductAddition: Codable, Hashable, Sendable {
    /// The product's id.
    public var productID: String
    /// Pieces to add, 1 to 99.
    public var quantity: Int

    /// Names a product and how much of it to add.
    public init(productID: String, quantity: Int = 1) {
        self.productID = productID
        self.quantity = quantity
    }

    /// Reads the payload; an absent quantity is 1.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        productID = try container.decode(String.self, forKey: .productID)
        quantity = try container.decodeIfPresent(Int.self, forKey: .quantity) ?? 1
    }
}

/// The payload of a fact that something could not be done: `{"reason": "…"}`.
public struct FailureReason: Codable, Hashable, Sendable {
    /// One sentence for a person.
    public var reason: String

    /// Gives a reason.
    public init(reason: String) {
        self.reason = reason
    }
}
