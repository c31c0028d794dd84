import Foundation
import JSON
import Shop
import Testing

/// The catalog that the service ships with.
struct ShippedCatalogTests {
    private static func shipped() throws -> Catalog {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let bytes = [UInt8](try Data(contentsOf: root.appending(path: "config/catalog.json")))
        let file = try JSONDecoding.decode(CatalogFile.self, from: bytes, limits: .stored, unknownMembers: .refuse)
        return try Catalog(validating: file)
    }

    @Test func `it is in order, and has what the documents promise`() throws {
        let catalog = try Self.shipped()
        #expect(catalog.products.count >= 60)
        #expect(catalog.categories.count >= 6)
        #expect(catalog.product("dune") != nil)
        #expect(catalog.products.filter { $0.stock >= 99 }.count >= 3)
        #expect(catalog.products.contains { $0.stock == 0 })
        #expect(catalog.products.allSatisfy { !$0.author.isEmpty && !$0.description.isEmpty && $0.price > 0 })
    }

    @Test func `it is found by plain letters`() throws {
        let catalog = try Self.shipped()
        let found = catalog.page(of: CatalogQuery(query: "stanislaw lem"), limit: 5)?.products.map(\.productID)
        #expect(found == ["solaris"])
    }
}
