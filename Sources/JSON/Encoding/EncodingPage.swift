/// The text being written, and what is open in it: the state of an `EncodingSheet`, as a value.
///
/// It is a value so that each step of encoding is one access to the sheet, not one per variable.
struct EncodingPage {
    /// What a value turned out to be.
    enum Form {
        case undecided, object, array, scalar
    }

    /// A value under construction.
    struct Frame {
        /// Unique within the page, so that a container kept past its value's end is noticed.
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
        /// The name's first 8 bytes as a number, filled with zeros: decides most comparisons.
        let prefix: UInt64
        /// Where its text starts: at the name's quotation mark.
        let start: Int
        /// The index in `sheets` of its value, -1 where the value follows in the text.
        var sheet = -1

        /// Compares names by their bytes, like `byteOrder`.
        func order(before other: Entry) -> Int {
            if prefix != other.prefix { return prefix < other.prefix ? -1 : 1 }
            return byteOrder(name, other.name)
        }
    }

    /// How much had been written.
    struct Mark {
        fileprivate let bytes: Int
        fileprivate let outer: Int
        fileprivate let entries: Int
        fileprivate let top: Frame
    }

    /// A broken rule of `Encoder`.
    struct Misuse: Error {
        let detail: String

        static let late = Misuse(detail: "A container was used after its value was complete.")
        static let twice = Misuse(detail: "A value was encoded twice in one place.")
        static let mixed = Misuse(detail: "A value was encoded as two different kinds.")
    }

    var bytes: [UInt8] = []
    /// The innermost open value.
    private(set) var top = Frame(id: 0, start: 0, entryBase: 0)
    /// The values around it, outermost first.
    private(set) var outer: [Frame] = []
    var entries: [Entry] = []
    private var frameCount = 0

    init() {
        // With an array's header still one of the sizes that an allocator hands out at once.
        bytes.reserveCapacity(960)
    }

    // MARK: Steps

    /// Turns a value into a container, once or again.
    mutating func open(_ form: Form, in id: Int) throws(Misuse) {
        guard top.id == id else { throw .late }
        if top.form == form { return }
        guard top.form == .undecided else { throw .mixed }
        top.form = form
        bytes.append(form == .object ? UInt8(ascii: "{") : UInt8(ascii: "["))
    }

    /// Starts a member of an object: comma, name, colon.
    mutating func startMember(_ name: String, in id: Int) throws(Misuse) {
        guard top.id == id, top.form == .object else { throw .late }
        if top.count > 0 { bytes.append(UInt8(ascii: ",")) }
        let start = bytes.count
        CanonicalText.append(name, to: &bytes)
        let entry = Entry(name: name, prefix: prefix(of: name, writtenAt: start), start: start)
        bytes.append(UInt8(ascii: ":"))
        if top.count > 0, top.inOrder, entries[entries.count - 1].order(before: entry) >= 0 { top.inOrder = false }
        top.count += 1
        entries.append(entry)
    }

    /// The first bytes of a name, read from its text just written, which is the name itself where nothing had to be escaped.
    private func prefix(of name: String, writtenAt start: Int) -> UInt64 {
        let count = name.utf8.count
        var prefix: UInt64 = 0
        if bytes.count - start == count + 2 {
            for index in 0..<min(count, 8) { prefix |= UInt64(bytes[start + 1 + index]) << UInt64(56 - 8 * index) }
        } else {
            for (index, byte) in name.utf8.prefix(8).enumerated() { prefix |= UInt64(byte) << UInt64(56 - 8 * index) }
        }
        return prefix
    }

    /// Starts an element of an array: a comma.
    mutating func startElement(in id: Int) throws(Misuse) {
        guard top.id == id, top.form == .array else { throw .late }
        if top.count > 0 { bytes.append(UInt8(ascii: ",")) }
        top.count += 1
    }

    /// Marks a value as a single one, which is written next.
    mutating func startScalar(in id: Int) throws(Misuse) {
        guard top.id == id, top.form == .undecided else { throw .twice }
        top.form = .scalar
    }

    mutating func member(_ name: String, in id: Int, _ integer: Int64) throws(Misuse) {
        try startMember(name, in: id)
        CanonicalText.append(integer, to: &bytes)
    }

    mutating func member(_ name: String, in id: Int, _ flag: Bool) throws(Misuse) {
        try startMember(name, in: id)
        CanonicalText.append(flag, to: &bytes)
    }

    mutating func member(_ name: String, in id: Int, _ text: String) throws(Misuse) {
        try startMember(name, in: id)
        CanonicalText.append(text, to: &bytes)
    }

    mutating func nullMember(_ name: String, in id: Int) throws(Misuse) {
        try startMember(name, in: id)
        CanonicalText.appendNull(to: &bytes)
    }

    /// Starts a member whose value follows in a frame of its own; returns what to take back if it fails, and the frame's id.
    mutating func pushMember(_ name: String, in id: Int) throws(Misuse) -> (Mark, Int) {
        let mark = mark
        try startMember(name, in: id)
        return (mark, push())
    }

    /// The same for an element.
    mutating func pushElement(in id: Int) throws(Misuse) -> (Mark, Int) {
        let mark = mark
        try startElement(in: id)
        return (mark, push())
    }

    /// Opens a frame at the end of the text.
    mutating func push() -> Int {
        outer.append(top)
        frameCount += 1
        top = Frame(id: frameCount, start: bytes.count, entryBase: entries.count)
        return frameCount
    }

    /// Names the sheet on which the value of the member or element just started stands.
    mutating func setLater(_ sheet: Int) {
        top.hasSheets = true
        if top.form == .array { entries.append(Entry(name: "", prefix: 0, start: bytes.count)) }
        entries[entries.count - 1].sheet = sheet
    }

    // MARK: Taking back

    var mark: Mark { Mark(bytes: bytes.count, outer: outer.count, entries: entries.count, top: top) }

    mutating func restore(_ mark: Mark) {
        bytes.removeLast(bytes.count - mark.bytes)
        outer.removeLast(outer.count - mark.outer)
        entries.removeLast(entries.count - mark.entries)
        top = mark.top
    }

    // MARK: Closing

    /// Does the innermost value need sheets that were to be filled later?
    var needsSheets: Bool { top.hasSheets }

    /// Completes the innermost value. `later` has the texts of the sheets, by index.
    mutating func close(_ later: [Int: [UInt8]] = [:]) {
        switch top.form {
        case .scalar:
            break
        case .undecided:
            bytes.append(UInt8(ascii: "{"))
            bytes.append(UInt8(ascii: "}"))
        case .array:
            if top.hasSheets { splice(later) }
            bytes.append(UInt8(ascii: "]"))
        case .object:
            if top.hasSheets || !top.inOrder { putInOrder(later) }
            bytes.append(UInt8(ascii: "}"))
        }
        entries.removeLast(entries.count - top.entryBase)
        // The outermost value has none around it; its id is never valid again.
        top = outer.popLast() ?? Frame(id: -1, start: 0, entryBase: 0)
    }

    /// Writes the elements again, each later sheet's text in its place.
    private mutating func splice(_ later: [Int: [UInt8]]) {
        let old = bytes[top.start...]
        var written = old.startIndex
        var spliced: [UInt8] = []
        for entry in entries[top.entryBase...] {
            spliced += old[written..<entry.start]
            spliced += later[entry.sheet] ?? []
            written = entry.start
        }
        spliced += old[written...]
        bytes.replaceSubrange(top.start..., with: spliced)
    }

    /// Writes the members again in canonical order; of one name the last stays.
    private mutating func putInOrder(_ later: [Int: [UInt8]]) {
        let base = top.entryBase
        let end = bytes.count
        var order = Array(base..<entries.count)
        if order.count <= 16 {
            sortFew(&order)
        } else {
            order.sort { before($0, $1) }
        }
        var sorted: [UInt8] = []
        sorted.reserveCapacity(end - top.start)
        for (place, index) in order.enumerated() {
            if place + 1 < order.count, entries[order[place + 1]].order(before: entries[index]) == 0 { continue }
            if !sorted.isEmpty { sorted.append(UInt8(ascii: ",")) }
            // A member ends at the comma before the next one.
            let memberEnd = index + 1 < entries.count ? entries[index + 1].start - 1 : end
            sorted.append(contentsOf: bytes[entries[index].start..<memberEnd])
            if entries[index].sheet >= 0 { sorted += later[entries[index].sheet] ?? [] }
        }
        bytes.removeLast(end - top.start - 1)
        bytes.append(contentsOf: sorted)
    }

    /// By name, then by time.
    private func before(_ left: Int, _ right: Int) -> Bool {
        let order = entries[left].order(before: entries[right])
        return order < 0 || order == 0 && left < right
    }

    /// Insertion sort: the dozen members of a usual object, mostly in some order already.
    private func sortFew(_ order: inout [Int]) {
        for end in order.indices.dropFirst() {
            let moving = order[end]
            var place = end
            while place > 0, before(moving, order[place - 1]) {
                order[place] = order[place - 1]
                place -= 1
            }
            order[place] = moving
        }
    }

    /// Sorts the elements (or pairs of elements) of the array at the end of the text by their own texts.
    mutating func sortElements(from start: Int, by stride: Int) throws(JSONFault) {
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
