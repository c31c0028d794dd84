internal import Synchronization

/// The document's bytes, made when they are first asked for: it costs some milliseconds, which a start need not spend.
final class DocumentShelf: Sendable {
    private let made = Mutex<[UInt8]?>(nil)
    private let make: @Sendable () -> [UInt8]

    init(_ make: @escaping @Sendable () -> [UInt8]) { self.make = make }

    func bytes() -> [UInt8] {
        made.withLock { made in
            if let made { return made }
            let bytes = make()
            made = bytes
            return bytes
        }
    }
}
