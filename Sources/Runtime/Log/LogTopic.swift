/// What is logged only where it was asked for, whatever the level: one line a request, or a transition.
package struct LogTopics: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// One line for each answer.
    package static let access = LogTopics(rawValue: 1)
    /// One line for each committed action.
    package static let transitions = LogTopics(rawValue: 2)
}
