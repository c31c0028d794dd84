internal import CLinux
internal import Glibc

/// What moving bytes through a descriptor came to.
public enum Transfer: Hashable, Sendable {
    /// So many bytes were moved, at least 1.
    case count(Int)
    /// Nothing can be moved now; wait for readiness.
    case wouldBlock
    /// The other side has finished sending (reading only).
    case end
}

/// The one wrapper around system calls.
///
/// EINTR is retried; would-block is a value; EBADF and EFAULT are bugs of ours and trap; all else is a `SystemError`.
public enum System {
    /// Calls `body` until it is not interrupted; nil where it would block.
    @inline(__always)
    static func retrying(_ call: StaticString, _ body: () -> Int) throws(SystemError) -> Int? {
        while true {
            let result = body()
            if result >= 0 { return result }
            let code = errno
            switch code {
            case EINTR: continue
            case EAGAIN: return nil
            case EBADF, EFAULT: fatalError("\(call): errno \(code) is a bug of ours")
            default: throw SystemError(call: "\(call)", code: code)
            }
        }
    }

    /// As `retrying`, for calls on descriptors that cannot block: EAGAIN is an error like any other.
    @inline(__always)
    @discardableResult
    static func checked(_ call: StaticString, _ body: () -> Int) throws(SystemError) -> Int {
        guard let result = try retrying(call, body) else { throw SystemError(call: "\(call)", code: EAGAIN) }
        return result
    }

    /// Closes a descriptor; never retried, because Linux has freed the number even where close(2) reports an error.
    static func close(_ raw: Int32) {
        if Glibc.close(raw) < 0 && errno == EBADF { fatalError("close: the descriptor is not open") }
    }

    /// This process's number.
    public static var processID: Int32 { getpid() }

    /// How many processors may run this process's threads, at least 1.
    public static var processorCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    /// Raises the soft limit of open descriptors to the hard one and returns what then holds.
    @discardableResult
    public static func raiseDescriptorLimit() -> Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        if limit.rlim_cur < limit.rlim_max {
            var raised = limit
            raised.rlim_cur = limit.rlim_max
            if unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 { limit = raised }
        }
        return Int(clamping: limit.rlim_cur)
    }

    /// How many descriptors this process has open now (`/proc/self/fd`), for metrics and leak tests.
    public static var openDescriptorCount: Int {
        guard let directory = unsafe opendir("/proc/self/fd") else { return 0 }
        defer { unsafe closedir(directory) }
        var count = 0
        while unsafe readdir(directory) != nil { count += 1 }
        return count - 3  // ".", ".." and the directory itself
    }
}
