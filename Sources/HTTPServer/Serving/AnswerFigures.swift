public import HTTP
public import Runtime
internal import Synchronization

/// What was answered, by route and status, and how long that took. Each loop keeps its own, and a scrape adds them up.
public struct AnswerFigures: Sendable {
    /// One route's.
    public struct Route: Sendable {
        /// By the place of the status in `AnswerFigures.codes`.
        fileprivate var byStatus = [Int](repeating: 0, count: AnswerFigures.codes.count + 1)
        /// From the turn in which a request was taken to its answer, or the beginning of its stream, in nanoseconds.
        public fileprivate(set) var times = Histogram.times

        /// The answers by status, those that never occurred left out; nil is any other status than the listed ones.
        public var statuses: [(code: UInt16?, count: Int)] {
            byStatus.enumerated().filter { $0.element > 0 }.map { place, count in
                (place < AnswerFigures.codes.count ? AnswerFigures.codes[place] : nil, count)
            }
        }
    }

    /// The statuses that are told apart, so that there is a bound to them.
    public static let codes: [UInt16] = [
        200, 201, 202, 204, 206, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 405, 406, 408, 409, 410, 411, 412, 413, 414,
        415, 417,
        422, 423, 425, 428, 429, 431, 500, 501, 503, 504, 505, 507,
    ]
    /// Where each code stands, from 100 on.
    private static let places: [UInt8] = (100...599).map { code in UInt8(codes.firstIndex(of: UInt16(code)) ?? codes.count) }

    private let places = AnswerFigures.places
    /// The first is for what has no route.
    private var all: [Route]

    /// Nothing answered yet, with room for so many routes (`Responder.routeCount`) and one place for what has none.
    public init(routes: Int) {
        all = Array(repeating: Route(), count: routes + 1)
    }

    /// The figures of a route; those of what has none for -1.
    public subscript(route: Int) -> Route { all[route + 1] }

    /// Counts one answer of a route, or for -1 of what has none; a status that is not in `codes` counts among the others.
    public mutating func record(_ route: Int, _ status: Status, nanoseconds: Int64) {
        all[route + 1].byStatus[Int(places[Int(status.code) - 100])] += 1
        all[route + 1].times.record(nanoseconds)
    }

    /// Adds another loop's figures, which must have the same number of routes.
    public mutating func add(_ other: AnswerFigures) {
        for index in all.indices {
            for place in all[index].byStatus.indices { all[index].byStatus[place] += other.all[index].byStatus[place] }
            all[index].times.add(other.all[index].times)
        }
    }
}

/// Adds up what the loops hand in, and tells the sum once all have.
final class AnswerSum: Sendable {
    private struct Sum {
        var figures: AnswerFigures
        var awaited: Int
    }

    private let sum: Mutex<Sum>
    private let done: @Sendable (AnswerFigures) -> Void

    init(_ empty: AnswerFigures, from count: Int, _ done: @escaping @Sendable (AnswerFigures) -> Void) {
        sum = Mutex(Sum(figures: empty, awaited: count))
        self.done = done
    }

    /// One loop's; nil where it was stopped.
    func add(_ figures: AnswerFigures?) {
        let whole = sum.withLock { sum -> AnswerFigures? in
            if let figures { sum.figures.add(figures) }
            sum.awaited -= 1
            return sum.awaited == 0 ? sum.figures : nil
        }
        if let whole { done(whole) }
    }
}
