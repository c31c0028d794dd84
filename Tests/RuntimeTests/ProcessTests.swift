import Dispatch
import Glibc
import Runtime
import Synchronization
import Testing

/// A directory of its own for one test, removed with the value.
final class TemporaryDirectory {
    let path: String

    init() {
        var template = Array("/tmp/runtime-tests-XXXXXX".utf8CString)
        path = unsafe String(cString: mkdtemp(&template))
    }

    deinit {
        // Flat: tests here make files only.
        if let directory = unsafe opendir(path) {
            while let entry = unsafe readdir(directory) {
                let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) {
                    unsafe $0.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
                }
                if name != "." && name != ".." { unsafe unlink("\(path)/\(name)") }
            }
            unsafe closedir(directory)
        }
        unsafe rmdir(path)
    }
}

@Suite struct ProcessTests {
    @Test func `a lock is held once, names its holder, and is free when its holder lets go`() throws {
        let directory = TemporaryDirectory()
        let path = "\(directory.path)/lock"
        do {
            let lock = try ProcessLock(path: path)
            let fault = #expect(throws: ProcessLockFault.self) { _ = try ProcessLock(path: path) }
            #expect(fault == .held(path: path, by: getpid()))
            #expect(fault.map(String.init(describing:)) == "\(path) is locked by process \(getpid())")
            withExtendedLifetime(lock) {}
        }
        _ = try ProcessLock(path: path)
        #expect(File.exists(path))
    }

    @Test func `a lock is free at once when its holder lets go, whoever has a copy of its descriptor`() throws {
        let directory = TemporaryDirectory()
        let path = "\(directory.path)/lock"
        var copy: Int32 = -1
        do {
            let lock = try ProcessLock(path: path)
            copy = try #require(copyOfDescriptor(for: path))
            withExtendedLifetime(lock) {}
        }
        defer { close(copy) }
        _ = try ProcessLock(path: path)
    }

    /// A copy of the descriptor this process has for a file, such as a process that is being spawned has; nil where there is none.
    private func copyOfDescriptor(for path: String) -> Int32? {
        var (wanted, found) = (stat(), stat())
        guard unsafe stat(path, &wanted) == 0 else { return nil }
        for raw in 0..<getdtablesize() {
            guard unsafe fstat(raw, &found) == 0, found.st_dev == wanted.st_dev, found.st_ino == wanted.st_ino else { continue }
            let copy = fcntl(raw, F_DUPFD_CLOEXEC, 0)
            return copy < 0 ? nil : copy
        }
        return nil
    }

    @Test func `a lock in a directory that is not there is a system error`() {
        let fault = #expect(throws: ProcessLockFault.self) { _ = try ProcessLock(path: "/nonexistent/lock") }
        guard case .system(let error)? = fault else {
            Issue.record("not a system error")
            return
        }
        #expect(error.isNotFound && error.subject == "/nonexistent/lock")
    }

    @Test func `files keep what is written, at its place, for their owner alone`() throws {
        let directory = TemporaryDirectory()
        let path = "\(directory.path)/file"
        #expect(!File.exists(path))
        let file = try File(path, .createNew)
        try file.write([1, 2, 3, 4])
        try file.write([9], at: 1)
        try file.truncate(to: 3)
        try file.synchronize()
        #expect(try file.size() == 3)
        #expect(try File(path, .read).read(bytesMax: 100) == [1, 9, 3])
        #expect(try File(path, .read).read(from: 1, bytesMax: 1) == [9])
        let again = #expect(throws: SystemError.self) { _ = try File(path, .createNew) }
        #expect(again?.isAlreadyThere == true)
        var status = stat()
        #expect(unsafe stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        try File.rename(path, to: path + "2")
        #expect(!File.exists(path) && File.exists(path + "2"))
        try File(directory.path, .directory).synchronize()
        try File.remove(path + "2")
        #expect(throws: SystemError.self) { try File.remove(path + "2") }
    }

    @Test func `a watched signal is handed over instead of ending the process`() {
        let received = DispatchSemaphore(value: 0)
        let watch = SignalWatch([.hangup], on: SerialQueue(label: "signals")) { signal in
            #expect(signal == .hangup)
            received.signal()
        }
        kill(getpid(), SIGHUP)
        #expect(received.wait(timeout: .now() + 10) == .success)
        watch.cancel()
    }

    @Test func `the descriptor limit is raised to the hard one`() {
        var limit = rlimit()
        #expect(unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        #expect(System.raiseDescriptorLimit() == Int(limit.rlim_max))
    }

    @Test func `a serial queue runs jobs in order and is waited for`() {
        let queue = SerialQueue(label: "test")
        let seen = Mutex<[Int]>([])
        for number in 0..<100 { queue.execute { seen.withLock { $0.append(number) } } }
        queue.drain()
        #expect(seen.withLock { $0 } == Array(0..<100))
    }
}
