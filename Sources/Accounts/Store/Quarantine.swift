internal import Persistence
internal import Redux
internal import Runtime

/// The accounts that could not be read or understood, remembered for a while: asking again costs nothing, and is logged once.
///
/// A value: time is given. What it does not remember is only looked at again.
struct Quarantine {
    /// Accounts remembered, and for how long.
    static let accountsMax = 1_024
    static let milliseconds: Milliseconds = 60_000

    private var faults: [AccountID: (fault: OpenFault, until: Milliseconds)] = [:]

    var count: Int { faults.count }

    /// Why the account is set aside; nil where it is to be looked at (again).
    mutating func fault(of account: AccountID, at now: Milliseconds) -> OpenFault? {
        guard let entry = faults[account] else { return nil }
        guard now < entry.until else {
            faults[account] = nil
            return nil
        }
        return entry.fault
    }

    /// The account is to be looked at again.
    mutating func remove(_ account: AccountID) { faults[account] = nil }

    /// Sets an account aside.
    mutating func insert(_ account: AccountID, _ fault: OpenFault, at now: Milliseconds) {
        if faults.count >= Self.accountsMax { faults = faults.filter { now < $0.value.until } }
        guard faults.count < Self.accountsMax else { return }
        faults[account] = (fault, now + Self.milliseconds)
    }
}

extension AccountShard {
    /// Why an account is set aside; nil where it is to be looked at.
    func setAside(_ account: AccountID) -> OpenFault? {
        let before = quarantine.count
        let fault = quarantine.fault(of: account, at: loop.time.wallMilliseconds())
        service.counters.accountsUnreadable.add(quarantine.count - before)
        return fault
    }

    func quarantine(_ account: AccountID, _ fault: OpenFault) {
        let before = quarantine.count
        quarantine.insert(account, fault, at: loop.time.wallMilliseconds())
        service.counters.accountsUnreadable.add(quarantine.count - before)
    }

    /// The account is not remembered as set aside any more.
    func readmit(_ account: AccountID) {
        let before = quarantine.count
        quarantine.remove(account)
        service.counters.accountsUnreadable.add(quarantine.count - before)
    }
}

extension OpenFault {
    /// Whether it lies in what is stored, so that trying again at once is of no use.
    var setsAside: Bool {
        switch self {
        case .unreadable: true
        case .storage(let fault): if case .damaged = fault { true } else { false }
        case .noAccount, .overloaded: false
        }
    }
}
