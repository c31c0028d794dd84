/// What is logged only where it was asked for, whatever the level: one line a request, or a transition.
public struct LogTopics: OptionSet, Sendable {
    /// One bit for each topic; in memory only.
    public let rawValue: UInt8

    /// Topics from their bits; `[]` is none.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// One line for each answer.
    public static let access = LogTopics(rawValue: 1)
    /// One line for each committed action.
    public static let transitions = LogTopics(rawValue: 2)
}
