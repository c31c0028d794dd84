/// The names that look most like a mistyped one: at most three, nearest first, none further than a third of its length away.
package func nearestNames(to name: String, among known: [String]) -> [String] {
    let wanted = Array(name.utf8.prefix(64))
    let bound = max(2, wanted.count / 3)
    return
        known
        .map { (name: $0, distance: editDistance(wanted, Array($0.utf8))) }
        .filter { $0.distance <= bound }
        .sorted { ($0.distance, $0.name) < ($1.distance, $1.name) }
        .prefix(3)
        .map(\.name)
}

/// Levenshtein's distance between two byte strings, in one row.
private func editDistance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var row = Array(0...right.count)
    for i in left.indices {
        var diagonal = row[0]
        row[0] = i + 1
        for j in right.indices {
            let substituted = diagonal + (left[i] == right[j] ? 0 : 1)
            diagonal = row[j + 1]
            row[j + 1] = min(substituted, row[j] + 1, row[j + 1] + 1)
        }
    }
    return row[right.count]
}
