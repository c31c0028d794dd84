/// A pure function that remembers its last result, by exact inputs.
///
/// One entry: it is made for one reader of one store (share it between accounts, and each evicts the other's). `compute` depends on its input
/// alone: no clock, locale or permission hidden behind it. Not thread-safe.
public final class Memo<Input: Equatable, Output> {
    @usableFromInline let compute: (Input) -> Output
    @usableFromInline var last: (input: Input, output: Output)?

    /// Remembers results of `compute`, which is pure.
    @inlinable
    public init(_ compute: @escaping (Input) -> Output) {
        self.compute = compute
    }

    /// The result for an input, computed only where it differs from the last one.
    @inlinable
    public func callAsFunction(_ input: Input) -> Output {
        if let last, last.input == input { return last.output }
        let output = compute(input)
        last = (input, output)
        return output
    }

    /// Forgets what it holds.
    @inlinable
    public func reset() {
        last = nil
    }
}
