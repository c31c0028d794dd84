/// A value behind one reference, never changed in place: handing it on costs one count, however many members it has.
///
/// For a state of many slices, which is passed along a chain of middleware, kept for a return, published and compared: each copy of such a
/// struct counts every array and string in it. Changing a shared value makes one copy of it, and leaves those that others hold as they are.
@frozen public struct Shared<Value> {
    @usableFromInline
    final class Storage {
        @usableFromInline let value: Value

        @inlinable
        init(_ value: consuming Value) {
            self.value = value
        }
    }

    @usableFromInline var storage: Storage

    /// Shares a value.
    @inlinable
    public init(_ value: consuming Value) {
        storage = Storage(value)
    }

    /// The value. After a change, also after one that ended with an error, this is another one.
    @inlinable
    public var value: Value {
        _read { yield storage.value }
        _modify {
            var changed = storage.value
            defer { storage = Storage(changed) }
            yield &changed
        }
    }
}

extension Shared.Storage: Sendable where Value: Sendable {}
extension Shared: Sendable where Value: Sendable {}

extension Shared: Equatable where Value: Equatable {
    /// The same reference holds the same value, so nothing need be compared then.
    @inlinable
    public static func == (left: Shared, right: Shared) -> Bool {
        left.storage === right.storage || left.value == right.value
    }
}
