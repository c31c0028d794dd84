internal import API

extension Configuration {
    /// Which other origins' pages may use the service; checked before, with everything else.
    var cors: CORSPolicy? { try? CORSPolicy.reading(text("cors.origins")) }

    var corsFaults: [String] {
        do throws(CORSPolicy.Fault) {
            _ = try CORSPolicy.reading(text("cors.origins"))
            return []
        } catch {
            return ["cors.origins: \(error.sentence)"]
        }
    }
}
