import Redux

/// The store most tests use: its state is the line of all accepted numbers; negative ones are refused, zero changes nothing.
typealias Line = StoreCore<[Int], Int>

extension RefusalKind {
    static let negative = RefusalKind("negative", title: "Negative numbers are refused.")
}

/// Spoils the state before it refuses, so that a store that does not undo is found out.
func appendToLine(_ line: inout [Int], _ number: Int) throws(Refusal) {
    if number != 0 { line.append(number) }
    if number < 0 { throw Refusal(.negative, "\(number)") }
}

func makeLine(
    _ initial: [Int] = [], limits: StoreLimits = StoreLimits(), middleware: [Middleware<[Int], Int>] = [],
    isUnchanged: (([Int], [Int]) -> Bool)? = nil, onDrop: @escaping (Int, Refusal) -> Void = { _, _ in }
) -> Line {
    Line(
        initialState: initial, limits: limits, middleware: middleware, isUnchanged: isUnchanged, onDrop: onDrop,
        reduce: appendToLine)
}

extension StoreEvent {
    /// The action of a transition; nil for the current state.
    var action: Action? {
        if case .transition(let transition) = self { transition.action } else { nil }
    }
}

/// The kind of refusal a dispatch ends in; nil where it is accepted.
func refusal(_ body: () throws(Refusal) -> DispatchOutcome) -> RefusalKind? {
    do throws(Refusal) {
        _ = try body()
        return nil
    } catch {
        return error.kind
    }
}
