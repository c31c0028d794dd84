internal import Accounts
internal import Runtime

/// The lines of a file, read piece by piece.
struct LineSource: ~Copyable {
    /// Bytes of one line: a state has to fit.
    static let lineBytesMax = 256 << 20
    private static let pieceBytes = 1 << 20

    /// The size of the file, for progress.
    let size: Int
    /// Bytes handed out so far.
    private(set) var taken = 0
    private let file: File
    private var offset = 0
    private var rest: [UInt8] = []
    private var start = 0
    private var number = 0

    init(_ path: String) throws(SystemError) {
        let opened = try File(path, .read)
        size = try opened.size()
        file = opened
    }

    /// The next line without its end; nil behind the last. What follows the last line's end counts as a line of its own, unless it is empty.
    mutating func next() throws(TransferFault) -> [UInt8]? {
        number += 1
        var searched = start
        while true {
            if let end = rest[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(rest[start..<end])
                start = end + 1
                taken += line.count + 1
                return line
            }
            guard rest.count - start <= Self.lineBytesMax else {
                throw TransferFault(line: number, "it has more than \(Self.lineBytesMax) bytes")
            }
            rest.removeSubrange(..<start)
            start = 0
            searched = rest.count
            let piece: [UInt8]
            do throws(SystemError) { piece = try file.read(from: offset, bytesMax: Self.pieceBytes) } catch {
                throw TransferFault(line: number, "it cannot be read: \(error)")
            }
            guard !piece.isEmpty else {
                defer { rest = [] }
                taken += rest.count
                return rest.isEmpty ? nil : rest
            }
            offset += piece.count
            rest += piece
        }
    }
}
