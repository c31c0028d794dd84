internal import Accounts
internal import Runtime
internal import Shop

extension ShopComposition {
    /// Reads the catalog anew: what is served is replaced as a whole, or, where the file has a fault, kept as it is.
    static func reload(_ configuration: Configuration, _ accounts: AccountService<ShopModel>, _ log: Log) {
        let path = catalogPath(configuration)
        do throws(CatalogTrouble) {
            var environment = accounts.environment
            environment.catalog = try catalog(at: path)
            accounts.replace(environment: environment)
            log.info("catalog reloaded", ["path": .text(path), "products": .count(environment.catalog.products.count)])
        } catch {
            for sentence in error.sentences { log.error("catalog fault", ["path": .text(path), "fault": .text(sentence)]) }
            log.error("catalog kept as it was", ["path": .text(path), "faults": .count(error.sentences.count)])
        }
    }
}
