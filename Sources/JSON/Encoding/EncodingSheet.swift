/// The text being written, and what is open in it.
///
/// A frame is a value under construction. Values nest strictly, because `encode(_:forKey:)` completes one before it returns, so
/// frames and the members of open objects are two stacks. Containers that may be filled later and out of order (`nestedContainer`,
/// `superEncoder`) get a sheet of their own, spliced in when the frame that asked for them closes.
final class EncodingSheet {
    /// What a frame turned out to be.
    enum Form {
        case undecided, object, array, scalar
    }

    struct Frame {
        /// Unique within the sheet, so that a container kept past its value's end is noticed.
        let id: Int
        /// Where its text starts.
        let start: Int
        /// Where its entries start.
        let entryBase: Int
        var form = Form.undecided
        /// Members or elements so far.
        var count = 0
        /// Each member so far came after the one before it.
        var inOrder = true
        /// Some value stands on a sheet of its own.
        var hasSheets = false
    }

    /// A member of an open object (or an element with a sheet of its own).
    struct Entry {
        let name: String
        /// Where its text starts: at the name's quotation mark.
        let start: Int
        /// The index in `sheets` of its value, -1 where the value follows in the text.
        var sheet = -1
    }

    var bytes: [UInt8] = []
    var frames: [Frame] = []
    var entries: [Entry] = []
    private var sheets: [EncodingSheet] = []
    private var frameCount = 0
    private let outerPath: [String]
    private let outerDepth: Int
    /// The first broken rule that could not be thrown where it was seen.
    private var broken: JSONFault?

    init(path: [String] = [], depth: Int = 0) {
        outerPath = path
        outerDepth = depth
        bytes.reserveCapacity(1024)
        frames.reserveCapacity(16)
        entries.reserveCapacity(32)
        pushFrame()
    }

    /// The id of the innermost open frame.
    var topID: Int { frames[frames.count - 1].id }

    /// Writes the outermost value and returns the finished text.
    func fill(_ write: (EncodingSheet) throws -> Void) throws(JSONFault) -> [UInt8] {
        do {
            try write(self)
            return try finish()
        } catch {
            throw JSONFault(caught: error, at: JSONPointer(path))
        }
    }

    /// Closes the outermost frame and returns the text.
    func finish() throws -> [UInt8] {
        try closeFrame()
        return bytes
    }

    /// Where the next value will stand, or the open one stands.
    var path: [String] {
        var path = outerPath
        for (index, frame) in frames.enumerated() where frame.count > 0 {
            let entryEnd = index + 1 < frames.count ? frames[index + 1].entryBase : entries.count
            switch frame.form {
            case .object: path.append(entries[entryEnd - 1].name)
            case .array: path.append(String(frame.count - 1))
            case .undecided, .scalar: break
            }
        }
        return path
    }

    /// A broken rule of `Encoder`, in the place where it is open.
    func misuse(_ detail: String) -> JSONFault {
        JSONFault(.notEncodable, pointer: JSONPointer(path), detail)
    }

    private static let late = "A container was used after its value was complete."
    private static let twice = "A value was encoded twice in one place."

    // MARK: Frames

    /// Is this the innermost open frame? Only that one may be written to.
    private func isOpen(_ id: Int) -> Bool { frames.last?.id == id }

    private func pushFrame() {
        frameCount += 1
        frames.append(Frame(id: frameCount, start: bytes.count, entryBase: entries.count))
    }

    /// Turns a frame into a container, once or again.
    func open(_ form: Form, in id: Int) {
        guard isOpen(id) else { return note(Self.late) }
        let top = frames.count - 1
        if frames[top].form == form { return }
        guard frames[top].form == .undecided else { return note("A value was encoded as two different kinds.") }
        frames[top].form = form
        bytes.append(form == .object ? UInt8(ascii: "{") : UInt8(ascii: "["))
    }

    private func note(_ detail: String) {
        if broken == nil { broken = misuse(detail) }
    }

    /// Starts a member of the object in a frame: comma, name, colon.
    func startMember(_ name: String, in id: Int) throws {
        let top = frames.count - 1
        guard isOpen(id), frames[top].form == .object else { throw misuse(Self.late) }
        if frames[top].count > 0 {
            bytes.append(UInt8(ascii: ","))
            if frames[top].inOrder, byteOrder(entries[entries.count - 1].name, name) >= 0 { frames[top].inOrder = false }
        }
        frames[top].count += 1
        entries.append(Entry(name: name, start: bytes.count))
        CanonicalText.append(name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Starts an element of the array in a frame: a comma.
    func startElement(in id: Int) throws {
        let top = frames.count - 1
        guard isOpen(id), frames[top].form == .array else { throw misuse(Self.late) }
        if frames[top].count > 0 { bytes.append(UInt8(ascii: ",")) }
        frames[top].count += 1
    }

    /// Marks a frame as a single value, which is written next.
    func startScalar(in id: Int) throws {
        let top = frames.count - 1
        guard isOpen(id), frames[top].form == .undecided else { throw misuse(Self.twice) }
        frames[top].form = .scalar
    }

    /// Encodes a value at the end of the text, in a frame of its own.
    ///
    /// `mark` is the state before the value's name or comma, restored where the value throws: the caller may go on without it.
    func nested<Value: Encodable>(_ value: Value, mark: Mark) throws {
        guard frames.count + outerDepth < JSONLimits.depthCeiling else {
            defer { restore(mark) }
            throw JSONFault(.tooDeep, pointer: JSONPointer(path), "Values are nested more than \(JSONLimits.depthCeiling) deep.")
        }
        pushFrame()
        do {
            try value.encode(to: SheetEncoder(sheet: self, frame: topID))
            let start = frames[frames.count - 1].start
            let isArray = frames[frames.count - 1].form == .array
            try closeFrame()
            if isArray, let unordered = value as? any HashOrdered {
                try sortElements(from: start, by: type(of: unordered).stride)
            }
        } catch {
            // Named while the place is still known.
            let fault = JSONFault(caught: error, at: JSONPointer(path))
            restore(mark)
            throw fault
        }
    }

    /// Encodes a value as what a frame is.
    func single(_ value: any Encodable, in id: Int) throws {
        guard isOpen(id), frames[frames.count - 1].form == .undecided else { throw misuse(Self.twice) }
        let start = bytes.count
        try value.encode(to: SheetEncoder(sheet: self, frame: id))
        guard frames[frames.count - 1].form == .array, let unordered = value as? any HashOrdered else { return }
        bytes.append(UInt8(ascii: "]"))
        try sortElements(from: start, by: type(of: unordered).stride)
        bytes.removeLast()
    }

    // MARK: Taking back

    /// How much had been written.
    struct Mark {
        fileprivate let bytes: Int
        fileprivate let frames: Int
        fileprivate let entries: Int
        fileprivate let top: Frame
    }

    var mark: Mark {
        Mark(bytes: bytes.count, frames: frames.count, entries: entries.count, top: frames[frames.count - 1])
    }

    func restore(_ mark: Mark) {
        bytes.removeLast(bytes.count - mark.bytes)
        frames.removeLast(frames.count - mark.frames)
        entries.removeLast(entries.count - mark.entries)
        frames[mark.frames - 1] = mark.top
    }

    // MARK: Values to be filled later

    /// A sheet for the value of the member or element just started.
    func laterSheet(in id: Int) -> EncodingSheet {
        let sheet = EncodingSheet(path: path, depth: outerDepth + frames.count)
        guard isOpen(id) else { return sheet }  // a misuse that has been noted
        let top = frames.count - 1
        sheets.append(sheet)
        frames[top].hasSheets = true
        if frames[top].form == .array { entries.append(Entry(name: "", start: bytes.count)) }
        entries[entries.count - 1].sheet = sheets.count - 1
        return sheet
    }

    /// Like `startMember`, where the protocol does not let an error through.
    func startLaterMember(_ name: String, in id: Int) -> EncodingSheet {
        do { try startMember(name, in: id) } catch { note(Self.late) }
        return laterSheet(in: id)
    }

    /// Like `startElement`, where the protocol does not let an error through.
    func startLaterElement(in id: Int) -> EncodingSheet {
        do { try startElement(in: id) } catch { note(Self.late) }
        return laterSheet(in: id)
    }

    // MARK: Closing

    private func closeFrame() throws {
        if let broken { throw broken }
        let frame = frames[frames.count - 1]
        switch frame.form {
        case .scalar:
            break
        case .undecided:
            bytes.append(UInt8(ascii: "{"))
            bytes.append(UInt8(ascii: "}"))
        case .array:
            if frame.hasSheets { try splice(frame) }
            bytes.append(UInt8(ascii: "]"))
        case .object:
            if frame.hasSheets || !frame.inOrder { try putInOrder(frame) }
            bytes.append(UInt8(ascii: "}"))
        }
        entries.removeLast(entries.count - frame.entryBase)
        frames.removeLast()
    }

    /// Writes the elements again, each later sheet's text in its place.
    private func splice(_ frame: Frame) throws {
        let old = bytes[frame.start...]
        var written = old.startIndex
        var spliced: [UInt8] = []
        for entry in entries[frame.entryBase...] {
            spliced += old[written..<entry.start]
            spliced += try sheets[entry.sheet].finish()
            written = entry.start
        }
        spliced += old[written...]
        bytes.replaceSubrange(frame.start..., with: spliced)
    }

    /// Writes the members again in canonical order; of one name the last stays.
    private func putInOrder(_ frame: Frame) throws {
        let base = frame.entryBase
        let end = bytes.count
        var order = Array(base..<entries.count)
        if order.count <= 16 {
            sortFew(&order)
        } else {
            order.sort { before($0, $1) }
        }
        var sorted: [UInt8] = []
        sorted.reserveCapacity(end - frame.start)
        for (place, index) in order.enumerated() {
            if place + 1 < order.count, sameBytes(entries[order[place + 1]].name, entries[index].name) { continue }
            if !sorted.isEmpty { sorted.append(UInt8(ascii: ",")) }
            // A member ends at the comma before the next one.
            let memberEnd = index + 1 < entries.count ? entries[index + 1].start - 1 : end
            sorted.append(contentsOf: bytes[entries[index].start..<memberEnd])
            if entries[index].sheet >= 0 { sorted += try sheets[entries[index].sheet].finish() }
        }
        bytes.replaceSubrange((frame.start + 1)..., with: sorted)
    }

    /// By name, then by time.
    private func before(_ left: Int, _ right: Int) -> Bool {
        let order = byteOrder(entries[left].name, entries[right].name)
        return order < 0 || order == 0 && left < right
    }

    /// Insertion sort: the dozen members of a usual object, mostly in some order already.
    private func sortFew(_ order: inout [Int]) {
        for end in order.indices.dropFirst() {
            var place = end
            while place > 0, before(order[place], order[place - 1]) {
                order.swapAt(place, place - 1)
                place -= 1
            }
        }
    }

    /// Sorts the elements (or pairs of elements) of the array at the end of the text by their own texts.
    private func sortElements(from start: Int, by stride: Int) throws {
        var groups: [ArraySlice<UInt8>] = []
        var index = start + 1
        while bytes[index] != UInt8(ascii: "]") {
            let groupStart = index
            for part in 0..<stride {
                if part > 0 { index += 1 }
                index = try JSONReader.skip(bytes, from: index)
            }
            groups.append(bytes[groupStart..<index])
            if bytes[index] == UInt8(ascii: ",") { index += 1 }
        }
        groups.sort { $0.lexicographicallyPrecedes($1) }
        let sorted = [UInt8](groups.joined(separator: [UInt8(ascii: ",")]))
        bytes.replaceSubrange((start + 1)..<(bytes.count - 1), with: sorted)
    }
}

/// A collection that encodes itself as an array in an order that differs between runs of the program.
protocol HashOrdered {
    /// Array elements per element of the collection.
    static var stride: Int { get }
}

extension Set: HashOrdered {
    static var stride: Int { 1 }
}

/// Only dictionaries whose keys are neither `String` nor `Int` (nor `CodingKeyRepresentable`) encode themselves as an array.
extension Dictionary: HashOrdered {
    static var stride: Int { 2 }
}
