internal import JSON
internal import Runtime
internal import Shop

/// Puts the shop's environment together from the configuration.
enum ShopComposition {
    /// The environment; throws every fault of the catalog, each with its position.
    static func environment(_ configuration: Configuration) throws(ServeFault) -> ShopEnvironment {
        let path = catalogPath(configuration)
        let services = try services(configuration)
        do throws(CatalogTrouble) {
            return ShopEnvironment(
                catalog: try catalog(at: path), settings: configuration.shopSettings,
                services: services)
        } catch {
            throw ServeFault(error.sentences.map { "\(path): \($0)" }, code: .configuration)
        }
    }

    /// Why a catalog file cannot be used: every fault with its position.
    struct CatalogTrouble: Error {
        let sentences: [String]
    }

    static func catalog(at path: String) throws(CatalogTrouble) -> Catalog {
        do {
            let bytes = try File.read(path, bytesMax: 64 << 20)
            let file = try JSONDecoding.decode(CatalogFile.self, from: bytes, limits: .stored)
            return try Catalog(validating: file)
        } catch let faults as CatalogFaults {
            throw CatalogTrouble(sentences: faults.faults.map(\.description))
        } catch {
            throw CatalogTrouble(sentences: ["\(error)"])
        }
    }

    /// The setting's path; its default is also looked for above the program, so that a build folder works from anywhere.
    static func catalogPath(_ configuration: Configuration) -> String {
        let path = configuration.catalogPath
        guard configuration.isDefault("shop.catalog"), !File.exists(path), var folder = ThisProcess.executablePath else {
            return path
        }
        while let slash = folder.lastIndex(of: "/") {
            folder = String(folder[..<slash])
            if File.exists(folder + "/" + path) { return folder + "/" + path }
        }
        return path
    }
}
