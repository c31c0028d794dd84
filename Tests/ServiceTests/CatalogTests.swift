import Foundation
import Testing

@ServiceQueue @Suite struct `The catalog's file` {
    private func catalog(price: Int, extra: String = "") -> Data {
        Data(
            """
            {"currency": "EUR", "products": [{"productID": "dune", "title": "Dune", "author": "Frank Herbert",
            "description": "Sand.", "category": "Fiction", "price": \(price), "stock": 99, "rating": 4.5, "publishedAt": 0}\(extra)]}
            """.utf8)
    }

    @Test func `is read anew at SIGHUP without a dropped request, and kept where it has a fault`() throws {
        try withFolder { folder in
            let file = folder.appending(path: "catalog.json")
            try catalog(price: 100).write(to: file)
            try withService(arguments: ["--shop-catalog", file.path]) { service in
                let wire = try service.connect()
                let account = try wire.openAccount()
                #expect(try wire.firstPrice() == 100)
                #expect(try wire.act(#"{"type": "cart/addItem", "payload": {"productID": "dune"}}"#, as: account).status == 200)

                try catalog(price: 200).write(to: file)
                service.send(signal: SIGHUP)
                let deadline = ContinuousClock.now + .seconds(Wire.stepSecondsMax)
                while try wire.firstPrice() != 200, ContinuousClock.now < deadline {
                    #expect(try wire.get("/state", as: account).status == 200)
                }
                #expect(try wire.firstPrice() == 200)
                // What is in the cart keeps the price it was stamped with.
                #expect(try wire.state(of: account).state["cart"]?["lines"]?[0]?["unitPrice"] == 100)

                try catalog(price: -1, extra: #", {"productID": "Dune!"}"#).write(to: file)
                service.send(signal: SIGHUP)
                while !service.said.contains("kept as it was"), ContinuousClock.now < deadline {
                    #expect(try wire.get("/catalog").status == 200)
                }
                #expect(service.said.contains("catalog fault"))
                #expect(try wire.firstPrice() == 200)
                #expect(try service.end(by: SIGTERM) == .exit(0))
            }
        }
    }
}

extension Wire {
    /// The price of the catalog's first product now.
    fileprivate func firstPrice() throws -> Int64? { try get("/catalog").json["products"]?[0]?["price"]?.integer }
}
