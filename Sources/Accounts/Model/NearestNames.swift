internal import JSON

/// The names that look most like a mistyped one: at most three, nearest first, none further than a third of its length away.
public func nearestNames(to name: String, among known: [String]) -> [String] {
    let bound = max(2, min(name.utf8.count, Nearest.wordBytesMax) / 3)
    return
        known
        .compactMap { other in Nearest.distance(name, other).map { (name: other, distance: $0) } }
        .filter { $0.distance <= bound }
        .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
        .prefix(3)
        .map(\.name)
}
