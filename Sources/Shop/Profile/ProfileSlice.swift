public import Redux

/// Who an account's owner is.
public struct ProfileState: Codable, Hashable, Sendable {
    /// The owner's name; nil until one is given.
    @ExplicitNull public var name: String?
    /// The owner's address; nil for a guest.
    @ExplicitNull public var email: String?
    /// Whether the address is known to be the owner's.
    public var verified: Bool
    /// Whether a change of the profile is under way; another one is skipped meanwhile.
    public var isUpdating: Bool
    /// Names the change under way, the revision it was asked for at; nil where none is.
    @ExplicitNull public var generation: Revision?
    /// Whether the profile is being loaded.
    public var isLoading: Bool
    /// Why the last change or load failed; nil once another one begins.
    @ExplicitNull public var error: String?
    /// When the profile last changed.
    @ExplicitNull public var updatedAt: Milliseconds?

    /// A guest's profile.
    public init() {
        name = nil
        email = nil
        verified = false
        isUpdating = false
        generation = nil
        isLoading = false
        error = nil
        updatedAt = nil
    }
}

/// A change of the profile: `{"name": "Ada"}`.
public struct ProfileChange: Codable, Hashable, Sendable {
    /// The owner's new name, not blank, at most 200 bytes.
    public var name: String

    /// Asks for a name.
    public init(name: String) {
        self.name = name
    }

    /// Reads the payload and checks its bounds.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decodeText(forKey: .name, bytesMax: PayloadLimits.nameBytesMax)
        try container.require(!name.isBlank, forKey: .name, "a name is not blank")
    }
}

/// How a change of the profile ended well.
public struct ProfileUpdated: Codable, Hashable, Sendable {
    /// The name that is the owner's now.
    public var name: String
    /// The revision at which the change was asked for.
    public var generation: Revision

    /// Reports a change.
    public init(name: String, generation: Revision) {
        self.name = name
        self.generation = generation
    }
}

/// How a change of the profile failed.
public struct ProfileUpdateFailure: Codable, Hashable, Sendable {
    /// The revision at which the change was asked for.
    public var generation: Revision
    /// One sentence for a person.
    public var reason: String

    /// Reports a failure.
    public init(generation: Revision, reason: String) {
        self.generation = generation
        self.reason = reason
    }
}

/// What can happen to a profile.
public enum ProfileAction: Hashable, Sendable {
    /// Asks for another name; skipped while a change is under way.
    case update(ProfileChange)
    /// Asks for the profile to be loaded; skipped while it is.
    case load
    /// The change was made.
    case updateSucceeded(ProfileUpdated)
    /// The change was not made.
    case updateFailed(ProfileUpdateFailure)
    /// The profile was loaded.
    case loaded
    /// The profile could not be loaded.
    case loadFailed(FailureReason)

    static let kinds: [ActionKind<ShopAction>] = [
        .kind(
            "profile/update", summary: "Change the name; skipped while a change is under way", example: ProfileChange(name: "Ada")
        ) { .profile(.update($0)) },
        .kind("profile/load", summary: "Load the profile; skipped while it is being loaded", .profile(.load)),
        .kind(
            "profile/updateSucceeded", .fact, summary: "The name was changed", example: ProfileUpdated(name: "Ada", generation: 1)
        ) { .profile(.updateSucceeded($0)) },
        .kind(
            "profile/updateFailed", .fact, summary: "The name was not changed",
            example: ProfileUpdateFailure(generation: 1, reason: "The profile service does not answer.")
        ) { .profile(.updateFailed($0)) },
        .kind("profile/loaded", .fact, summary: "The profile was loaded", .profile(.loaded)),
        .kind(
            "profile/loadFailed", .fact, summary: "The profile could not be loaded",
            example: FailureReason(reason: "The profile service does not answer.")
        ) { .profile(.loadFailed($0)) },
    ]
}

extension ProfileAction: SliceAction {
    var name: String {
        switch self {
        case .update: "profile/update"
        case .load: "profile/load"
        case .updateSucceeded: "profile/updateSucceeded"
        case .updateFailed: "profile/updateFailed"
        case .loaded: "profile/loaded"
        case .loadFailed: "profile/loadFailed"
        }
    }

    var payload: (any Encodable)? {
        switch self {
        case .update(let payload): payload
        case .updateSucceeded(let payload): payload
        case .updateFailed(let payload): payload
        case .loadFailed(let payload): payload
        case .load, .loaded: nil
        }
    }
}
