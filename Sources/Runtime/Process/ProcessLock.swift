internal import Glibc

/// One process at a time: an exclusive lock (flock(2)) on a file that holds its holder's process number.
///
/// The kernel drops the lock when the process ends, however it ends; the file stays. Two locks within one process exclude each other, too.
public struct ProcessLock: ~Copyable, Sendable {
    private let file: File

    /// Takes the lock at once or not at all. The file is made where it is missing (mode 0600) and is never removed:
    /// removing it would let two processes hold locks on two files of one name.
    public init(path: String) throws(ProcessLockFault) {
        do throws(SystemError) {
            let file = try File(path, .readWriteOrCreate)
            guard try System.retrying("flock", { Int(flock(file.raw, LOCK_EX | LOCK_NB)) }) != nil else {
                let holder = (try? file.read(bytesMax: 20)) ?? []
                throw SystemError(call: "flock", code: EWOULDBLOCK, subject: String(decoding: holder, as: UTF8.self))
            }
            try file.truncate(to: 0)
            try file.write(Array("\(System.processID)\n".utf8))
            self.file = file
        } catch {
            guard error.code == EWOULDBLOCK else { throw .system(error) }
            let digits = error.subject.prefix { $0 >= "0" && $0 <= "9" }
            throw .held(path: path, by: Int32(digits))
        }
    }

    /// Unlocks, rather than only closing: a process that is just being spawned has a copy of the descriptor until it runs its program,
    /// and the lock would stay for as long.
    deinit { flock(file.raw, LOCK_UN) }
}

/// The lock could not be taken.
public enum ProcessLockFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// Another holder has it; its process number where the file tells.
    case held(path: String, by: Int32?)
    case system(SystemError)

    /// A sentence for the operator, with the file's path and the holder's process number where it is known.
    public var description: String {
        switch self {
        case .held(let path, let holder?): "\(path) is locked by process \(holder)"
        case .held(let path, nil): "\(path) is locked by another process"
        case .system(let error): error.description
        }
    }
}
