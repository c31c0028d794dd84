import Testing

@testable import SQLite

@Suite struct MaintenanceTests {
    private func filled(_ folder: Folder, rows: Int) throws -> Connection {
        let connection = try Connection(path: folder.database, access: .create)
        try connection.setUpAsWriter()
        try connection.execute("CREATE TABLE t (i INTEGER PRIMARY KEY, b BLOB NOT NULL) STRICT")
        try connection.transaction { () throws(SQLiteError) in
            for _ in 0..<rows { try connection.execute("INSERT INTO t (b) VALUES (zeroblob(3000))") }
        }
        return connection
    }

    @Test func `frames are counted, and a truncating checkpoint empties the log`() throws {
        let folder = try Folder()
        let connection = try filled(folder, rows: 50)
        #expect(connection.walFrames >= 50)
        let result = try connection.checkpoint(.truncate)
        #expect(result.isComplete)
        #expect(try folder.read("store.sqlite-wal").isEmpty)
    }

    @Test func `a passive checkpoint gets no further than a reader, and waits for nobody`() throws {
        let folder = try Folder()
        let writer = try filled(folder, rows: 5)
        let reader = try Connection(path: folder.database, access: .readOnly)
        try reader.setUpAsReader()
        let transaction = try TransactionStatements(reader)
        let count = try Statement(reader, "SELECT COUNT(*) FROM t")
        try transaction.read()
        #expect(try count.first { row in row.integer(0) } == 5)
        try writer.execute("INSERT INTO t (b) VALUES (zeroblob(3000))")
        let held = try writer.checkpoint(.passive)
        #expect(!held.isComplete)
        #expect(try count.first { row in row.integer(0) } == 5)
        transaction.abandon()
        #expect(try writer.checkpoint(.passive).isComplete)
    }

    @Test func `the log can be left when the connection closes`() throws {
        let folder = try Folder()
        do {
            let connection = try filled(folder, rows: 5)
            try connection.leaveLogOnClose(true)
        }
        #expect(try folder.read("store.sqlite-wal").count > 5 * 4_096)
        do { _ = try Connection(path: folder.database, access: .readWrite).pragma("user_version") }
        #expect(!folder.names.contains("store.sqlite-wal"))
    }

    @Test func `a sound file passes the quick check, a torn page does not`() throws {
        let folder = try Folder()
        do {
            let connection = try filled(folder, rows: 50)
            #expect(try connection.quickCheck() == [])
        }
        var bytes = try folder.read("store.sqlite")
        for index in 5 * 4_096..<6 * 4_096 { bytes[index] = 0xAA }
        try folder.write(bytes, to: "store.sqlite")
        let connection = try Connection(path: folder.database, access: .readOnly)
        let findings = try? connection.quickCheck()
        #expect(findings != [])
    }

    @Test func `a backup in slices takes in what is written meanwhile`() throws {
        let folder = try Folder()
        let source = try filled(folder, rows: 100)
        do {
            let destination = try Connection(path: folder.path + "/copy.sqlite", access: .create)
            let backup = try Backup(from: source, to: destination)
            #expect(try backup.step(pages: 10) == .more)
            #expect(backup.progress.remaining == backup.progress.total - 10)
            try source.execute("UPDATE t SET b = x'01' WHERE i = 1; INSERT INTO t (b) VALUES (x'02')")
            var steps = 0
            while try backup.step(pages: 10) == .more { steps += 1 }
            #expect((1...20).contains(steps))
        }
        let copy = try Connection(path: folder.path + "/copy.sqlite", access: .readWrite)
        #expect(try copy.quickCheck() == [])
        #expect(try Statement(copy, "SELECT COUNT(*) FROM t").first { row in row.integer(0) } == 101)
        #expect(try Statement(copy, "SELECT b FROM t WHERE i = 1").first { row in row.bytes(0) } == [1])
    }
}
