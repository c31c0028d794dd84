internal import Redux

/// Where an entry of an account's log stands among all entries.
struct LogPlace: Hashable, Sendable {
    /// Its number within the account.
    var revision: Revision
    /// Its number in the database: the order of commits.
    var sequence: Int64

    /// The sum stored with an entry over what tells whose it is: 32 bits.
    ///
    /// The chain vouches for an entry only once it is known whose it is, and where the index lacks it nothing but the row says that.
    func sum(of account: AccountID) -> Int64 { Self.sum(sequence, account.rawValue, revision) }

    private static func sum(_ sequence: Int64, _ account: Int64, _ revision: Int64) -> Int64 {
        var value: UInt64 = 0
        for part in [sequence, account, revision] {
            // As SplitMix64 mixes.
            value = (value ^ UInt64(bitPattern: part)) &* 0x9E37_79B9_7F4A_7C15
            value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
            value ^= value >> 27
        }
        return Int64(value >> 32)
    }

    /// What a row says of the entry it holds.
    struct Stored {
        var account: AccountID
        var place: LogPlace
        /// Nothing of it had to be corrected.
        var isIntact: Bool
    }

    /// Whose entry a row was when it was stored, and which; nil where that cannot be told any more.
    ///
    /// One bit that is wrong can be found and put right, so that it harms no other account. A row without a sum is older than sums, and believed.
    static func stored(_ sequence: Int64, account: Int64, revision: Int64, sum stored: Int64?) -> Stored? {
        func found(_ account: Int64, _ revision: Int64, isIntact: Bool = false) -> Stored? {
            AccountID(rawValue: account).map { account in
                Stored(account: account, place: LogPlace(revision: revision, sequence: sequence), isIntact: isIntact)
            }
        }
        guard let stored else { return found(account, revision, isIntact: true) }
        let difference = Self.sum(sequence, account, revision) ^ stored
        if difference.nonzeroBitCount <= 1 { return found(account, revision, isIntact: difference == 0) }
        let bits = (0..<63).map { Int64(1) << $0 }
        let candidates = bits.map { (account ^ $0, revision) } + bits.map { (account, revision ^ $0) }
        let fitting = candidates.filter { Self.sum(sequence, $0.0, $0.1) == stored }
        guard fitting.count == 1 else { return nil }
        return found(fitting[0].0, fitting[0].1)
    }
}
