import Redux

// One model in three builds: the first, a later one with another form of state and payload, and one that has lost an action.

/// Notes ask nothing of the world.
struct NoteWorld: Sendable {}

/// Notes have no effects.
struct NoteEffect: WireEffect {
    var kind: String { "none" }
}

/// The first build's payload, and the later one's.
struct OldLine: Codable, Hashable, Sendable { var line: String }
struct NewLine: Codable, Hashable, Sendable { var text: String }

/// Lines, as the first build kept them.
struct OldNotes: Codable, Hashable, Sendable {
    struct Page: Codable, Hashable, Sendable { var lines: [String] = [] }
    var page = Page()
}

/// Lines and their number, as the later build keeps them.
struct NewNotes: Codable, Hashable, Sendable {
    struct Page: Codable, Hashable, Sendable {
        var lines: [String] = []
        var count = 0
    }
    var page = Page()
}

enum OldNoteAction: WireAction, Hashable {
    case write(OldLine)

    static let kinds: [ActionKind<OldNoteAction>] = [
        .kind("note/write", summary: "Adds a line.", example: OldLine(line: "a"), { .write($0) })
    ]
    var name: String { "note/write" }
    func encodePayload(to encoder: any Encoder) throws {
        switch self {
        case .write(let line): try line.encode(to: encoder)
        }
    }
}

enum NewNoteAction: WireAction, Hashable {
    case write(NewLine)
    case migrated

    static let kinds: [ActionKind<NewNoteAction>] = [
        .kind(
            "note/write", version: 2, summary: "Adds a line.", example: NewLine(text: "a"),
            upcasters: [1: { NewLine(text: try OldLine(from: $0).line) }], { .write($0) }),
        .kind("note/migrated", .fact, summary: "Another version took over.", .migrated),
    ]
    var name: String {
        switch self {
        case .write: "note/write"
        case .migrated: "note/migrated"
        }
    }
    func encodePayload(to encoder: any Encoder) throws {
        switch self {
        case .write(let line): try line.encode(to: encoder)
        case .migrated: try NoPayload().encode(to: encoder)
        }
    }
}

enum LostNoteAction: WireAction, Hashable {
    case erase

    static let kinds: [ActionKind<LostNoteAction>] = [.kind("note/erase", summary: "Removes all lines.", .erase)]
    var name: String { "note/erase" }
    func encodePayload(to encoder: any Encoder) throws { try NoPayload().encode(to: encoder) }
}

/// The first build.
enum FirstNotes: AccountModel {
    typealias State = OldNotes
    typealias Action = OldNoteAction
    typealias Facts = NoFacts
    typealias Effect = NoteEffect
    typealias Environment = NoteWorld

    static let name = "notes"
    static let reducerVersion = 1
    static let slices = [SliceSchema("page")]
    static let refusals: [RefusalKind] = []
    static let views: [View<FirstNotes>] = []

    static func initialState(for account: AccountID) -> OldNotes { OldNotes() }
    static func reduce(into state: inout OldNotes, action: StampedAction) throws(Refusal) {
        switch action.action {
        case .write(let line): state.page.lines.append(line.line)
        }
    }
    static func effects(of action: StampedAction, previous: OldNotes, next: OldNotes) -> [EffectRequest<NoteEffect>] { [] }
    static func perform(_ effect: NoteEffect, run: EffectRun, in environment: NoteWorld) async -> OldNoteAction? {
        .write(OldLine(line: ""))
    }
}

/// A build with a bug: of the same versions as the first, yet its reducer does something else.
enum BrokenNotes: AccountModel {
    typealias State = OldNotes
    typealias Action = OldNoteAction
    typealias Facts = NoFacts
    typealias Effect = NoteEffect
    typealias Environment = NoteWorld

    static let name = "notes"
    static let reducerVersion = 1
    static let slices = [SliceSchema("page")]
    static let refusals: [RefusalKind] = []
    static let views: [View<BrokenNotes>] = []

    static func initialState(for account: AccountID) -> OldNotes { OldNotes() }
    static func reduce(into state: inout OldNotes, action: StampedAction) throws(Refusal) {
        switch action.action {
        case .write(let line): state.page.lines.insert(line.line, at: 0)
        }
    }
    static func effects(of action: StampedAction, previous: OldNotes, next: OldNotes) -> [EffectRequest<NoteEffect>] { [] }
    static func perform(_ effect: NoteEffect, run: EffectRun, in environment: NoteWorld) async -> OldNoteAction? {
        .write(OldLine(line: ""))
    }
}

/// The later build: another form of state and of payload, and a reducer that leaves empty lines out.
enum LaterNotes: AccountModel {
    typealias State = NewNotes
    typealias Action = NewNoteAction
    typealias Facts = NoFacts
    typealias Effect = NoteEffect
    typealias Environment = NoteWorld

    static let name = "notes"
    static let reducerVersion = 2
    static let slices = [
        SliceSchema(
            "page", version: 2,
            migrations: [
                1: {
                    let old = try OldNotes.Page(from: $0)
                    return NewNotes.Page(lines: old.lines, count: old.lines.count)
                }
            ])
    ]
    static let refusals: [RefusalKind] = []
    static let views: [View<LaterNotes>] = []

    static func initialState(for account: AccountID) -> NewNotes { NewNotes() }
    static func migration(of state: NewNotes) -> NewNoteAction? { .migrated }
    static func reduce(into state: inout NewNotes, action: StampedAction) throws(Refusal) {
        switch action.action {
        case .write(let line) where line.text.isEmpty: break
        case .write(let line):
            state.page.lines.append(line.text)
            state.page.count += 1
        case .migrated: break
        }
    }
    static func effects(of action: StampedAction, previous: NewNotes, next: NewNotes) -> [EffectRequest<NoteEffect>] { [] }
    static func perform(_ effect: NoteEffect, run: EffectRun, in environment: NoteWorld) async -> NewNoteAction? { .migrated }
}

/// A build that does not know what its users have done.
enum LostNotes: AccountModel {
    typealias State = OldNotes
    typealias Action = LostNoteAction
    typealias Facts = NoFacts
    typealias Effect = NoteEffect
    typealias Environment = NoteWorld

    static let name = "notes"
    static let reducerVersion = 3
    static let slices = [SliceSchema("page")]
    static let refusals: [RefusalKind] = []
    static let views: [View<LostNotes>] = []

    static func initialState(for account: AccountID) -> OldNotes { OldNotes() }
    static func reduce(into state: inout OldNotes, action: StampedAction) throws(Refusal) { state.page.lines = [] }
    static func effects(of action: StampedAction, previous: OldNotes, next: OldNotes) -> [EffectRequest<NoteEffect>] { [] }
    static func perform(_ effect: NoteEffect, run: EffectRun, in environment: NoteWorld) async -> LostNoteAction? { .erase }
}
