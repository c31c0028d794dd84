/// What is logged only where it was asked for, whatever the level: one line a request, or a transition.
public struct LogTopics: OptionSet, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// One line for each answer.
    public static let access = LogTopics(rawValue: 1)
    /// One line for each committed action.
    public static let transitions = LogTopics(rawValue: 2)
}
