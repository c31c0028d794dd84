import Redux
import Testing

@Suite struct `A shared value` {
    private struct Broken: Error {}

    /// Tells how often it is compared.
    private struct Counted: Equatable {
        final class Count { var comparisons = 0 }

        var number: Int
        let count: Count

        static func == (left: Counted, right: Counted) -> Bool {
            left.count.comparisons += 1
            return left.number == right.number
        }
    }

    @Test func `is changed for its holder alone`() {
        let first = Shared([1, 2])
        var second = first
        second.value.append(3)
        #expect(first.value == [1, 2] && second.value == [1, 2, 3])
        #expect(first != second)
        second.value.removeLast()
        #expect(first == second, "equal by value, though not the same any more")
    }

    @Test func `keeps what was changed before an error`() throws {
        func fail(_ values: inout [Int]) throws {
            values.append(3)
            throw Broken()
        }
        let first = Shared([1, 2])
        var second = first
        #expect(throws: Broken.self) { try fail(&second.value) }
        #expect(second.value == [1, 2, 3] && first.value == [1, 2])
    }

    @Test func `is not compared with itself`() {
        let count = Counted.Count()
        let shared = Shared(Counted(number: 1, count: count))
        let same = shared
        #expect((shared == same) == true)
        #expect(count.comparisons == 0)
        #expect((shared == Shared(Counted(number: 1, count: count))) == true)
        #expect(count.comparisons == 1)
    }
}
