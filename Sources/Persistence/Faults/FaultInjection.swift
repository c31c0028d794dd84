/// Failures put into the writer on purpose, by the number of the commit: for tests.
public struct FaultInjection: Sendable {
    /// What happens to one commit.
    public enum Fault: Hashable, Sendable {
        /// As if the disk were full: rolled back, clean.
        case full
        /// An input/output error; the transaction is in the database all the same (`applied`), or is not.
        case ioError(applied: Bool)
    }

    /// Asked on the writer's queue just before each commit, with its number from 1. May block, to play a slow disk.
    public let decide: @Sendable (_ commit: Int) -> Fault?

    /// Failures by the number of the commit, from 1; nil lets one be. May block, on the writer's queue.
    public init(_ decide: @escaping @Sendable (_ commit: Int) -> Fault?) {
        self.decide = decide
    }

    /// No failures.
    public static let none = FaultInjection { _ in nil }

    /// One failure, at the commit with this number.
    public static func at(_ number: Int, _ fault: Fault) -> FaultInjection {
        FaultInjection { commit in commit == number ? fault : nil }
    }

    /// The failure at this commit and all that follow.
    public static func from(_ number: Int, _ fault: Fault) -> FaultInjection {
        FaultInjection { commit in commit >= number ? fault : nil }
    }
}
