internal import Persistence
internal import Redux
internal import Runtime

/// How far the sweep over all accounts' logs has come: slices of a bounded size, in the order of ids, from the first account to the last.
///
/// A state is written back after so many actions, and an account that takes none keeps its log; so somebody has to look. A value: time is given, and what it returns is done by the service, one thing after the other.
struct LogSweep {
    /// Accounts looked at in one slice, and logs shortened.
    static let accountsMax = 256
    static let logsMax = 16
    /// From the beginning of a sweep to that of the next, at least.
    static let milliseconds = 3_600_000
    /// How much longer than it has to be kept an entry may be there before it asks for anything: an account that goes on slowly, entry by
    /// entry, is not written to each time that one of them is too old.
    static let slackMilliseconds: Milliseconds = 86_400_000

    /// A stretch of accounts to be looked at.
    struct Stretch: Hashable {
        var after: AccountID?
        var limit: Int
    }

    /// What to do next; nil in its place is the end of a slice.
    enum Step: Hashable {
        case look(Stretch)
        case shorten(DueLog)
    }

    /// What became of a log that was due.
    enum Ending {
        /// It is shorter now, or cannot be.
        case done
        /// Something was in the way that has nothing to do with the account.
        case notNow
    }

    private var isUnderWay = false
    private var mayBeginAt = MonotonicTime(nanoseconds: 0)
    /// The last account that is finished with; nil for none.
    private var last: AccountID?
    /// The log that was shortened last.
    private var due: DueLog?

    /// A slice is not finished.
    private var isInSlice = false
    private var accountsLeft = 0
    private var logsLeft = 0

    /// Begins a slice; nil where the one before is not finished, or the next sweep is not to begin yet.
    mutating func begin(at now: MonotonicTime) -> Step? {
        guard !isInSlice else { return nil }
        if !isUnderWay {
            guard mayBeginAt <= now else { return nil }
            mayBeginAt = now.advanced(byMilliseconds: Self.milliseconds)
            isUnderWay = true
            (last, due) = (nil, nil)
        }
        isInSlice = true
        (accountsLeft, logsLeft) = (Self.accountsMax, Self.logsMax)
        return goOn()
    }

    private mutating func goOn() -> Step? {
        isInSlice = accountsLeft > 0 && logsLeft > 0
        return isInSlice ? .look(Stretch(after: last, limit: accountsLeft)) : nil
    }

    /// Takes what was found in a stretch.
    mutating func take(_ look: DueLogLook, of stretch: Stretch) -> Step? {
        accountsLeft -= look.accounts
        guard let found = look.due else {
            last = look.last ?? last
            isUnderWay = look.accounts == stretch.limit
            isInSlice = false
            return nil
        }
        // Where nothing went the last time nothing will now.
        if let due, due.account == found.account, due.oldest == found.oldest {
            last = found.account
            return goOn()
        }
        due = found
        logsLeft -= 1
        return .shorten(found)
    }

    /// The log taken last is dealt with.
    mutating func finish(_ ending: Ending) -> Step? {
        guard let found = due, case .done = ending else {
            due = nil
            isInSlice = false
            return nil
        }
        last = found.mayGoOn ? AccountID(rawValue: found.account.rawValue - 1) : found.account
        return goOn()
    }

    /// A stretch could not be read. Where it is not only that others wait, the next sweep tries again.
    mutating func fail(_ fault: StorageFault) {
        isUnderWay = fault == .overloaded
        isInSlice = false
    }
}
