// The loop of a store: how one entry runs, is announced or undone, and how the mailbox is emptied.

extension StoreCore {
    /// The end of the chain: the reducer, on a copy, so that a refusal leaves no trace.
    @inlinable
    func apply(_ action: Action) throws(Refusal) {
        precondition(
            running && reduced == nil, "a middleware calls next again after it was accepted, or after its action has ended")
        var next = current
        try reduce(&next, action)
        current = next
        reduced = action
    }

    /// Runs one action through the chain and announces it.
    @inlinable
    func step(_ action: Action) throws(Refusal) -> DispatchOutcome {
        let waiting = mailbox.count
        do throws(Refusal) {
            try chain(action)
        } catch {
            rollBack(waiting: waiting)
            throw error
        }
        guard let reduced = reduced.take() else { return .swallowed }
        if let isUnchanged, isUnchanged(announced, current) {
            announced = current
            return .unchanged
        }
        if observers.isEmpty {
            announced = current
        } else {
            let transition = Transition(action: reduced, previous: announced, state: current)
            announced = current
            observers.notify(.transition(transition))
        }
        return .changed
    }

    /// Runs a batch and announces it. `cause` is that of all its actions; nil makes each a root of its own.
    @inlinable
    func step(batch actions: [Action], cause shared: Cause?) throws(BatchRefusal) {
        let waiting = mailbox.count
        var transitions: [(transition: Transition<State, Action>, cause: Cause)] = []
        transitions.reserveCapacity(actions.count)
        for (index, action) in actions.enumerated() {
            cause = shared ?? Cause(root: UInt64(index))
            let previous = current
            do throws(Refusal) {
                try chain(action)
            } catch {
                rollBack(waiting: waiting)
                throw BatchRefusal(index: index, refusal: error)
            }
            if let reduced = reduced.take() {
                transitions.append((Transition(action: reduced, previous: previous, state: current), cause))
            }
        }
        for (transition, cause) in transitions {
            announced = transition.state
            if let isUnchanged, isUnchanged(transition.previous, transition.state) { continue }
            self.cause = cause
            observers.notify(.transition(transition))
        }
    }

    /// Undoes what is not accepted: the state, and the follow-ups beyond the `waiting` ones that were there before.
    @inlinable
    func rollBack(waiting: Int) {
        current = announced
        reduced = nil
        mailbox.truncate(to: waiting)
    }

    /// Runs the mailbox until it is empty. It is looked at again after each entry, so nothing dispatched meanwhile is left lying.
    @inlinable
    func drain() {
        while !mailbox.isEmpty { runNext() }
    }

    @inlinable
    func runNext() {
        guard let (entry, cause) = mailbox.popFirst() else { return }
        self.cause = cause
        switch entry {
        case .action(let action):
            do throws(Refusal) {
                _ = try step(action)
            } catch {
                drop(action, error)
            }
        case .batch(let actions):
            do throws(BatchRefusal) {
                try step(batch: actions, cause: cause)
            } catch {
                drop(actions[error.index], error.refusal)
            }
        }
    }

    @inlinable
    func end() {
        feedback.reset()
        cause = Cause(root: 0)
        running = false
    }

    @inlinable
    func enqueue(_ entry: Entry, count: Int) throws(Refusal) {
        do throws(Refusal) {
            let waiting = mailbox.count
            guard waiting < limits.mailboxActionsMax else {
                throw Refusal(.mailboxFull, "\(waiting) actions are waiting.")
            }
            let next = cause.next
            try feedback.admit(count, cause: next)
            mailbox.append((entry, next))
        } catch {
            switch entry {
            case .action(let action): drop(action, error)
            case .batch(let actions): drop(actions[0], error)
            }
            throw error
        }
    }

    /// Reports a follow-up that comes to nothing, unless it was dispatched by a report: that would be a loop of its own.
    @inlinable
    func drop(_ action: Action, _ refusal: Refusal) {
        guard !dropping else { return }
        dropping = true
        onDrop(action, refusal)
        dropping = false
    }
}
