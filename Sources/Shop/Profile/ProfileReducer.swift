import Redux

/// What happens to a profile. Refuses nothing: a change asked for while one is under way is skipped.
enum ProfileReducer {
    static let schema = SliceSchema("profile")

    static func reduce(into profile: inout ProfileState, action: ProfileAction, context: ReducerContext) {
        switch action {
        case .update:
            guard !profile.isUpdating else { return }
            profile.isUpdating = true
            profile.generation = context.stamp.revision
            profile.error = nil
        case .updateSucceeded(let outcome):
            guard profile.isUpdating, profile.generation == outcome.generation else { return }
            profile.name = outcome.name
            profile.updatedAt = context.stamp.at
            endUpdate(&profile)
        case .updateFailed(let outcome):
            guard profile.isUpdating, profile.generation == outcome.generation else { return }
            profile.error = outcome.reason
            endUpdate(&profile)
        case .load:
            guard !profile.isLoading else { return }
            profile.isLoading = true
            profile.error = nil
        case .loaded:
            profile.isLoading = false
        case .loadFailed(let failure):
            guard profile.isLoading else { return }
            profile.isLoading = false
            profile.error = failure.reason
        }
    }

    /// A registration names the owner.
    static func register(_ registration: Registration, in profile: inout ProfileState, at time: Milliseconds) {
        profile.name = registration.name
        profile.email = registration.email
        profile.verified = registration.verified
        profile.updatedAt = time
    }

    private static func endUpdate(_ profile: inout ProfileState) {
        profile.isUpdating = false
        profile.generation = nil
    }
}
