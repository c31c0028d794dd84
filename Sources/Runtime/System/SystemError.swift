internal import Glibc

/// A system call failed: which one, with what error number, and on what.
public struct SystemError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The call's name, such as `bind`.
    public let call: String
    /// The error number (errno(3)).
    public let code: Int32
    /// What the call was about (an address, a path); empty where nothing helps.
    public let subject: String

    /// An error that is about nothing in particular unless `subject` is given; `code` is errno as it stood after the call.
    public init(call: String, code: Int32, subject: String = "") {
        self.call = call
        self.code = code
        self.subject = subject
    }

    /// The same error, saying what it was about.
    public func about(_ subject: String) -> SystemError { SystemError(call: call, code: code, subject: subject) }

    /// The system's words for the error, such as `Address already in use`.
    public var reason: String {
        // strerror is thread-safe in glibc for known numbers; it returns a constant string that is copied at once.
        guard let text = unsafe strerror(code) else { return "error \(code)" }
        return unsafe String(cString: text)
    }

    /// One line for the operator, such as `bind 127.0.0.1:80: Permission denied`.
    public var description: String {
        subject.isEmpty ? "\(call): \(reason)" : "\(call) \(subject): \(reason)"
    }

    /// The peer is gone: a reset, a broken pipe, a time-out of the transport. Expected on any socket at any time.
    public var isDisconnect: Bool {
        switch code {
        case ECONNRESET, EPIPE, ETIMEDOUT, ECONNABORTED, ENOTCONN, EHOSTUNREACH, ENETUNREACH, ENETDOWN, ENETRESET, ECONNREFUSED:
            true
        default: false
        }
    }

    /// The process or the system has run out of descriptors or buffers; accepting may work again later (accept(2)).
    public var isExhaustion: Bool {
        switch code {
        case EMFILE, ENFILE, ENOBUFS, ENOMEM: true
        default: false
        }
    }

    /// Another socket listens on that address already.
    public var isAddressInUse: Bool { code == EADDRINUSE }

    /// The file does not exist.
    public var isNotFound: Bool { code == ENOENT }

    /// The file exists already (open with `.createNew`).
    public var isAlreadyThere: Bool { code == EEXIST }
}
