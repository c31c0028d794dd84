// The patch between two values.

extension JSONPatch {
    /// Middles of arrays with more pairs of elements than this are compared element by element instead of aligned.
    static let alignedPairsMax = 65_536

    /// The operations that turn one value into another; none where they are equal.
    ///
    /// Only `add`, `remove` and `replace` are used. Members are taken in canonical order. Arrays are aligned by a longest common
    /// subsequence, so that an element taken out of the middle is one `remove`; an element that changed is looked into.
    public static func difference(from old: JSONValue, to new: JSONValue) -> JSONPatch {
        var operations: [Operation] = []
        compare(old, new, at: .root, into: &operations)
        return JSONPatch(operations)
    }

    private static func compare(_ old: JSONValue, _ new: JSONValue, at place: JSONPointer, into operations: inout [Operation]) {
        switch (old, new) {
        case (.object(let old), .object(let new)): compare(old, new, at: place, into: &operations)
        case (.array(let old), .array(let new)): compare(old, new, at: place, into: &operations)
        default: if old != new { operations.append(.replace(place, new)) }
        }
    }

    /// Both are sorted by name, so one walk over both finds what is in one, in the other, in both.
    private static func compare(_ old: JSONObject, _ new: JSONObject, at place: JSONPointer, into operations: inout [Operation]) {
        var left = old.members[...]
        var right = new.members[...]
        while true {
            let order: Int
            switch (left.first, right.first) {
            case (nil, nil): return
            case (_?, nil): order = -1
            case (nil, _?): order = 1
            case (let left?, let right?): order = byteOrder(left.name, right.name)
            }
            if order < 0 {
                operations.append(.remove(place.appending(left.removeFirst().name)))
            } else if order > 0 {
                let member = right.removeFirst()
                operations.append(.add(place.appending(member.name), member.value))
            } else {
                let member = right.removeFirst()
                compare(left.removeFirst().value, member.value, at: place.appending(member.name), into: &operations)
            }
        }
    }

    private static func compare(_ old: [JSONValue], _ new: [JSONValue], at place: JSONPointer, into operations: inout [Operation])
    {
        let shorter = min(old.count, new.count)
        var head = 0
        while head < shorter, old[head] == new[head] { head += 1 }
        var tail = 0
        while tail < shorter - head, old[old.count - 1 - tail] == new[new.count - 1 - tail] { tail += 1 }
        let left = old[head..<(old.count - tail)]
        let right = new[head..<(new.count - tail)]
        // The index in the array as it is after the operations so far.
        var index = head
        for run in runs(left, right) {
            let changed = min(run.removed.count, run.added.count)
            for offset in 0..<changed {
                compare(
                    old[run.removed.lowerBound + offset], new[run.added.lowerBound + offset], at: place.appending(index + offset),
                    into: &operations)
            }
            for _ in changed..<run.removed.count { operations.append(.remove(place.appending(index + changed))) }
            for offset in changed..<run.added.count {
                operations.append(.add(place.appending(index + offset), new[run.added.lowerBound + offset]))
            }
            index += run.added.count + run.keptAfter
        }
    }

    /// A stretch of elements that gives way to another one (either may be empty), and how many are kept after it.
    private struct Run {
        var removed: Range<Int>
        var added: Range<Int>
        var keptAfter = 0
    }

    private static func runs(_ left: ArraySlice<JSONValue>, _ right: ArraySlice<JSONValue>) -> [Run] {
        guard !left.isEmpty, !right.isEmpty, left.count <= alignedPairsMax / right.count else {
            return [Run(removed: left.indices, added: right.indices)]
        }
        // common[i][j] is the length of the longest common subsequence of the rests from i and from j.
        let width = right.count + 1
        var common = [Int32](repeating: 0, count: (left.count + 1) * width)
        var same = [Bool](repeating: false, count: common.count)
        for row in (0..<left.count).reversed() {
            for column in (0..<right.count).reversed() {
                let cell = row * width + column
                same[cell] = left[left.startIndex + row] == right[right.startIndex + column]
                common[cell] = same[cell] ? common[cell + width + 1] + 1 : max(common[cell + width], common[cell + 1])
            }
        }
        var runs = [Run(removed: left.startIndex..<left.startIndex, added: right.startIndex..<right.startIndex)]
        var row = 0
        var column = 0
        while row < left.count || column < right.count {
            let cell = row * width + column
            let last = runs.count - 1
            if row < left.count, column < right.count, same[cell] {
                runs[last].keptAfter += 1
                row += 1
                column += 1
                continue
            }
            if runs[last].keptAfter > 0 {
                let start = (left.startIndex + row, right.startIndex + column)
                runs.append(Run(removed: start.0..<start.0, added: start.1..<start.1))
            }
            let open = runs.count - 1
            if column == right.count || row < left.count && common[cell + width] >= common[cell + 1] {
                runs[open].removed = runs[open].removed.lowerBound..<(runs[open].removed.upperBound + 1)
                row += 1
            } else {
                runs[open].added = runs[open].added.lowerBound..<(runs[open].added.upperBound + 1)
                column += 1
            }
        }
        return runs
    }
}
