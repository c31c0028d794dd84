internal import Dispatch
internal import Glibc

/// What the process was given, and how it ends.
public enum ThisProcess {
    /// Why a process ends, as its exit status (sysexits.h).
    public enum ExitCode: Int32, Sendable, CaseIterable {
        case success = 0
        case failure = 1
        case usage = 64
        /// Nothing can be stored any more (EX_IOERR): to be started anew.
        case storage = 74
        case configuration = 78

        /// In two or three words, for help.
        public var meaning: String {
            switch self {
            case .success: "done"
            case .failure: "failure"
            case .usage: "wrong usage"
            case .storage: "storage failed, start again"
            case .configuration: "wrong configuration"
            }
        }
    }

    /// The environment's variables, read once at the call.
    public static var environment: [String: String] {
        var variables: [String: String] = [:]
        // The list and its strings belong to the process; nobody changes them, since nothing here calls setenv.
        var entry = unsafe environ
        while let text = unsafe entry.pointee {
            let line = unsafe String(cString: text)
            if let equals = line.firstIndex(of: "=") {
                variables[String(line[..<equals])] = String(line[line.index(after: equals)...])
            }
            unsafe entry += 1
        }
        return variables
    }

    /// The path of the running program, links resolved; nil where the system does not say.
    public static var executablePath: String? {
        unsafe withUnsafeTemporaryAllocation(byteCount: Int(PATH_MAX), alignment: 1) { buffer in
            guard let start = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self) else { return nil }
            let count = unsafe readlink("/proc/self/exe", start, buffer.count)
            return count > 0 ? unsafe String(decoding: UnsafeRawBufferPointer(buffer)[..<count], as: UTF8.self) : nil
        }
    }

    /// Writes a line for people to standard error.
    public static func say(_ line: String) { write(line + "\n", to: STDERR_FILENO) }

    /// The same without the line's end.
    public static func sayPart(_ text: String) { write(text, to: STDERR_FILENO) }

    /// Whether a person sees standard output as it is written.
    public static var standardOutputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Whether a person sees standard error as it is written.
    public static var standardErrorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }

    /// Lets time pass, on the calling thread. For commands; never on a loop or a queue.
    public static func pause(milliseconds: Int64) {
        let start = TimeSource.system.monotonic()
        var left = milliseconds
        // A signal cuts a pause short.
        while left > 0 {
            var time = timespec(tv_sec: Int(left / 1000), tv_nsec: Int(left % 1000) * 1_000_000)
            _ = unsafe nanosleep(&time, nil)
            left = milliseconds - Int64(TimeSource.system.monotonic().nanoseconds(since: start) / 1_000_000)
        }
    }

    /// Writes text to standard output.
    public static func print(_ text: String) { write(text, to: STDOUT_FILENO) }

    /// Writes bytes to standard output; throws where they were not all taken.
    public static func emit(_ bytes: [UInt8]) throws(SystemError) {
        var written = 0
        while written < bytes.count {
            let from = written
            written += try System.checked("write") {
                unsafe bytes.withUnsafeBytes { buffer in
                    unsafe Glibc.write(STDOUT_FILENO, buffer.baseAddress! + from, bytes.count - from)
                }
            }
        }
    }

    /// Ends the process.
    public static func exit(_ code: ExitCode) -> Never { Glibc.exit(code.rawValue) }

    /// Leaves the main thread to Dispatch: what goes on from here is on queues.
    public static func waitForever() -> Never { dispatchMain() }

    private static func write(_ text: String, to descriptor: Int32) {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            // Whoever was to read it has gone; there is nobody left to tell.
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }
}
