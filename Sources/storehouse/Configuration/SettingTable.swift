internal import Persistence

extension Setting {
    /// Every setting there is, in the order of the documents.
    static let table: [Setting] =
        [
            Setting("host", .text, .text("127.0.0.1"), "Address to listen on."),
            Setting(
                "port", .integer(0...65535), .integer(8080), "Port to listen on; 0 picks a free one, named in the ready line."),
            Setting(
                "database", .path, .text("./storehouse.sqlite"), "The database file; made where there is none and never was one."),
            Setting("model", .choice(["shop", "counter"]), .text("shop"), "What an account is."),
            Setting("demo", .flag, .flag(false), "Demo users for every case a client must handle."),
            Setting(
                "devtools.enabled", .flag, .flag(false),
                "Serve the developer page at /devtools; with demo it is served in any case."),
            Setting("loops", .integer(0...256), .integer(0), "Event loops; 0 is one for each processor."),
            Setting(
                "log.level", .choice(["debug", "info", "warning", "error"]), .text("info"), "The least level that is logged."),
            Setting("log.form", .choice(["text", "json"]), .text("text"), "Log lines for people, or one JSON object each."),
            Setting("log.access", .flag, .flag(false), "One line for each answer, with the request's id and trace."),
            Setting("log.transitions", .flag, .flag(false), "One line for each committed action, never its payload."),
            Setting(
                "cors.origins", .text, .text(""),
                "Other origins whose pages may use the service, separated by commas, or *; none where empty."),
            Setting(
                "storage.freeBytesMin", .integer(0...1 << 50), .integer(Int64(Database.Options().freeBytesMin)),
                "Free bytes of the disk below which writes are refused (507); 0 never refuses."),
            Setting("shop.catalog", .path, .text("config/catalog.json"), "The catalog file."),
            Setting(
                "shop.guests", .choice(["cart", "browse"]), .text("cart"), "What an anonymous account may do beside favourites."),
        ] + shop + identity + limits + webhooks

    static func named(_ key: String) -> Setting? { table.first { $0.key == key } }
}
