internal import JSON
internal import Persistence
internal import Runtime

extension Command {
    static let backup = Command(
        name: "backup", summary: "Copy the database into FILE, whole and consistent, also while it is served.",
        options: [
            ("--rate", "MIB", "Copy at most so many MiB a second; 0, the default, does not wait."),
            ("--json", nil, "Print one JSON object."),
        ], takesSettings: true,
        operands: ["FILE"]
    ) { options in
        let configuration = Configuration.orExit(options)
        guard let rate = Int(options.last("--rate") ?? "0"), (0...65_536).contains(rate) else {
            ThisProcess.complain(["--rate wants an integer from 0 to 65536"])
            ThisProcess.exit(.usage)
        }
        let file = options.last("FILE") ?? ""
        do throws(StorageFault) {
            let inspector = try Inspector.open(path: configuration.database, model: nil)
            var progress: ProgressLine?
            var pace = Pace(bytesPerSecond: rate << 20)
            try inspector.backup(to: file) { copied, total in
                progress = progress ?? ProgressLine(total: total, unit: "pages")
                progress?.show(copied)
                pace.wait(afterBytes: copied * Inspector.pageBytes)
                return true
            }
            progress?.end()
            let told: JSONValue = ["backup": .string(file), "database": .string(configuration.database)]
            ThisProcess.print(
                options.isOn("--json") ? told.canonicalText + "\n" : "\(configuration.database) is copied to \(file)\n")
            ThisProcess.exit(.success)
        } catch {
            ThisProcess.complain(["\(error)"])
            ThisProcess.exit(.failure)
        }
    }

    static let restore = Command(
        name: "restore",
        summary:
            "Put the backup FILE in the database's place, or with --adopt take what was copied there; every account starts a new epoch.",
        options: [
            ("--adopt", nil, "The database was copied into place by other means."), ("--json", nil, "Print one JSON object."),
        ], takesSettings: true,
        operands: ["[FILE]"]
    ) { options in
        let configuration = Configuration.orExit(options)
        let file = options.last("[FILE]")
        let adopts = options.isOn("--adopt")
        guard adopts == (file == nil) else {
            ThisProcess.complain(["restore wants either a backup or --adopt"])
            ThisProcess.exit(.usage)
        }
        do throws(StorageFault) {
            let restoration = Restoration(path: configuration.database)
            if let file { try restoration.restore(from: file) } else { try restoration.adopt() }
            let told: JSONValue = ["database": .string(configuration.database), "newEpochs": true]
            ThisProcess.print(
                options.isOn("--json")
                    ? told.canonicalText + "\n" : "\(configuration.database) is ready to be served, under new epochs\n")
            ThisProcess.exit(.success)
        } catch {
            ThisProcess.complain(["\(error)"])
            ThisProcess.exit(.failure)
        }
    }
}

/// Keeps work to a rate, on average since it began.
private struct Pace {
    let bytesPerSecond: Int
    private let start = TimeSource.system.monotonic()

    init(bytesPerSecond: Int) { self.bytesPerSecond = bytesPerSecond }

    /// Waits until so many bytes may have been done.
    func wait(afterBytes bytes: Int) {
        guard bytesPerSecond > 0 else { return }
        let due = Int64(Double(bytes) / Double(bytesPerSecond) * 1e3)
        let passed = Int64(TimeSource.system.monotonic().nanoseconds(since: start)) / 1_000_000
        if due > passed { ThisProcess.pause(milliseconds: due - passed) }
    }
}
