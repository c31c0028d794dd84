public import Persistence
public import Redux
internal import Synchronization

/// One committed transition as all followers of its account share it: its forms are made by the first who needs them, once.
public final class FeedEvent: Sendable {
    /// The transition as the log has it.
    public let entry: LogEntry
    /// What the transition changed, as the canonical JSON of a patch (RFC 6902); nil where nobody asked for patches.
    public let patch: [UInt8]?
    private let plainFrame = AtomicLazyReference<Frame>()
    private let patchedFrame = AtomicLazyReference<Frame>()

    /// The account's, after the transition.
    public var revision: Revision { entry.revision }

    init(_ entry: LogEntry, patch: [UInt8]? = nil) {
        self.entry = entry
        self.patch = patch
    }

    /// The event's bytes on the wire, with or without its patch.
    public func frame(patched: Bool, _ make: (FeedEvent) -> [UInt8]) -> [UInt8] {
        if let made = patched ? patchedFrame.load() : plainFrame.load() { return made.bytes }
        let frame = Frame(bytes: make(self))
        return (patched ? patchedFrame.storeIfNil(frame) : plainFrame.storeIfNil(frame)).bytes
    }

    private final class Frame: Sendable {
        let bytes: [UInt8]
        init(bytes: [UInt8]) { self.bytes = bytes }
    }
}

/// What a commit brought to the followers of one account.
public struct FeedUpdate: Sendable {
    /// The account in memory; another one after the store was dropped and loaded again.
    public let handle: AccountHandle
    /// The committed state.
    public let published: PublishedState
    /// The transitions that led there from the update before, in order. May be incomplete: the log has them all.
    public let events: [FeedEvent]
}

/// Somebody who hears of each commit of an account.
public struct FeedListener: Sendable {
    /// Whether its events have a `patch`, which is made as long as one listener of the account wants it.
    public let wantsPatches: Bool
    /// Called on the account's executor after the commit, in the order of commits; hands over and returns.
    public let receive: @Sendable (FeedUpdate) -> Void

    /// Makes a listener, without patches unless they are asked for; `receive` must not block.
    public init(wantsPatches: Bool = false, receive: @escaping @Sendable (FeedUpdate) -> Void) {
        self.wantsPatches = wantsPatches
        self.receive = receive
    }
}
