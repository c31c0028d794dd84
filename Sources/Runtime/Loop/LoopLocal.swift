/// A handle, fit for any thread, on an object that only its loop may touch.
///
/// What one loop owns (its connections, its accounts) is found again from jobs by this, instead of by a global table or an unchecked capture.
public struct LoopLocal<Value: AnyObject>: Sendable {
    /// The loop that owns the object.
    public let loop: EventLoop
    private let index: Int

    /// Gives `value` to the loop, for the loop's life.
    public init(_ value: Value, on loop: isolated EventLoop) {
        self.loop = loop
        index = loop.locals.count
        loop.locals.append(value)
    }

    /// The object; nil once the loop was stopped. `loop` must be the handle's own.
    public func value(on loop: isolated EventLoop) -> Value? {
        precondition(loop === self.loop, "an object of another loop")
        guard index < loop.locals.count else { return nil }
        return loop.locals[index] as? Value
    }
}
