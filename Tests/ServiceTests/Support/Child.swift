import Foundation
import Synchronization

/// A spawned process of the binary: what it says on standard error and how it ends, each waited for with a deadline.
struct Child {
    /// How long a start or an end may take before the test fails. Generous: it only bounds a failure.
    static let stepSecondsMax = 30

    private let process: Process
    private let watch: Watch

    /// What the process says and how it ends, as the threads that hear of it tell the waiting test.
    private final class Watch: Sendable {
        private struct Heard {
            var bytes = Data()
            var isSilent = false
            var end: Service.End?
        }

        private let heard = Mutex(Heard())
        private let news = DispatchSemaphore(value: 0)

        /// Decoded as a whole: a character may come in two pieces.
        var said: String { String(decoding: heard.withLock(\.bytes), as: UTF8.self) }
        var end: Service.End? { heard.withLock(\.end) }
        /// Nothing more will be said.
        var isSilent: Bool { heard.withLock(\.isSilent) }

        func hear(_ data: Data) {
            heard.withLock { $0.bytes += data }
            news.signal()
        }

        func hearNothingMore() {
            heard.withLock { $0.isSilent = true }
            news.signal()
        }

        func end(_ end: Service.End) {
            heard.withLock { $0.end = end }
            news.signal()
        }

        /// Waits until `answer` is not nil; nil at the deadline, or where it can no longer become anything else.
        func wait<Answer>(until deadline: DispatchTime, _ answer: (Watch) -> Answer?) -> Answer? {
            while true {
                // Looked at first, so that what came just before the end is still seen.
                let isOver = isSilent && end != nil
                if let answer = answer(self) { return answer }
                if isOver || news.wait(timeout: deadline) == .timedOut { return nil }
            }
        }
    }

    /// Spawns the binary with nothing on standard input, from the checkout's top level.
    init(_ arguments: [String], environment: [String: String] = [:]) throws {
        let process = Process()
        let output = Pipe()
        process.executableURL = Service.binary
        process.currentDirectoryURL = Service.checkout
        process.arguments = arguments
        process.environment = ["PATH": "/usr/bin:/bin"].merging(environment) { _, given in given }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        let watch = Watch()
        process.terminationHandler = { process in
            watch.end(process.terminationReason == .exit ? .exit(process.terminationStatus) : .signal(process.terminationStatus))
        }
        try process.run()

        let reading = output.fileHandleForReading
        // A thread, not a readability handler: it must go on until the pipe's end, whatever the test does, or the service would block.
        Thread.detachNewThread {
            while case let data = reading.availableData, !data.isEmpty { watch.hear(data) }
            watch.hearNothingMore()
        }
        self.process = process
        self.watch = watch
    }

    var processID: Int32 { process.processIdentifier }

    /// All that the process has said so far.
    var said: String { watch.said }

    /// Waits until what the process said matches; nil where it ended or the deadline passed before.
    func waitUntilSaid<Output>(_ pattern: Regex<Output>) -> Output? {
        watch.wait(until: Self.deadline) { try? pattern.firstMatch(in: $0.said)?.output }
    }

    /// Waits for the process's end, and for the last it said; nil at the deadline.
    func waitUntilEnded() -> Service.End? {
        watch.wait(until: Self.deadline) { $0.isSilent ? $0.end : nil }
    }

    private static var deadline: DispatchTime { .now() + .seconds(stepSecondsMax) }

    /// Sends a signal, unless the process has ended.
    func kill(_ signal: Int32) {
        guard watch.end == nil else { return }
        Foundation.kill(process.processIdentifier, signal)
    }
}
