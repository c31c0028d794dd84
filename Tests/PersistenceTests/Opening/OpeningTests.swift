import Glibc
import Redux
import Runtime
import SQLite
import Testing

@testable import Persistence

@Suite struct OpeningTests {
    let folder: Folder
    let account = Sample.account(1)

    init() throws { folder = try Folder() }

    /// A closed database with one account and three entries.
    private func prepare() async throws {
        let database = try Database.test(folder)
        _ = await database.commit(.createAccount(Sample.record(account)))
        for revision in Revision(1)...3 { _ = await database.commit(.append(Sample.entry(account, revision))) }
        await database.closed()
    }

    /// The same, but stopped as kill -9 would: the write-ahead log is still there.
    private func prepareUnclean() async throws {
        let database = try Database.test(folder, faults: .at(6, .ioError(applied: false)))
        _ = await database.commit(.createAccount(Sample.record(account)))
        for revision in Revision(1)...3 { _ = await database.commit(.append(Sample.entry(account, revision))) }
        _ = await database.commit(.createSession(Sample.session(1, of: account)))
        _ = await database.commit(.forgetIdempotency(before: 0))
        await database.closed()
        #expect(try folder.read("store.sqlite-wal").count > 4_096)
    }

    /// Opening is refused for a reason that has `words` in it, and every file is as before.
    private func expectRefusal(
        _ words: String, mode: Database.Mode = .createIfNew, model: String = "counter",
        location: SourceLocation = #_sourceLocation
    ) throws {
        let names = folder.names
        let before = try names.filter { $0 != "store.sqlite-shm" && !$0.hasSuffix(".lock") }.map { try folder.read($0) }
        let fault = #expect(throws: StorageFault.self, sourceLocation: location) {
            _ = try Database.test(folder, mode: mode, model: model)
        }
        guard case .refused(folder.database, let reason) = fault else {
            Issue.record("not refused: \(String(describing: fault))", sourceLocation: location)
            return
        }
        #expect(reason.contains(words), "\(reason)", sourceLocation: location)
        let after = try names.filter { $0 != "store.sqlite-shm" && !$0.hasSuffix(".lock") }.map { try folder.read($0) }
        #expect(before == after, sourceLocation: location)
    }

    @Test func `a new database has its files, readable by its owner alone`() async throws {
        let database = try Database.test(folder)
        #expect(
            folder.names == ["store.sqlite", "store.sqlite-shm", "store.sqlite-wal", "store.sqlite.lock", "store.sqlite.mark"])
        for name in folder.names { #expect(folder.mode(of: name) == 0o600, "\(name)") }
        await database.closed()
        #expect(folder.names == ["store.sqlite", "store.sqlite.lock", "store.sqlite.mark"])
    }

    @Test func `a database that is opened again goes on where it was`() async throws {
        try await prepare()
        let database = try Database.test(folder, mode: .existing)
        let loaded = try #require(try await database.loaded(account))
        #expect(loaded.tail == (1...3).map { Sample.entry(account, $0) })
        #expect(await database.commit(.append(Sample.entry(account, 4))).fault == nil)
        #expect(await database.commit(.append(Sample.entry(account, 4))).fault == .conflict(.revision))
        #expect(database.nextAccountID().rawValue == 2)
        await database.closed()
    }

    @Test func `identity, generation, secret and epochs survive a restart and differ between databases`() async throws {
        let first = try Database.test(folder)
        let kept = (first.storeID, first.generation, first.secret, first.epoch(of: Sample.record(account)))
        await first.closed()
        let again = try Database.test(folder)
        #expect((again.storeID, again.generation, again.secret) == (kept.0, kept.1, kept.2))
        #expect(again.epoch(of: Sample.record(account)) == kept.3)
        #expect(again.epoch(of: Sample.record(Sample.account(2))) != kept.3)
        await again.closed()
        let elsewhere = try Folder()
        let other = try Database.test(elsewhere)
        #expect(other.storeID != kept.0)
        #expect(other.generation != kept.1)
        #expect(other.secret != kept.2)
        #expect(other.epoch(of: Sample.record(account)) != kept.3)
        await other.closed()
    }

    @Test func `a second opening names the process that holds it, and the first goes on`() async throws {
        let database = try Database.test(folder)
        let fault = #expect(throws: StorageFault.self) { _ = try Database.test(folder) }
        #expect(fault == .locked(path: folder.database, holder: "process \(getpid())"))
        #expect(await database.commit(.createAccount(Sample.record(account))).fault == nil)
        await database.closed()
        let again = try Database.test(folder)
        await again.closed()
    }

    @Test func `what a stopped process left in the write-ahead log is there`() async throws {
        try await prepareUnclean()
        let database = try Database.test(folder, mode: .existing)
        #expect(try await database.loaded(account)?.head == 3)
        #expect(try await database.loaded(account)?.sessions.count == 1)
        await database.closed()
    }

    // MARK: Refusals

    @Test func `no database where one must exist`() throws {
        try expectRefusal("there is no database", mode: .existing)
        #expect(folder.names == [])
    }

    @Test func `another model`() async throws {
        try await prepare()
        let before = try folder.read("store.sqlite")
        let fault = #expect(throws: StorageFault.self) { _ = try Database.test(folder, model: "shop") }
        #expect(fault == .otherModel(path: folder.database, stored: "counter", wanted: "shop"))
        #expect(try folder.read("store.sqlite") == before)
    }

    @Test func `a folder`() throws {
        let fault = #expect(throws: StorageFault.self) {
            _ = try Database.open(path: folder.path, model: "counter", mode: .createIfNew)
        }
        #expect(fault == .refused(path: folder.path, reason: "it is a folder"))
    }

    @Test func `a path that cannot be written`() {
        let fault = #expect(throws: StorageFault.self) {
            _ = try Database.open(path: "\(folder.path)/missing/store.sqlite", model: "counter", mode: .createIfNew)
        }
        guard case .refused(_, let reason) = fault else { Issue.record("not refused"); return }
        #expect(reason.contains("No such file or directory"))
    }

    @Test func `a file that is no database`() throws {
        try folder.write(
            Array("hello, this is a text, and a long one at that, so that there are a hundred bytes to look at, at least".utf8),
            to: "store.sqlite")
        try expectRefusal("not an SQLite database")
    }

    @Test func `an emptied file, with and without its write-ahead log`() async throws {
        try await prepareUnclean()
        try folder.write([], to: "store.sqlite")
        try expectRefusal("the file is empty")
        try folder.remove("store.sqlite-wal")
        try expectRefusal("the file is empty")
    }

    @Test func `a file that is gone, while its mark or its log is there`() async throws {
        try await prepareUnclean()
        try folder.remove("store.sqlite")
        try expectRefusal("says there was one")
        try folder.remove("store.sqlite.mark")
        try expectRefusal("its write-ahead log")
        try expectRefusal("no database", mode: .existing)
    }

    @Test func `a foreign database`() async throws {
        do {
            let connection = try Connection(path: folder.database, access: .create)
            try connection.execute("PRAGMA application_id = 7; CREATE TABLE t (x INTEGER)")
        }
        try expectRefusal("of another application (application_id 7)")
    }

    @Test func `a newer schema`() async throws {
        try await prepare()
        do {
            let connection = try Connection(path: folder.database, access: .readWrite)
            try connection.execute("PRAGMA user_version = 1000")
        }
        try expectRefusal("written by a newer version")
    }

    @Test func `a newer schema that is only in the write-ahead log`() async throws {
        try await prepare()
        do {
            let connection = try Connection(path: folder.database, access: .readWrite)
            try connection.setUpAsWriter()
            try connection.leaveLogOnClose(true)
            try connection.execute("PRAGMA user_version = 1000")
        }
        try expectRefusal("written by a newer version")
    }

    @Test func `a file that is cut off`() async throws {
        try await prepare()
        let bytes = try folder.read("store.sqlite")
        try folder.write(Array(bytes.dropLast(4_096)), to: "store.sqlite")
        try expectRefusal("cut off")
        try folder.write(Array(bytes.prefix(50)), to: "store.sqlite")
        try expectRefusal("not an SQLite database")
    }

    @Test func `a torn page after an unclean stop`() async throws {
        try await prepareUnclean()
        var bytes = try folder.read("store.sqlite")
        // A page the write-ahead log does not mend: the last one.
        for index in bytes.count - 4_096..<bytes.count { bytes[index] = 0xAA }
        try folder.write(bytes, to: "store.sqlite")
        let fault = #expect(throws: StorageFault.self) { _ = try Database.test(folder) }
        guard case .refused(_, let reason) = fault else { Issue.record("not refused"); return }
        #expect(reason.contains("damaged"))
    }

    @Test func `a mark that is missing, damaged, or of another database`() async throws {
        try await prepare()
        let mark = try folder.read("store.sqlite.mark")
        try folder.remove("store.sqlite.mark")
        try expectRefusal("store.sqlite.mark is missing")
        try folder.write(Array("nothing".utf8), to: "store.sqlite.mark")
        try expectRefusal("store.sqlite.mark is damaged")
        var foreign = mark
        foreign[20] ^= 1
        try folder.write(foreign, to: "store.sqlite.mark")
        try expectRefusal("another database than the one")
        try folder.write(mark, to: "store.sqlite.mark")
        let database = try Database.test(folder)
        await database.closed()
    }

    @Test func `one of the two marks may be torn`() async throws {
        try await prepare()
        for sector in [1, 2] {
            var mark = try folder.read("store.sqlite.mark")
            mark[sector * HighWater.sectorBytes] ^= 1
            try folder.write(mark, to: "store.sqlite.mark")
            let database = try Database.test(folder)
            #expect(try await database.loaded(account)?.head == 3)
            await database.closed()
        }
    }

    // MARK: Lost commits

    @Test func `a write-ahead log that is gone, cut or damaged is noticed`() async throws {
        try await prepareUnclean()
        let log = try folder.read("store.sqlite-wal")
        try folder.remove("store.sqlite-wal")
        try expectRefusal("acknowledged commits are missing (3 log entries)")
        // The last transaction is a session's; its frames are the last.
        try folder.write(Array(log.dropLast(100)), to: "store.sqlite-wal")
        try expectRefusal("acknowledged commits are missing (accounts or sessions)")
        var flipped = log
        flipped[log.count / 3] ^= 0x40
        try folder.write(flipped, to: "store.sqlite-wal")
        try expectRefusal("acknowledged commits are missing")
        try folder.write(log, to: "store.sqlite-wal")
        let database = try Database.test(folder)
        #expect(try await database.loaded(account)?.head == 3)
        await database.closed()
    }

    @Test func `an accepted loss starts a new generation and reuses no number`() async throws {
        try await prepareUnclean()
        let before = try folder.read("store.sqlite-wal")
        try folder.write(Array(before.prefix(32)), to: "store.sqlite-wal")
        let database = try Database.test(folder) { $0.acceptLoss = true }
        #expect(try await database.loaded(account) == nil)
        #expect(database.nextAccountID().rawValue == 2)
        #expect(database.nextSessionID() == 2)
        let generation = database.generation
        await database.closed()
        let again = try Database.test(folder)
        #expect(again.generation == generation)
        await again.closed()
    }

    // MARK: Creation that was cut off

    @Test func `a creation cut off before its last step is ended, an earlier one begins anew`() async throws {
        do {
            let database = try Database.test(folder)
            await database.closed()
        }
        try File.rename(folder.database, to: folder.database + ".new")
        let database = try Database.test(folder)
        let id = database.storeID
        await database.closed()
        #expect(folder.names == ["store.sqlite", "store.sqlite.lock", "store.sqlite.mark"])

        try folder.remove("store.sqlite")
        try folder.remove("store.sqlite.mark")
        try folder.write([1, 2, 3], to: "store.sqlite.new")
        let anew = try Database.test(folder)
        #expect(anew.storeID != id)
        await anew.closed()
        #expect(folder.names == ["store.sqlite", "store.sqlite.lock", "store.sqlite.mark"])
    }

    @Test func `a database in use is not taken for a creation that was cut off`() async throws {
        try await prepare()
        try File.rename(folder.database, to: folder.database + ".new")
        try expectRefusal("says there was one")
    }
}
