internal import Dispatch
internal import Glibc

/// What the process was given, and how it ends.
package enum ThisProcess {
    /// Why a process ends, as its exit status (sysexits.h).
    package enum ExitCode: Int32, Sendable {
        case success = 0
        case failure = 1
        case usage = 64
        case configuration = 78
    }

    /// The environment's variables, read once at the call.
    package static var environment: [String: String] {
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
    package static var executablePath: String? {
        unsafe withUnsafeTemporaryAllocation(byteCount: Int(PATH_MAX), alignment: 1) { buffer in
            guard let start = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self) else { return nil }
            let count = unsafe readlink("/proc/self/exe", start, buffer.count)
            return count > 0 ? unsafe String(decoding: UnsafeRawBufferPointer(buffer)[..<count], as: UTF8.self) : nil
        }
    }

    /// Writes a line for people to standard error.
    package static func say(_ line: String) { write(line + "\n", to: STDERR_FILENO) }

    /// Writes text to standard output.
    package static func print(_ text: String) { write(text, to: STDOUT_FILENO) }

    /// Ends the process.
    package static func exit(_ code: ExitCode) -> Never { Glibc.exit(code.rawValue) }

    /// Leaves the main thread to Dispatch: what goes on from here is on queues.
    package static func waitForever() -> Never { dispatchMain() }

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
