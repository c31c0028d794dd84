import Foundation

/// A shell in an empty folder of its own, removed with all that was started in it.
enum Shell {
    /// How long a script may take, in seconds. Generous: it only bounds a failure.
    static let secondsMax = 120

    /// The binary: what `STOREHOUSE_BINARY` names, else the debug build beside these tests.
    static var binary: String {
        if let path = ProcessInfo.processInfo.environment["STOREHOUSE_BINARY"], !path.isEmpty {
            return URL(filePath: path).absoluteURL.path
        }
        return URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().appending(path: "storehouse")
            .path
    }

    /// Runs a script of bash, which stops at its first failure, and gives its exit status and all it said on standard output.
    ///
    /// `storehouse` is the binary, `config` the house's folder.
    static func run(_ script: String) async throws -> (status: Int32, said: String) {
        let folder = FileManager.default.temporaryDirectory.appending(path: "storehouse-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let bin = folder.appending(path: ".bin")
        try FileManager.default.createDirectory(at: bin, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: bin.appending(path: "storehouse"), withDestinationURL: URL(filePath: binary))
        try FileManager.default.createSymbolicLink(
            at: folder.appending(path: "config"), withDestinationURL: Checkout.root.appending(path: "config"))
        let file = folder.appending(path: ".said")
        try Data().write(to: file)

        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/timeout")
        process.arguments = [String(secondsMax), "bash", "-c", "set -euo pipefail\n" + script]
        process.currentDirectoryURL = folder
        process.environment = ["PATH": "\(bin.path):/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: file)
        process.standardError = FileHandle.standardError
        // No thread of the pool waits: what a script asks may be answered by this very process.
        let status = try await withCheckedThrowingContinuation { (done: CheckedContinuation<Int32, any Error>) in
            process.terminationHandler = { done.resume(returning: $0.terminationStatus) }
            do { try process.run() } catch { done.resume(throwing: error) }
        }
        return (status, String(decoding: try Data(contentsOf: file), as: UTF8.self))
    }

    /// The beginning of a script that talks to the service: starts it over `./storehouse.sqlite`, on a free port that is left in `PORT`.
    static let serving = """
        storehouse serve --port 0 </dev/null >/dev/null 2>.log &
        service=$!
        trap 'kill -KILL $service 2>/dev/null || true; cat .log >&2' EXIT
        for _ in $(seq 300); do
            PORT=$(sed -n 's|.*ready on http://127.0.0.1:\\([0-9]*\\).*|\\1|p' .log)
            if [ -n "$PORT" ]; then break; fi
            sleep 0.1
        done

        """

    /// A document's commands, for the service on `PORT` rather than on the port that the document names.
    static func onPort(_ script: String) -> String {
        script.replacing("127.0.0.1:8080", with: "127.0.0.1:$PORT")
    }
}
