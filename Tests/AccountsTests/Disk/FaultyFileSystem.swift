import CSQLite
import Glibc
import Synchronization

/// SQLite's own file system with `FaultyDisk`s in it (SQLite, "The OS Interface or VFS").
///
/// It becomes the default of this process once, at its first use. Files of folders that have no disk are opened by the real file system
/// in the memory SQLite gave: for them nothing is in between.
enum FaultyFileSystem {
    private static let disks = Mutex<[String: FaultyDisk]>([:])

    /// Puts a disk under its folder; `remove` takes it away.
    static func insert(_ disk: FaultyDisk) {
        precondition(isRegistered, "SQLite takes another file system")
        disks.withLock { $0[disk.folder] = disk }
    }

    static func remove(_ disk: FaultyDisk) { disks.withLock { $0[disk.folder] = nil } }

    /// The disk under a path.
    fileprivate static func disk(of path: String) -> FaultyDisk? {
        guard let slash = path.lastIndex(of: "/") else { return nil }
        return disks.withLock { $0[String(path[..<slash])] }
    }

    // Safe: SQLite's file systems live as long as the process, and are not written after they are registered.
    fileprivate nonisolated(unsafe) static let real = unsafe sqlite3_vfs_find(nil)!

    private static let isRegistered: Bool = {
        let made = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        unsafe made.initialize(to: real.pointee)
        unsafe made.pointee.zName = UnsafePointer(strdup("storehouse-faults"))
        unsafe made.pointee.szOsFile = Int32(OpenFile.headBytes) + real.pointee.szOsFile
        unsafe made.pointee.pNext = nil
        unsafe made.pointee.xOpen = { _, name, file, flags, outFlags in
            unsafe FaultyFileSystem.open(name, file!, flags, outFlags)
        }
        unsafe made.pointee.xDelete = { _, name, synced in
            let path = unsafe String(cString: name!)
            FaultyFileSystem.disk(of: path)?.note(.delete(path))
            return unsafe real.pointee.xDelete!(real, name, synced)
        }
        return unsafe sqlite3_vfs_register(made, 1) == SQLITE_OK
    }()

    private static func open(
        _ name: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>, _ flags: Int32,
        _ outFlags: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        guard let name = unsafe name, let disk = disk(of: unsafe String(cString: name)) else {
            return unsafe real.pointee.xOpen!(real, name, file, flags, outFlags)
        }
        let inner = unsafe OpenFile.inner(of: file)
        let code = unsafe real.pointee.xOpen!(real, name, inner, flags, outFlags)
        guard code == SQLITE_OK else {
            unsafe file.pointee.pMethods = nil
            return code
        }
        unsafe OpenFile(path: String(cString: name), disk: disk).install(in: file)
        return code
    }
}

/// An open file of a faulty disk. In the memory SQLite gives: its methods, a reference to this, and the real file.
private final class OpenFile: Sendable {
    @unsafe private struct Head {
        var methods: sqlite3_file
        var owner: UnsafeMutableRawPointer?
    }

    static let headBytes = unsafe MemoryLayout<Head>.stride

    let path: String
    let disk: FaultyDisk

    init(path: String, disk: FaultyDisk) {
        self.path = path
        self.disk = disk
    }

    static func inner(of file: UnsafeMutablePointer<sqlite3_file>) -> UnsafeMutablePointer<sqlite3_file> {
        unsafe (UnsafeMutableRawPointer(file) + headBytes).assumingMemoryBound(to: sqlite3_file.self)
    }

    private static func head(of file: UnsafeMutablePointer<sqlite3_file>) -> UnsafeMutablePointer<Head> {
        unsafe UnsafeMutableRawPointer(file).assumingMemoryBound(to: Head.self)
    }

    static func of(_ file: UnsafeMutablePointer<sqlite3_file>?) -> (OpenFile, UnsafeMutablePointer<sqlite3_file>) {
        // Safe: installed by `install`, retained until xClose.
        unsafe (Unmanaged<OpenFile>.fromOpaque(head(of: file!).pointee.owner!).takeUnretainedValue(), inner(of: file!))
    }

    func install(in file: UnsafeMutablePointer<sqlite3_file>) {
        let head = unsafe Self.head(of: file)
        unsafe head.pointee.owner = Unmanaged.passRetained(self).toOpaque()
        unsafe file.pointee.pMethods = UnsafePointer(Self.methods)
    }

    static func release(_ file: UnsafeMutablePointer<sqlite3_file>) {
        let head = unsafe Self.head(of: file)
        guard let owner = unsafe head.pointee.owner else { return }
        unsafe Unmanaged<OpenFile>.fromOpaque(owner).release()
        unsafe head.pointee.owner = nil
    }

    // MARK: What fails

    /// SQLite's extended codes, macros of shifts that Swift does not import.
    private enum Code {
        static let read: Int32 = 10 | 1 << 8
        static let write: Int32 = 10 | 3 << 8
        static let sync: Int32 = 10 | 4 << 8
        static let truncate: Int32 = 10 | 6 << 8
    }

    func write(
        _ inner: UnsafeMutablePointer<sqlite3_file>, _ bytes: UnsafeRawPointer?, _ amount: Int32, _ offset: Int64
    ) -> Int32 {
        let failure = disk.next(.write)
        let written = failure == nil ? amount : failure == .torn || failure == .fullHalfway ? amount / 2 : 0
        if written > 0 {
            let code = unsafe inner.pointee.pMethods.pointee.xWrite(inner, bytes, written, offset)
            guard code == SQLITE_OK else { return code }
            disk.note(
                .write(path, offset: Int(offset), bytes: unsafe Array(UnsafeRawBufferPointer(start: bytes, count: Int(written)))))
        }
        switch failure {
        case nil: return SQLITE_OK
        case .error, .torn: return Code.write
        case .full, .fullHalfway: return SQLITE_FULL
        }
    }

    /// A sync has no effect of its own here: what the real file holds survives the process, and power cuts are played from the notes.
    func synchronize() -> Int32 {
        guard disk.next(.sync) == nil else {
            disk.note(.failedSync(path))
            return Code.sync
        }
        disk.note(.sync(path))
        return SQLITE_OK
    }

    func truncate(_ inner: UnsafeMutablePointer<sqlite3_file>, _ bytes: Int64) -> Int32 {
        guard disk.next(.truncate) == nil else { return Code.truncate }
        disk.note(.truncate(path, bytes: Int(bytes)))
        return unsafe inner.pointee.pMethods.pointee.xTruncate(inner, bytes)
    }

    func read(
        _ inner: UnsafeMutablePointer<sqlite3_file>, _ bytes: UnsafeMutableRawPointer?, _ amount: Int32, _ offset: Int64
    ) -> Int32 {
        guard disk.next(.read) == nil else { return Code.read }
        return unsafe inner.pointee.pMethods.pointee.xRead(inner, bytes, amount, offset)
    }

    /// `synchronous` as NORMAL where the disk is to show what that costs: the pragma's value is changed on its way, and the answer to it is a lie.
    func control(_ inner: UnsafeMutablePointer<sqlite3_file>, _ operation: Int32, _ argument: UnsafeMutableRawPointer?) -> Int32 {
        if disk.isNormal, operation == SQLITE_FCNTL_PRAGMA, let argument = unsafe argument {
            let words = unsafe argument.assumingMemoryBound(to: UnsafeMutablePointer<CChar>?.self)
            if let name = unsafe words[1], unsafe strcmp(name, "synchronous") == 0 {
                guard let value = unsafe words[2] else {
                    let answer = unsafe sqlite3_malloc(2)!.assumingMemoryBound(to: CChar.self)
                    unsafe (answer[0], answer[1]) = (CChar(UInt8(ascii: "2")), 0)
                    unsafe words[0] = answer
                    return SQLITE_OK
                }
                unsafe (value[0], value[1]) = (CChar(UInt8(ascii: "1")), 0)
            }
        }
        return unsafe inner.pointee.pMethods.pointee.xFileControl(inner, operation, argument)
    }

    // Safe: written once, before SQLite sees it.
    private nonisolated(unsafe) static let methods: UnsafeMutablePointer<sqlite3_io_methods> = {
        let made = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        unsafe made.initialize(to: sqlite3_io_methods())
        // Version 2: shared memory, and no mapped files.
        unsafe made.pointee.iVersion = 2
        unsafe made.pointee.xClose = { file in
            let inner = unsafe OpenFile.inner(of: file!)
            let code = unsafe inner.pointee.pMethods.pointee.xClose(inner)
            unsafe OpenFile.release(file!)
            return code
        }
        unsafe made.pointee.xRead = { file, bytes, amount, offset in
            let (open, inner) = unsafe OpenFile.of(file)
            return unsafe open.read(inner, bytes, amount, offset)
        }
        unsafe made.pointee.xWrite = { file, bytes, amount, offset in
            let (open, inner) = unsafe OpenFile.of(file)
            return unsafe open.write(inner, bytes, amount, offset)
        }
        unsafe made.pointee.xTruncate = { file, bytes in
            let (open, inner) = unsafe OpenFile.of(file)
            return unsafe open.truncate(inner, bytes)
        }
        unsafe made.pointee.xSync = { file, _ in unsafe OpenFile.of(file).0.synchronize() }
        unsafe made.pointee.xFileControl = { file, operation, argument in
            let (open, inner) = unsafe OpenFile.of(file)
            return unsafe open.control(inner, operation, argument)
        }
        unsafe forwardTheRest(made)
        return unsafe made
    }()

    /// What needs no decision goes to the real file.
    private static func forwardTheRest(_ made: UnsafeMutablePointer<sqlite3_io_methods>) {
        unsafe made.pointee.xFileSize = { file, bytes in
            let (_, inner) = unsafe OpenFile.of(file)
            return unsafe inner.pointee.pMethods.pointee.xFileSize(inner, bytes)
        }
        unsafe made.pointee.xLock = { file, level in
            let (_, inner) = unsafe OpenFile.of(file)
            return unsafe inner.pointee.pMethods.pointee.xLock(inner, level)
        }
        unsafe made.pointee.xUnlock = { file, level in
            let (_, inner) = unsafe OpenFile.of(file)
            return unsafe inner.pointee.pMethods.pointee.xUnlock(inner, level)
        }
        unsafe made.pointee.xCheckReservedLock = { file, found in
            let (_, inner) = unsafe OpenFile.of(file)
            return unsafe inner.pointee.pMethods.pointee.xCheckReservedLock(inner, found)
        }
        unsafe made.pointee.xSectorSize = { file in
            let (_, inner) = unsafe OpenFile.of(file)
            return unsafe inner.pointee.pMethods.pointee.xSectorSize(inner)
        }
        unsafe made.pointee.xDeviceCharacteristics = { file in
            let (_, inner) = unsafe OpenFile.of(file)
            return unsafe inner.pointee.pMethods.pointee.xDeviceCharacteristics(inner)
        }
        unsafe made.pointee.xShmMap = { file, page, bytes, extend, memory in
            let (_, inner) = unsafe OpenFile.of(file)
            return unsafe inner.pointee.pMethods.pointee.xShmMap(inner, page, bytes, extend, memory)
        }
        unsafe made.pointee.xShmLock = { file, offset, count, flags in
            let (_, inner) = unsafe OpenFile.of(file)
            return unsafe inner.pointee.pMethods.pointee.xShmLock(inner, offset, count, flags)
        }
        unsafe made.pointee.xShmBarrier = { file in
            let (_, inner) = unsafe OpenFile.of(file)
            unsafe inner.pointee.pMethods.pointee.xShmBarrier(inner)
        }
        unsafe made.pointee.xShmUnmap = { file, delete in
            let (_, inner) = unsafe OpenFile.of(file)
            return unsafe inner.pointee.pMethods.pointee.xShmUnmap(inner, delete)
        }
    }
}
