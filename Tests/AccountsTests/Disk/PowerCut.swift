import Foundation

/// Plays a power cut from what a `FaultyDisk` remembers: what was synced is there, what was not may be, in part, or torn.
///
/// After a sync that failed the writes before it are gone for good, whatever is synced later, though they could be read until the cut.
struct PowerCut {
    /// The files as they were, durably, before the first event.
    let initial: [String: [UInt8]]
    let events: [FaultyDisk.Event]

    /// What is on the disk when it comes back, what clients had been told by then, and the newest mark that may have survived.
    struct Image {
        var files: [String: [UInt8]]
        var acknowledged: Set<Int> = []
        var mark: [UInt8]?
    }

    /// One in so many writes that survive unsynced is torn.
    private static let tornOneIn = 5

    /// The image after a cut just before the event at `index`.
    func image(at index: Int, using generator: inout SeededGenerator) -> Image {
        var image = Image(files: initial)
        var dirty: [String: [FaultyDisk.Event]] = [:]
        for event in events[..<index] {
            switch event {
            case .write(let path, _, _), .truncate(let path, _): dirty[path, default: []].append(event)
            case .sync(let path):
                for event in dirty.removeValue(forKey: path) ?? [] { Self.apply(event, to: &image.files) }
            case .failedSync(let path): dirty[path] = nil
            case .delete(let path):
                dirty[path] = nil
                image.files[path] = nil
            case .acknowledged(let number, let mark):
                image.acknowledged.insert(number)
                image.mark = mark
            }
        }
        for path in dirty.keys.sorted() {
            for event in dirty[path] ?? [] where Bool.random(using: &generator) {
                Self.apply(event, to: &image.files, torn: Int.random(in: 1...Self.tornOneIn, using: &generator) == 1)
            }
        }
        return image
    }

    private static func apply(_ event: FaultyDisk.Event, to files: inout [String: [UInt8]], torn: Bool = false) {
        switch event {
        case .write(let path, let offset, let bytes):
            let part = torn ? bytes.prefix(bytes.count / 2) : bytes[...]
            var file = files[path] ?? []
            if file.count < offset + part.count {
                file.append(contentsOf: [UInt8](repeating: 0, count: offset + part.count - file.count))
            }
            file.replaceSubrange(offset..<offset + part.count, with: part)
            files[path] = file
        case .truncate(let path, let bytes):
            var file = files[path] ?? []
            if file.count > bytes { file.removeSubrange(bytes...) }
            files[path] = file
        case .sync, .failedSync, .delete, .acknowledged: break
        }
    }
}

/// Copies of a database and what lies beside it.
enum Copies {
    static let database = "accounts.sqlite"
    // The mark first: one that is older than the rest is harmless, as it is after a kill -9.
    private static let names = [database + ".mark", database, database + "-wal"]

    /// The files of a folder by their paths; those that are there.
    static func read(_ folder: String) -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in names {
            if let data = FileManager.default.contents(atPath: "\(folder)/\(name)") { files["\(folder)/\(name)"] = Array(data) }
        }
        return files
    }

    /// Writes files, whatever folder their paths name, into a new one, and gives it.
    static func write(_ files: [String: [UInt8]]) throws -> String {
        let folder = Bench<FirstNotes>.newFolder()
        for (path, bytes) in files {
            let name = path.split(separator: "/").last.map(String.init) ?? path
            try Data(bytes).write(to: URL(filePath: "\(folder)/\(name)"))
        }
        return folder
    }

    /// What a kill -9 at this instant leaves: all that was written, synced or not.
    static func copy(_ folder: String) throws -> String { try write(read(folder)) }

    static func remove(_ folder: String) { try? FileManager.default.removeItem(atPath: folder) }
}
