internal import Runtime
internal import SQLite
internal import Synchronization

/// A few read-only connections, each with a thread of its own, and one bounded queue before them all.
final class ReaderPool: Sendable {
    /// Given the connection, or nil once the pool is closed.
    typealias Job = @Sendable (ReadConnection?) -> Void

    private struct State {
        var waiting: [Job] = []
        /// Waiting jobs before this position have been taken.
        var taken = 0
        var idle: [Reader]
        var isClosed = false
        /// Called by the last reader to stop.
        var onStopped: (@Sendable () -> Void)?
        var running: Int

        mutating func next() -> Job? {
            guard taken < waiting.count else { return nil }
            defer {
                taken += 1
                if taken == waiting.count {
                    waiting.removeAll(keepingCapacity: true)
                    taken = 0
                }
            }
            return waiting[taken]
        }
    }

    private let state: Mutex<State>
    private let waitingMax: Int
    /// Where refused callers are told: never inside their own call.
    private let refusals = SerialQueue(label: "storage.refusals")

    init(path: String, recent: RecentLog, count: Int, waitingMax: Int) throws(SQLiteError) {
        precondition(count >= 1, "a pool needs a reader")
        var readers: [Reader] = []
        for index in 0..<count { readers.append(Reader(try ReadConnection(path: path, recent: recent), index: index)) }
        let idle = readers
        state = Mutex(State(idle: idle, running: count))
        self.waitingMax = waitingMax
    }

    /// Runs a read on the next free reader, in the order of asking.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (ReadConnection) -> Result<Value, StorageFault>,
        then: @escaping @Sendable (Result<Value, StorageFault>) -> Void
    ) {
        add { connection in
            then(connection.map(body) ?? .failure(.closed))
        } refused: { fault in
            refusals.execute { then(.failure(fault)) }
        }
    }

    private func add(_ job: @escaping Job, refused: (StorageFault) -> Void) {
        enum Next {
            case wake(Reader)
            case wait
            case refuse(StorageFault)
        }
        let next: Next = state.withLock { state in
            guard !state.isClosed else { return .refuse(.closed) }
            if let reader = state.idle.popLast() { return .wake(reader) }
            guard state.waiting.count - state.taken < waitingMax else { return .refuse(.overloaded) }
            state.waiting.append(job)
            return .wait
        }
        switch next {
        case .wake(let reader): reader.start(job, in: self)
        case .wait: break
        case .refuse(let fault): refused(fault)
        }
    }

    /// The next job for a reader that has finished one; none sends it to rest.
    func next(for reader: Reader) -> Job? {
        state.withLock { state in
            if let job = state.next() { return job }
            if !state.isClosed { state.idle.append(reader) }
            return nil
        }
    }

    /// Whether the pool is closed: a reader that has nothing to do stops then.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Takes in nothing more; `then` is called by the last reader once all that waited is done and every connection is closed.
    func close(then: @escaping @Sendable () -> Void) {
        let idle: [Reader] = state.withLock { state in
            precondition(!state.isClosed, "closed twice")
            state.isClosed = true
            state.onStopped = then
            defer { state.idle = [] }
            return state.idle
        }
        for reader in idle { reader.start({ _ in }, in: self) }
    }

    /// A reader has closed its connection.
    func didStop() {
        let last: (@Sendable () -> Void)? = state.withLock { state in
            state.running -= 1
            return state.running == 0 ? state.onStopped : nil
        }
        last?()
    }
}

/// One read-only connection on a queue of its own.
actor Reader {
    private nonisolated let queue: SerialQueue
    private var connection: ReadConnection?

    init(_ connection: sending ReadConnection, index: Int) {
        queue = SerialQueue(label: "storage.reader.\(index)")
        self.connection = connection
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe queue.asUnownedSerialExecutor() }

    /// Runs a job and then all that waits.
    nonisolated func start(_ job: @escaping ReaderPool.Job, in pool: ReaderPool) {
        queue.execute { [self] in assumeIsolated { $0.run(job, in: pool) } }
    }

    private func run(_ job: ReaderPool.Job, in pool: ReaderPool) {
        job(connection)
        while let job = pool.next(for: self) { job(connection) }
        guard pool.isClosed, connection != nil else { return }
        connection = nil
        pool.didStop()
    }
}
