/// A reducer as a value, to be composed from slices.
///
/// Pure: it reads no clock, random source, global or file. On a refusal the half-changed state is thrown away by whoever called.
public struct Reducer<State, Action>: Sendable {
    /// The function behind it.
    public typealias Reduce = @Sendable (inout State, Action) throws(Refusal) -> Void

    @usableFromInline let body: Reduce

    /// The reducer that `reduce` is.
    @inlinable
    public init(_ reduce: @escaping Reduce) {
        body = reduce
    }

    /// Applies an action, or refuses it.
    @inlinable
    public func reduce(into state: inout State, action: Action) throws(Refusal) {
        try body(&state, action)
    }

    /// Accepts everything and changes nothing.
    @inlinable public static var identity: Reducer { Reducer { _, _ in } }

    /// Several reducers of one state, left to right, each seeing what the one before did; a refusal by any refuses for all.
    @inlinable
    public static func combine(_ reducers: Reducer...) -> Reducer {
        Reducer { (state, action) throws(Refusal) in
            for reducer in reducers { try reducer.body(&state, action) }
        }
    }

    /// As a reducer of a part of a larger state. An action for which `action` gives nil is not for it and changes nothing.
    @inlinable
    public func lift<Parent, ParentAction>(
        state path: any WritableKeyPath<Parent, State> & Sendable, action extract: @escaping @Sendable (ParentAction) -> Action?
    ) -> Reducer<Parent, ParentAction> {
        Reducer<Parent, ParentAction> { (parent, action) throws(Refusal) in
            guard let own = extract(action) else { return }
            try body(&parent[keyPath: path], own)
        }
    }

    /// As a reducer of one value of a dictionary; an absent key changes nothing.
    @inlinable
    public func keyed<Parent, ParentAction, Key: Hashable & SendableMetatype>(
        state path: any WritableKeyPath<Parent, [Key: State]> & Sendable,
        action extract: @escaping @Sendable (ParentAction) -> (key: Key, action: Action)?
    ) -> Reducer<Parent, ParentAction> {
        Reducer<Parent, ParentAction> { (parent, action) throws(Refusal) in
            guard let (key, own) = extract(action), var value = parent[keyPath: path][key] else { return }
            try body(&value, own)
            parent[keyPath: path][key] = value
        }
    }

    /// As a reducer of one element of an array; an offset outside of it changes nothing.
    @inlinable
    public func offset<Parent, ParentAction>(
        state path: any WritableKeyPath<Parent, [State]> & Sendable,
        action extract: @escaping @Sendable (ParentAction) -> (offset: Int, action: Action)?
    ) -> Reducer<Parent, ParentAction> {
        Reducer<Parent, ParentAction> { (parent, action) throws(Refusal) in
            guard let (offset, own) = extract(action), parent[keyPath: path].indices.contains(offset) else { return }
            try body(&parent[keyPath: path][offset], own)
        }
    }

    /// As a reducer of a state that may be absent; nil stays nil.
    @inlinable
    public func optional() -> Reducer<State?, Action> {
        Reducer<State?, Action> { (state, action) throws(Refusal) in
            guard var value = state else { return }
            try body(&value, action)
            state = value
        }
    }
}
