/// A page that the encoder's containers share.
///
/// Values nest strictly, because `encode(_:forKey:)` completes one before it returns, so the frames and the members of open objects are
/// two stacks. Containers that may be filled later and out of order (`nestedContainer`, `superEncoder`) get a sheet of their own,
/// spliced in when the value that asked for them is complete.
final class EncodingSheet {
    var page = EncodingPage()
    private var sheets: [EncodingSheet] = []
    private let outerPath: [String]
    private let outerDepth: Int
    /// The first broken rule that could not be thrown where it was seen.
    private var broken: JSONFault?

    init(path: [String] = [], depth: Int = 0) {
        outerPath = path
        outerDepth = depth
    }

    /// The id of the outermost value.
    static let rootID = 0

    /// Writes the outermost value and returns the finished text.
    func fill(_ write: (EncodingSheet) throws -> Void) throws(JSONFault) -> [UInt8] {
        do {
            try write(self)
            return try finish()
        } catch {
            throw fault(error)
        }
    }

    /// Completes the outermost value and returns the text.
    private func finish() throws(JSONFault) -> [UInt8] {
        try close()
        return page.bytes
    }

    /// Where the next value will stand, or the open one stands.
    var path: [String] {
        var path = outerPath
        let frames = page.outer + [page.top]
        for (index, frame) in frames.enumerated() where frame.count > 0 {
            let entryEnd = index + 1 < frames.count ? frames[index + 1].entryBase : page.entries.count
            switch frame.form {
            case .object: path.append(page.entries[entryEnd - 1].name)
            case .array: path.append(String(frame.count - 1))
            case .undecided, .scalar: break
            }
        }
        return path
    }

    /// Any error as a fault of the place that is open.
    func fault(_ error: any Error) -> JSONFault {
        if let misuse = error as? EncodingPage.Misuse {
            return JSONFault(.notEncodable, pointer: JSONPointer(path), misuse.detail)
        }
        return JSONFault(caught: error, at: JSONPointer(path))
    }

    // MARK: Values

    /// Encodes the value of a member.
    func member<Value: Encodable>(_ name: String, in id: Int, _ value: Value) throws {
        let (mark, frame) = try page.pushMember(name, in: id)
        try nested(value, in: frame, mark)
    }

    /// Encodes an element.
    func element<Value: Encodable>(in id: Int, _ value: Value) throws {
        let (mark, frame) = try page.pushElement(in: id)
        try nested(value, in: frame, mark)
    }

    /// Encodes a value in the frame just opened.
    ///
    /// `mark` is the state before the value's name or comma, restored where the value throws: the caller may go on without it.
    private func nested<Value: Encodable>(_ value: Value, in frame: Int, _ mark: EncodingPage.Mark) throws {
        do {
            guard page.outer.count + outerDepth < JSONLimits.depthCeiling else {
                throw JSONFault(
                    .tooDeep, pointer: JSONPointer(path), "Values are nested more than \(JSONLimits.depthCeiling) deep.")
            }
            try value.encode(to: SheetEncoder(sheet: self, frame: frame))
            let start = page.top.start
            let isArray = page.top.form == .array
            try close()
            if isArray, let unordered = value as? any HashOrdered {
                try page.sortElements(from: start, by: type(of: unordered).stride)
            }
        } catch {
            let fault = fault(error)  // while the place is still open
            page.restore(mark)
            throw fault
        }
    }

    /// Encodes a value as what an open one is.
    func single(_ value: any Encodable, in id: Int) throws {
        guard page.top.id == id, page.top.form == .undecided else { throw EncodingPage.Misuse.twice }
        let start = page.bytes.count
        try value.encode(to: SheetEncoder(sheet: self, frame: id))
        guard page.top.form == .array, let unordered = value as? any HashOrdered else { return }
        page.bytes.append(UInt8(ascii: "]"))
        try page.sortElements(from: start, by: type(of: unordered).stride)
        page.bytes.removeLast()
    }

    /// Starts a step that may fail half-way, and takes it back if it does.
    func step(_ start: (inout EncodingPage) throws -> Void, _ write: (EncodingSheet) throws -> Void) throws {
        let mark = page.mark
        try start(&page)
        do {
            try write(self)
        } catch {
            let fault = fault(error)
            page.restore(mark)
            throw fault
        }
    }

    // MARK: Containers

    /// Turns a value into a container, where the protocol does not let an error through.
    func open(_ form: EncodingPage.Form, in id: Int) {
        do { try page.open(form, in: id) } catch { note(error) }
    }

    /// Starts a member to be filled later.
    func laterMember(_ name: String, in id: Int) -> EncodingSheet {
        do { try page.startMember(name, in: id) } catch { return lost(error) }
        return later()
    }

    /// Starts an element to be filled later.
    func laterElement(in id: Int) -> EncodingSheet {
        do { try page.startElement(in: id) } catch { return lost(error) }
        return later()
    }

    private func later() -> EncodingSheet {
        let sheet = EncodingSheet(path: path, depth: outerDepth + page.outer.count + 1)
        sheets.append(sheet)
        page.setLater(sheets.count - 1)
        return sheet
    }

    /// A sheet that goes nowhere; the fault comes out when the value is complete.
    private func lost(_ misuse: EncodingPage.Misuse) -> EncodingSheet {
        note(misuse)
        return EncodingSheet(path: path)
    }

    private func note(_ misuse: EncodingPage.Misuse) {
        if broken == nil { broken = fault(misuse) }
    }

    private func close() throws(JSONFault) {
        if let broken { throw broken }
        guard page.needsSheets else { return page.close() }
        var texts: [Int: [UInt8]] = [:]
        for entry in page.entries[page.top.entryBase...] where entry.sheet >= 0 {
            texts[entry.sheet] = try sheets[entry.sheet].finish()
        }
        page.close(texts)
    }
}
