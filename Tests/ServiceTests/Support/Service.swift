import Foundation
import Synchronization
import Testing

/// The service, spawned from its binary on a free port over a database in a folder of its own.
@ServiceQueue final class Service {
    enum Fault: Error {
        /// It ended, or said nothing of an address, before the deadline; with all it said.
        case notReady(String)
        /// It did not end within the deadline after a signal.
        case wouldNotEnd(String)
    }

    /// How a process ended.
    enum End: Equatable {
        case exit(Int32)
        case signal(Int32)
    }

    /// The binary: what `STOREHOUSE_BINARY` names, else the debug build beside these tests.
    nonisolated static var binary: URL {
        if let path = ProcessInfo.processInfo.environment["STOREHOUSE_BINARY"], !path.isEmpty { return URL(filePath: path) }
        return URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().appending(path: "storehouse")
    }

    /// The checkout, from which the service is started: its configuration names the catalog from there.
    nonisolated static let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    let folder: URL
    let model: String
    private(set) var port = 0
    private var child: Child

    /// Spawns the service in `folder` and waits until it is ready.
    init(model: String, arguments: [String], folder: URL) throws {
        self.folder = folder
        self.model = model
        child = try Child(Self.arguments(model: model, folder: folder) + arguments)
        port = try Self.port(of: child)
    }

    /// The arguments of `serve` over the database of `folder`, on a free port.
    nonisolated static func arguments(model: String, folder: URL) -> [String] {
        [
            "serve", "--host", "127.0.0.1", "--port", "0", "--database", folder.appending(path: "storehouse.sqlite").path,
            "--model", model,
        ]
    }

    private static func port(of child: Child) throws -> Int {
        guard let ready = child.waitUntilSaid(/http:\/\/127\.0\.0\.1:(\d+)/), let port = Int(ready.1) else {
            child.kill(SIGKILL)
            throw Fault.notReady(child.said)
        }
        return port
    }

    /// The running process's id.
    var processID: Int32 { child.processID }

    /// All that the service has said on standard error since it was last started.
    var said: String { child.said }

    func connect() throws -> Wire {
        try Wire(port: port)
    }

    /// Sends a signal and waits for the end.
    func end(by signal: Int32) throws -> End {
        child.kill(signal)
        return try waitForEnd()
    }

    /// Waits for the end.
    func waitForEnd() throws -> End {
        guard let end = child.waitUntilEnded() else { throw Fault.wouldNotEnd(child.said) }
        return end
    }

    /// Sends a signal, and does not wait.
    func send(signal: Int32) {
        child.kill(signal)
    }

    /// Starts the service again over the same database, once it has ended.
    func start(arguments: [String] = []) throws {
        child = try Child(Self.arguments(model: model, folder: folder) + arguments)
        port = try Self.port(of: child)
    }

    /// Runs the binary to its end, as another process beside the service.
    nonisolated static func run(_ arguments: [String], environment: [String: String] = [:]) throws -> (end: End, said: String) {
        let child = try Child(arguments, environment: environment)
        guard let end = child.waitUntilEnded() else {
            child.kill(SIGKILL)
            throw Fault.wouldNotEnd(child.said)
        }
        return (end, child.said)
    }

    /// Ends the process, whatever it does.
    func remove() {
        child.kill(SIGKILL)
        _ = child.waitUntilEnded()
    }
}

/// Runs `body` beside a spawned service, and leaves neither process nor file behind.
///
/// Where `body` throws, what the service said goes into the report.
@ServiceQueue func withService<Result>(
    model: String = "shop", arguments: [String] = [], _ body: (Service) throws -> Result
) throws -> Result {
    try withFolder { folder in
        let service = try Service(model: model, arguments: arguments, folder: folder)
        defer { service.remove() }
        do {
            return try body(service)
        } catch {
            Issue.record("the service had said: \(service.said.suffix(4_000))")
            throw error
        }
    }
}

/// Runs `body` with an empty folder, removed afterwards.
func withFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "storehouse-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
}
