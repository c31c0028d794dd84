internal import Runtime

/// How far a long command is, on one line of a terminal; nothing where standard error is a file or a pipe.
struct ProgressLine {
    private let total: Int
    private let unit: String
    private let isShown = ThisProcess.standardErrorIsTerminal
    private var permille = -1

    init(total: Int, unit: String) {
        self.total = total
        self.unit = unit
    }

    /// Shows that so many are done, where that moves the bar.
    mutating func show(_ done: Int) {
        let now = min(1000, total == 0 ? 1000 : done * 1000 / total)
        guard isShown, now != permille else { return }
        permille = now
        let filled = now / 25
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: 40 - filled)
        ThisProcess.sayPart("\r[\(bar)] \(now / 10) % of \(total) \(unit)")
    }

    /// Leaves the line.
    mutating func end() {
        guard isShown, permille >= 0 else { return }
        ThisProcess.say("")
        permille = -1
    }
}
