/// The number of one of an account's transitions: gapless, from 1 for the account's life; 0 is the initial state.
public typealias Revision = Int64

/// Milliseconds since 1970, the only form of time in states, actions and on the wire.
public typealias Milliseconds = Int64

/// The number of an account: positive, never reused.
public struct AccountID: RawRepresentable, Hashable, Sendable, Codable, Comparable, CustomStringConvertible {
    /// The number itself.
    public let rawValue: Int64

    /// Nil unless `rawValue` is positive.
    public init?(rawValue: Int64) {
        guard rawValue > 0 else { return nil }
        self.rawValue = rawValue
    }

    /// The number in decimal digits.
    public var description: String { String(rawValue) }

    /// By number, which is the order of opening.
    public static func < (left: AccountID, right: AccountID) -> Bool { left.rawValue < right.rawValue }
}

/// A unique id given to every accepted action; a UUID of version 7 (RFC 9562, 5.7) in its textual form.
///
/// Reducers that must mint ids derive them from it, so that a replay mints the same ones.
public struct ActionID: Hashable, Sendable {
    /// The first eight bytes, big-endian.
    public let high: UInt64
    /// The last eight bytes, big-endian.
    public let low: UInt64

    /// The id with these sixteen bytes.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }
}

/// What a reducer may know beside the state and the action: it reads no clock, random source, global or file.
public struct Stamp: Hashable, Sendable {
    /// The revision the state will have once this action is accepted.
    public var revision: Revision
    /// When the action was admitted, `max(now, the account's last stamp)`.
    public var at: Milliseconds
    /// The action's unique id.
    public var id: ActionID
    /// The account whose state this is.
    public var account: AccountID
    /// The revision of the action that caused this one; nil for a client's own action.
    public var cause: Revision?
    /// The clock stood before the account's last stamp: `at` was held, and guards on time do not apply.
    public var skewed: Bool
    /// The action is one of an atomic batch of several.
    public var batched: Bool

    /// A stamp; of a client's own, single action unless told otherwise.
    public init(
        revision: Revision, at: Milliseconds, id: ActionID, account: AccountID, cause: Revision? = nil, skewed: Bool = false,
        batched: Bool = false
    ) {
        self.revision = revision
        self.at = at
        self.id = id
        self.account = account
        self.cause = cause
        self.skewed = skewed
        self.batched = batched
    }
}

/// An action with all that was settled before it reached the reducer.
public struct Stamped<Action: Sendable, Facts: Sendable>: Sendable {
    /// What is to happen.
    public var action: Action
    /// What middleware looked up for the reducer (a price, a title), logged with the action so that replay needs no look-up.
    public var facts: Facts?
    /// When, to whom and in what place.
    public var stamp: Stamp

    /// An action with its stamp and facts.
    public init(_ action: Action, facts: Facts? = nil, stamp: Stamp) {
        self.action = action
        self.facts = facts
        self.stamp = stamp
    }
}

extension ActionID {
    /// The UUID's text: 32 lower-case hexadecimal digits in five groups (RFC 9562, 4).
    public var text: String {
        let digits = Array("0123456789abcdef".utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(36)
        for position in 0..<32 {
            if position == 8 || position == 12 || position == 16 || position == 20 { bytes.append(UInt8(ascii: "-")) }
            let word = position < 16 ? high : low
            bytes.append(digits[Int(word >> UInt64(60 - 4 * (position % 16)) & 0xf)])
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
