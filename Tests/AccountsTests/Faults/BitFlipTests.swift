import Accounts
import Foundation
import Persistence
import Redux
import Testing

/// STORAGE: bits that change by themselves, in the file and in its log, are detected and named, and nothing is served wrong.
@Suite(.serialized, .timeLimit(.minutes(10))) struct `A flipped bit` {
    /// Three accounts: one with stored states behind a long log, one with a short log, one that was never used.
    private struct Sound {
        let folder: String
        var bodies: [AccountID: [UInt8]]
        var files: [String: [UInt8]]

        /// With `killed` the last actions are in the write-ahead log alone.
        static func make(killed: Bool) async throws -> Sound {
            let bench = try Bench<FirstNotes>(environment: NoteWorld(), loops: 1)
            var handles: [AccountHandle] = []
            for count in [140, 3, 0] {
                let (handle, _) = try await bench.create()
                for line in 0..<count { _ = await bench.dispatch(.write(OldLine(line: "line \(line)")), to: handle.id) }
                handles.append(handle)
            }
            if !killed { await bench.close() }
            var sound = Sound(folder: bench.location, bodies: [:], files: Copies.read(bench.location))
            for handle in handles { sound.bodies[handle.id] = try handle.published.body() }
            if killed { await bench.close() }
            return sound
        }

        func remove() { Copies.remove(folder) }
    }

    /// What is served of a changed copy.
    private enum Outcome: Hashable {
        /// It does not open, and says why.
        case refused
        /// Every state is as it was.
        case same
        /// Every state is as it was, and a check of the whole names what changed.
        case found
        /// Some accounts are set aside, all others are as they were.
        case setAside
        /// Something is served that never was, or an account has silently gone.
        case wrong(String)
    }

    private func outcome(of files: [String: [UInt8]], _ sound: Sound) async throws -> Outcome {
        let folder = try Copies.write(files)
        defer { Copies.remove(folder) }
        let bench: Bench<FirstNotes>
        do { bench = try Bench(in: folder, environment: NoteWorld(), loops: 1) } catch is StorageFault { return .refused }
        let check = try? Examination(
            FirstNotes.self, of: Inspector.open(path: "\(folder)/\(Copies.database)", model: nil), asking: .isWhole)
        let isFound = check?.findings.isEmpty != true
        var outcome = isFound ? Outcome.found : .same
        for (account, body) in sound.bodies {
            switch await bench.open(account) {
            case .success(let handle):
                let served = try handle.published.body()
                if served != body {
                    outcome = .wrong("account \(account): \(String(decoding: served.prefix(200), as: UTF8.self))")
                }
            case .failure(.noAccount):
                // Gone from its table: then a check of the whole must say so.
                outcome = isFound ? .setAside : .wrong("account \(account) is gone")
            case .failure: if case .wrong = outcome { break } else { outcome = .setAside }
            }
        }
        await bench.close()
        return outcome
    }

    private func flips(_ suffix: String, of sound: Sound, count: Int, from first: Int = 0) async throws -> [Outcome] {
        var generator = SeededGenerator(seed: 7)
        let path = "\(sound.folder)/\(Copies.database)\(suffix)"
        let bytes = try #require(sound.files[path])
        var found: [Outcome] = []
        for _ in 0..<count {
            var files = sound.files
            let index = Int.random(in: first..<bytes.count, using: &generator)
            var changed = bytes
            changed[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
            files[path] = changed
            found.append(try await outcome(of: files, sound))
        }
        let counts = Dictionary(grouping: found) { "\($0)" }.map { "\($0.key) \($0.value.count)" }.sorted()
        print("tried: flipped bit in the file\(suffix): \(counts.joined(separator: ", "))")
        return found
    }

    @Test
    func `in the file is refused, sets its account aside, or changes nothing that is served; a check of the whole finds it`()
        async throws
    {
        let sound = try await Sound.make(killed: false)
        let found = try await flips("", of: sound, count: 120)
        for case .wrong(let what) in found { Issue.record("\(what)") }
        #expect(Set(found).isSuperset(of: [.refused, .same, .found]))
        sound.remove()
    }

    @Test func `in the log of a killed service is refused: what follows it was acknowledged`() async throws {
        let sound = try await Sound.make(killed: true)
        let found = try await flips("-wal", of: sound, count: 60)
        for case .wrong(let what) in found { Issue.record("\(what)") }
        #expect(found.contains(.refused))
        sound.remove()
    }

    @Test func `in the mark beside the file refuses it or changes nothing`() async throws {
        let sound = try await Sound.make(killed: true)
        let found = try await flips(".mark", of: sound, count: 30)
        #expect(Set(found).isSubset(of: [.refused, .same]))
        sound.remove()
    }

    @Test func `is not needed: a log cut at any length is refused, or was whole`() async throws {
        let sound = try await Sound.make(killed: true)
        let path = "\(sound.folder)/\(Copies.database)-wal"
        let log = try #require(sound.files[path])
        var found: [Outcome] = []
        for part in 0..<20 {
            var files = sound.files
            files[path] = Array(log.prefix(log.count * part / 20))
            found.append(try await outcome(of: files, sound))
        }
        #expect(found.filter { $0 != .refused } == [])
        var files = sound.files
        files[path] = nil
        #expect(try await outcome(of: files, sound) == .refused)
        // Emptied beside its log, the file is not taken for a new database.
        files = sound.files
        files["\(sound.folder)/\(Copies.database)"] = []
        #expect(try await outcome(of: files, sound) == .refused)
        sound.remove()
    }
}
