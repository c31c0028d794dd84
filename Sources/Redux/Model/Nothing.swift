/// The effect of a model that asks for none: nobody can make one.
public struct NoEffect: WireEffect {
    /// Never asked.
    public var kind: String { "none" }

    private init() {}

    /// None is stored, so none is read.
    public init(from decoder: any Decoder) throws {
        throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "the model has no effects"))
    }
}

/// The environment of a model that consults nothing.
public struct NoEnvironment: Sendable {
    /// The only one there is.
    public init() {}
}

extension AccountModel where Effect == NoEffect {
    /// None.
    public static func effects(of action: StampedAction, previous: State, next: State) -> [EffectRequest<NoEffect>] { [] }
    /// Never called: there is nothing to run.
    public static func perform(_ effect: NoEffect, run: EffectRun, in environment: Environment) async -> Action? { nil }
}
