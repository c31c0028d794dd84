import Testing

@testable import SQLite

@Suite struct ConnectionTests {
    @Test func `a missing file is an error unless it is to be made`() throws {
        let folder = try Folder()
        let error = #expect(throws: SQLiteError.self) { _ = try Connection(path: folder.database, access: .readWrite) }
        #expect(error?.kind == .cannotOpen)
        #expect(folder.names == [])
        _ = try Connection(path: folder.database, access: .create)
    }

    @Test func `the writer's settings read back as they must`() throws {
        let folder = try Folder()
        let connection = try Connection(path: folder.database, access: .create)
        try connection.setUpAsWriter()
        #expect(try connection.pragma("synchronous") == "2")
        #expect(try connection.pragma("journal_mode") == "wal")
        #expect(try connection.pragma("wal_autocheckpoint") == "0")
        #expect(try connection.pragma("cell_size_check") == "1")
        #expect(try connection.pragma("trusted_schema") == "0")
        #expect(try connection.pragma("temp_store") == "2")
        #expect(try connection.pragma("busy_timeout") == "5000")
    }

    @Test func `a setting that does not take is refused`() throws {
        let folder = try Folder()
        let connection = try Connection(path: folder.database, access: .create)
        let error = #expect(throws: SQLiteError.self) { try connection.set("journal_mode", to: "MEMORY", reading: "wal") }
        #expect(error?.message == "reads back as memory instead of wal")
    }

    @Test func `a database in memory cannot have the durable settings`() throws {
        let connection = try Connection(path: ":memory:", access: .create)
        #expect(throws: SQLiteError.self) { try connection.setUpAsWriter() }
    }

    @Test func `a reader cannot write`() throws {
        let folder = try Folder()
        let writer = try Connection(path: folder.database, access: .create)
        try writer.setUpAsWriter()
        try writer.execute("CREATE TABLE t (x INTEGER) STRICT")
        let reader = try Connection(path: folder.database, access: .readOnly)
        try reader.setUpAsReader()
        let error = #expect(throws: SQLiteError.self) { try reader.execute("INSERT INTO t VALUES (1)") }
        #expect(error?.kind == .readOnly)
    }

    @Test func `every kind of value comes back as it was`() throws {
        let connection = try Connection(path: ":memory:", access: .create)
        try connection.execute("CREATE TABLE t (i INTEGER, s TEXT, b BLOB) STRICT")
        let insert = try Statement(connection, "INSERT INTO t VALUES (?, ?, ?)")
        let select = try Statement(connection, "SELECT i, s, b FROM t")
        let clear = try Statement(connection, "DELETE FROM t")
        let integers: [Int64?] = [.min, -1, 0, .max, nil]
        let texts: [String?] = ["", "a\0b", "Ünïcødé 🧺", String(repeating: "x", count: 100_000), nil]
        let blobs: [[UInt8]?] = [[], [0], Array(0...255), [UInt8](repeating: 7, count: 100_000), nil]
        for index in integers.indices {
            try insert.bind(1, integers[index])
            try insert.bind(2, texts[index])
            try insert.bind(3, blobs[index])
            try insert.run()
            let row = try #require(try select.first { row in (row.optionalInteger(0), row.text(1), row.optionalBytes(2)) })
            #expect(row.0 == integers[index])
            #expect(row.1 == texts[index])
            #expect(row.2 == blobs[index])
            #expect(try select.first { row in row.withBytes(2) { $0.count } } == blobs[index]?.count ?? 0)
            try clear.run()
        }
    }

    @Test func `a failed statement can be run again`() throws {
        let connection = try Connection(path: ":memory:", access: .create)
        try connection.execute("CREATE TABLE t (i INTEGER PRIMARY KEY) STRICT")
        let insert = try Statement(connection, "INSERT INTO t VALUES (?)")
        try insert.bind(1, 1)
        try insert.run()
        let error = #expect(throws: SQLiteError.self) { try insert.run() }
        #expect(error?.kind == .constraint)
        try insert.bind(1, 2)
        try insert.run()
        #expect(connection.changes == 1)
    }

    @Test func `reading stops where the reader says so, and leaves no transaction open`() throws {
        let folder = try Folder()
        let connection = try Connection(path: folder.database, access: .create)
        try connection.setUpAsWriter()
        try connection.execute("CREATE TABLE t (i INTEGER) STRICT; INSERT INTO t VALUES (1), (2), (3)")
        let select = try Statement(connection, "SELECT i FROM t")
        var seen: [Int64] = []
        try select.forEach { row in
            seen.append(row.integer(0))
            return seen.count < 2
        }
        #expect(seen == [1, 2])
        #expect(try select.all { row in row.integer(0) } == [1, 2, 3])
        #expect(try connection.checkpoint(.truncate).isComplete)
    }

    @Test func `an error in a transaction takes back all of it`() throws {
        let connection = try Connection(path: ":memory:", access: .create)
        try connection.execute("CREATE TABLE t (i INTEGER PRIMARY KEY) STRICT")
        #expect(throws: SQLiteError.self) {
            try connection.transaction { () throws(SQLiteError) in
                try connection.execute("INSERT INTO t VALUES (1)")
                try connection.execute("INSERT INTO t VALUES (1)")
            }
        }
        #expect(!connection.isInTransaction)
        #expect(try Statement(connection, "SELECT COUNT(*) FROM t").first { row in row.integer(0) } == 0)
    }

    @Test func `an abandoned transaction leaves nothing`() throws {
        let connection = try Connection(path: ":memory:", access: .create)
        try connection.execute("CREATE TABLE t (i INTEGER) STRICT")
        let transaction = try TransactionStatements(connection)
        try transaction.write()
        try connection.execute("INSERT INTO t VALUES (1)")
        transaction.abandon()
        transaction.abandon()
        try transaction.write()
        try transaction.end()
        #expect(try Statement(connection, "SELECT COUNT(*) FROM t").first { row in row.integer(0) } == 0)
    }

    @Test func `codes become kinds`() {
        func kind(_ extended: Int32) -> SQLiteError.Kind { SQLiteError(extended: extended, message: "", operation: "").kind }
        #expect(kind(13) == .full)
        #expect(kind(1034) == .ioError(ofSync: true))
        #expect(kind(1290) == .ioError(ofSync: true))
        #expect(kind(266) == .ioError(ofSync: false))
        #expect(kind(517) == .busy)
        #expect(kind(267) == .corrupt)
        #expect(kind(26) == .notADatabase)
        #expect(kind(2067) == .constraint)
        #expect(kind(1032) == .readOnly)
        #expect(kind(14) == .cannotOpen)
        #expect(kind(7) == .noMemory)
        #expect(kind(1) == .other)
    }

    @Test func `an error names the beginning of its statement only`() throws {
        let connection = try Connection(path: ":memory:", access: .create)
        let error = #expect(throws: SQLiteError.self) { try connection.execute("NONSENSE " + String(repeating: "x", count: 500)) }
        #expect(error?.operation.count == Connection.operationCharactersMax)
    }

    @Test(
        arguments: [
            (3_006_023, false), (3_007_000, true), (3_040_001, true), (3_044_005, true), (3_044_006, false), (3_045_000, true),
            (3_050_006, true), (3_050_007, false), (3_051_002, true), (3_051_003, false), (3_053_000, false),
        ] as [(Int32, Bool)])
    func `versions with the log reset bug are known`(version: Int32, hasBug: Bool) {
        #expect(SQLiteLibrary.hasWALResetBug(versionNumber: version) == hasBug)
    }
}
