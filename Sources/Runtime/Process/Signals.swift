internal import Dispatch
internal import Glibc
internal import Synchronization

/// The signals a service answers to.
public enum Signal: Int32, Sendable, CaseIterable {
    /// End in order (SIGTERM).
    case terminate = 15
    /// Ctrl-C (SIGINT).
    case interrupt = 2
    /// Read the configuration anew (SIGHUP).
    case hangup = 1

    /// As signal(7) spells it, such as `SIGTERM`.
    public var name: String {
        switch self {
        case .terminate: "SIGTERM"
        case .interrupt: "SIGINT"
        case .hangup: "SIGHUP"
        }
    }
}

/// Watches signals: once it is made they do not end the process but are handed to `handler`, until `cancel` or its end.
public final class SignalWatch {
    private let sources: [any DispatchSourceSignal]

    /// `handler` runs on `queue`, once per delivery the kernel makes (pending signals of one kind count once).
    ///
    /// Returns once the signals are watched: one that comes later is not lost. Not to be called on `queue` itself.
    public init(_ signals: [Signal], on queue: SerialQueue, _ handler: @escaping @Sendable (Signal) -> Void) {
        let unregistered = DispatchGroup()
        sources = signals.map { signal in
            let source = DispatchSource.makeSignalSource(signal: signal.rawValue, queue: queue.queue)
            source.setEventHandler { handler(signal) }
            // Until Dispatch has registered the source, on a thread of its own, the signal does what it always did. Ignoring it first would lose it in that
            // time, and a signal watched a second time for good: Dispatch sets its own disposition once.
            unregistered.enter()
            source.setRegistrationHandler { unregistered.leave() }
            source.activate()
            return source
        }
        unregistered.wait()
    }

    private static let kept = Mutex<[SignalWatch]>([])

    /// Watches signals for the rest of the process's life.
    public static func forever(_ signals: [Signal], on queue: SerialQueue, _ handler: @escaping @Sendable (Signal) -> Void) {
        kept.withLock { $0.append(SignalWatch(signals, on: queue, handler)) }
    }

    deinit { cancel() }

    /// Stops watching. What the signals do from then on is Dispatch's affair: for the end of a process, and for tests.
    public func cancel() {
        for source in sources { source.cancel() }
    }

    /// Ignores SIGPIPE for the process: writing to a peer that is gone is an error of that write, wherever it happens.
    public static func ignorePipe() {
        _ = Glibc.signal(SIGPIPE, SIG_IGN)
    }
}
