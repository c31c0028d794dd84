internal import SQLite

/// The tables of a database file, and the steps from each older version.
enum Schema {
    /// `PRAGMA application_id`: "stor".
    static let applicationID: Int64 = 0x7374_6F72

    /// `PRAGMA user_version`: raised with each step in `migrations`.
    static let version: Int64 = 3

    /// Under n: the step from version n to n + 1.
    static let migrations: [Int64: Step] = [
        // Rows outside the log get a hash of their own (`RowSum`). Those that are there have none until they are next written.
        1: Step(
            sql: ["account", "session", "outbox", "idempotency", "postponed"]
                .map { "ALTER TABLE \($0) ADD COLUMN sum BLOB" }.joined(separator: "; ")),
        // The log's index becomes a table of its own, which may lag behind. Its rows are stored in the very form they had in the index, so
        // it is enough to call it a table: nothing is copied, however long the log is.
        2: Step(
            sql: """
                ALTER TABLE log ADD COLUMN place_sum INTEGER;
                INSERT INTO meta (key, value) SELECT key, through FROM (SELECT ifnull(MAX(seq), 0) AS through FROM log)
                CROSS JOIN (SELECT '\(Meta.Key.indexed)' AS key UNION ALL SELECT '\(Meta.Key.indexedAgain)');
                UPDATE sqlite_schema SET type = 'table', name = 'log_index', tbl_name = 'log_index', sql = '\(logIndex)'
                WHERE type = 'index' AND name = 'log_account'
                """,
            rewritesSchema: true),
    ]

    /// The way from one version to the next.
    struct Step {
        let sql: String
        /// It changes `sqlite_schema` itself: one row, last.
        var rewritesSchema = false

        /// Takes it, in one transaction together with the new version number.
        func run(on connection: Connection, to version: Int64) throws(SQLiteError) {
            func body() throws(SQLiteError) {
                try connection.execute(sql)
                guard !rewritesSchema || connection.changes == 1 else {
                    throw SQLiteError(extended: 11, message: "its tables are not those of its version", operation: "migration")
                }
                try connection.execute("PRAGMA user_version = \(version)")
            }
            if rewritesSchema { try connection.rewritingSchema(body) } else { try connection.transaction(body) }
        }
    }

    /// Where each entry of an account stands in the log; `Meta.Key.indexed` says how much of it is in here.
    private static let logIndex = """
        CREATE TABLE log_index (account INTEGER NOT NULL, revision INTEGER NOT NULL, seq INTEGER NOT NULL, \
        PRIMARY KEY (account, revision)) STRICT, WITHOUT ROWID
        """

    /// Makes the tables of the newest version in an empty file.
    static func create(on connection: Connection) throws(SQLiteError) {
        // Before anything is written; cannot be changed later.
        try connection.set("page_size", to: "4096", reading: "4096")
        try connection.setUpAsWriter()
        try connection.transaction { () throws(SQLiteError) in
            try connection.execute("PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
            try connection.execute(tables)
        }
    }

    /// The log is one table in the order of commits, so that a batch over many accounts writes few pages. `log_index` finds an account's part,
    /// but for what was written last (`RecentLog`). `place_sum` is NULL in entries from before schema version 3.
    ///
    /// Payloads are blobs: bytes come back exactly as they were written. `id_high` and `id_low` are the two halves of the action's id.
    private static let tables = """
        CREATE TABLE meta (key TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;

        CREATE TABLE account (
            id INTEGER PRIMARY KEY, created INTEGER NOT NULL, epoch_part INTEGER NOT NULL,
            email TEXT UNIQUE, password_hash BLOB, profile BLOB, sum BLOB) STRICT;

        CREATE TABLE session (
            id INTEGER PRIMARY KEY, account INTEGER NOT NULL, token_hash BLOB NOT NULL, created INTEGER NOT NULL,
            expires INTEGER, sum BLOB) STRICT;
        CREATE INDEX session_account ON session(account);
        CREATE INDEX session_expires ON session(expires) WHERE expires IS NOT NULL;

        CREATE TABLE log (
            seq INTEGER PRIMARY KEY, account INTEGER NOT NULL, revision INTEGER NOT NULL, at INTEGER NOT NULL,
            id_high INTEGER NOT NULL, id_low INTEGER NOT NULL, name TEXT NOT NULL, version INTEGER NOT NULL, cause INTEGER,
            flags INTEGER NOT NULL, payload BLOB NOT NULL, facts BLOB, trace BLOB, chain BLOB NOT NULL, place_sum INTEGER) STRICT;
        \(logIndex);
        INSERT INTO meta (key, value) VALUES ('\(Meta.Key.indexed)', 0), ('\(Meta.Key.indexedAgain)', 0);

        CREATE TABLE snapshot (
            account INTEGER NOT NULL, revision INTEGER NOT NULL, is_base INTEGER NOT NULL, reducer_version INTEGER NOT NULL,
            schema BLOB NOT NULL, state BLOB NOT NULL, chain BLOB NOT NULL, hash BLOB NOT NULL,
            PRIMARY KEY (account, revision)) STRICT;

        CREATE TABLE outbox (
            account INTEGER NOT NULL, revision INTEGER NOT NULL, ordinal INTEGER NOT NULL, kind TEXT NOT NULL, key TEXT,
            due INTEGER NOT NULL, attempt INTEGER NOT NULL, dead TEXT, payload BLOB NOT NULL, sum BLOB,
            PRIMARY KEY (account, revision, ordinal)) STRICT, WITHOUT ROWID;
        CREATE INDEX outbox_due ON outbox(due, account, revision, ordinal) WHERE dead IS NULL;
        CREATE UNIQUE INDEX outbox_key ON outbox(account, key) WHERE key IS NOT NULL;

        CREATE TABLE idempotency (
            account INTEGER NOT NULL, key TEXT NOT NULL, at INTEGER NOT NULL, fingerprint BLOB NOT NULL, status INTEGER NOT NULL,
            head BLOB NOT NULL, body BLOB NOT NULL, sum BLOB, PRIMARY KEY (account, key)) STRICT;
        CREATE INDEX idempotency_at ON idempotency(at);

        CREATE TABLE postponed (
            id INTEGER PRIMARY KEY, account INTEGER NOT NULL, tag TEXT NOT NULL, at INTEGER NOT NULL, body BLOB NOT NULL,
            sum BLOB) STRICT;
        CREATE INDEX postponed_account ON postponed(account, tag, id);
        """
}

/// The few values a database keeps about itself.
struct Meta: Sendable {
    static let storeIDBytes = 16
    static let secretBytes = 32

    var storeID: [UInt8]
    var generation: UInt64
    var secret: [UInt8]
    var model: String
    /// The furthest the counters had come when they were last stored; rows may be beyond.
    var progress = Progress()

    /// Names of the rows.
    enum Key {
        static let storeID = "store_id"
        static let generation = "generation"
        static let secret = "secret"
        static let model = "model"
        static let sequence = "sequence_high"
        static let account = "account_high"
        static let session = "session_high"
        /// Entries of the log up to this number are all in its index.
        static let indexed = "indexed_through"
        /// The same once more: of two that differ one is damaged.
        static let indexedAgain = "indexed_through_again"
    }

    /// Reads them; nil where one is missing or has another form.
    init?(from connection: Connection) throws(SQLiteError) {
        let blob = try Statement(connection, "SELECT value FROM meta WHERE key = ?")
        func bytes(_ key: String) throws(SQLiteError) -> [UInt8]? {
            try blob.bind(1, key)
            return try blob.first { row in row.bytes(0) }
        }
        func integer(_ key: String) throws(SQLiteError) -> Int64? {
            try blob.bind(1, key)
            return try blob.first { row in row.integer(0) }
        }
        guard let storeID = try bytes(Key.storeID), storeID.count == Self.storeIDBytes,
            let generation = try integer(Key.generation),
            let secret = try bytes(Key.secret), secret.count == Self.secretBytes, let model = try bytes(Key.model)
        else { return nil }
        self.storeID = storeID
        self.generation = UInt64(bitPattern: generation)
        self.secret = secret
        self.model = String(decoding: model, as: UTF8.self)
        progress.sequence = try integer(Key.sequence) ?? 0
        progress.account = try integer(Key.account) ?? 0
        progress.session = try integer(Key.session) ?? 0
    }

    init(storeID: [UInt8], generation: UInt64, secret: [UInt8], model: String) {
        self.storeID = storeID
        self.generation = generation
        self.secret = secret
        self.model = model
    }

    /// Writes all of them, inside the caller's transaction.
    func store(on connection: Connection) throws(SQLiteError) {
        let put = try Statement(connection, "INSERT OR REPLACE INTO meta (key, value) VALUES (?, ?)")
        func store(_ key: String, _ value: [UInt8]) throws(SQLiteError) {
            try put.bind(1, key)
            try put.bind(2, value)
            try put.run()
        }
        func store(_ key: String, _ value: Int64) throws(SQLiteError) {
            try put.bind(1, key)
            try put.bind(2, value)
            try put.run()
        }
        try store(Key.storeID, storeID)
        try store(Key.generation, Int64(bitPattern: generation))
        try store(Key.secret, secret)
        try store(Key.model, Array(model.utf8))
        try store(Key.sequence, progress.sequence)
        try store(Key.account, progress.account)
        try store(Key.session, progress.session)
    }

    /// How far the database really is: what is stored about it, or its rows, whichever is further.
    static func progress(on connection: Connection, stored: Progress) throws(SQLiteError) -> Progress {
        func highest(_ sql: String) throws(SQLiteError) -> Int64 {
            try Statement(connection, sql).first { row in row.integer(0) } ?? 0
        }
        return Progress(
            sequence: max(stored.sequence, try highest("SELECT MAX(seq) FROM log")),
            account: max(stored.account, try highest("SELECT MAX(id) FROM account")),
            session: max(stored.session, try highest("SELECT MAX(id) FROM session")))
    }
}
