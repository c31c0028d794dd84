internal import Glibc

/// Which file a name stands for: the same as long as nobody moves, deletes or replaces it.
struct FileIdentity: Hashable, Sendable {
    private let device: UInt64
    private let number: UInt64

    /// Looks by name, never by opening: closing a file drops all locks of the process on it. Nil where nothing has the name.
    init?(of path: String) {
        var status = stat()
        guard unsafe stat(path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        number = UInt64(status.st_ino)
    }
}
