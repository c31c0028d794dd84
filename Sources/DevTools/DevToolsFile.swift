/// A file of the developer page, embedded in the program.
public struct DevToolsFile: Sendable {
    /// What it is called below `/devtools/`; the page itself has no name.
    public let name: String
    /// Its media type.
    public let type: String
    /// Its content as it is sent, without a content coding.
    public let bytes: [UInt8]

    /// The page, and all that it loads.
    public static let all: [DevToolsFile] = [
        DevToolsFile(name: "", type: "text/html; charset=utf-8", bytes: PackageResources.index_html),
        DevToolsFile(name: "style.css", type: "text/css; charset=utf-8", bytes: PackageResources.style_css),
        DevToolsFile(name: "app.js", type: script, bytes: PackageResources.app_js),
        DevToolsFile(name: "client.js", type: script, bytes: PackageResources.client_js),
        DevToolsFile(name: "json.js", type: script, bytes: PackageResources.json_js),
    ]

    private static let script = "text/javascript; charset=utf-8"
}
