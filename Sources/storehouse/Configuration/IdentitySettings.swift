internal import Accounts
internal import Identity
internal import JSON
internal import Runtime
internal import Shop
internal import Sodium

extension Setting {
    /// About users, their sessions and their passwords.
    static let identity: [Setting] = [
        Setting(
            "gateway.trusted", .flag, .flag(false),
            "Takes whom the header Account-ID names for the caller; only behind a gateway that sets it."),
        Setting(
            "identity.sessionSeconds", .integer(1...315_360_000), .integer(2_592_000),
            "How long a signed-in session lasts; a guest's does not end by itself."),
        Setting(
            "identity.requireVerification", .flag, .flag(false),
            "Whether an address must be shown to be its owner's before the account can be used."),
        Setting(
            "identity.verificationFile", .path, .text(""),
            "Where verification codes are appended for a mailer to send, one JSON object a line, mode 0600."),
        Setting(
            "identity.passwordCharactersMin", .integer(1...128), .integer(6),
            "The shortest password; a real policy asks for more."),
        Setting("identity.passwordPasses", .integer(1...16), .integer(2), "Passes of a password's hash (Argon2id)."),
        Setting("identity.passwordMemory", .integer(1...4096), .integer(64), "MiB of memory that hashing one password takes."),
        Setting(
            "identity.passwordsWaitingMax", .integer(0...1000), .integer(32),
            "Passwords that wait while one is hashed; beyond that 503."),
        Setting("identity.lockFailuresMax", .integer(1...1000), .integer(5), "Failed log-ins that lock a name."),
        Setting("identity.lockWindowSeconds", .integer(1...86_400), .integer(900), "Within how long they must fail."),
        Setting("identity.lockSeconds", .integer(1...86_400), .integer(900), "How long a lock lasts."),
    ]

    /// The simulated services of the shop, and what settings call them.
    static let simulated = ["favorites", "payment", "profile", "loading"]

    /// About the shop's simulated services and log-outs.
    static let shop: [Setting] =
        [
            Setting(
                "shop.logout", .choice(["detach", "clear"]), .text("detach"),
                "What becomes of the cart when the last session is ended by logging out.")
        ]
        + simulated.flatMap { name in
            [
                Setting(
                    "shop.simulation.\(name).delay", .integer(0...600_000), .integer(200),
                    "How long the simulated \(name) service takes, in milliseconds."),
                Setting(
                    "shop.simulation.\(name).failureRate", .number(0...1), .number(0),
                    "Which part of its requests the simulated \(name) service refuses."),
            ]
        }
}

extension Configuration {
    var trustsGateway: Bool { flag("gateway.trusted") }

    /// What cannot be seen of one setting alone.
    var contradictions: [String] {
        contradictoryLimits + corsFaults + webhookFaults
            + (flag("identity.requireVerification") && text("identity.verificationFile").isEmpty
                ? ["identity.requireVerification: nobody would get a code; set identity.verificationFile"] : [])
    }

    var identity: IdentityPolicy {
        var policy = IdentityPolicy()
        policy.sessions = SessionPolicy(lifetime: Int64(integer("identity.sessionSeconds")) * 1000)
        policy.passwords.charactersMin = integer("identity.passwordCharactersMin")
        policy.cost = PasswordCost(
            passes: integer("identity.passwordPasses"), memoryBytes: integer("identity.passwordMemory") << 20)
        policy.passwordsWaitingMax = integer("identity.passwordsWaitingMax")
        policy.locks = LockPolicy(
            failuresMax: integer("identity.lockFailuresMax"), window: Int64(integer("identity.lockWindowSeconds")) * 1000,
            lockDuration: Int64(integer("identity.lockSeconds")) * 1000)
        policy.requiresVerification = flag("identity.requireVerification")
        policy.clearsAtLogout = text("shop.logout") == "clear"
        policy.isDemo = isDemo
        return policy
    }

    /// Where codes are left for the mailer.
    var verificationFile: String { text("identity.verificationFile") }

    var shopSettings: ShopSettings {
        ShopSettings(
            guests: guestsMayHaveCart ? .cart : .browse, logout: LogoutPolicy(rawValue: text("shop.logout")) ?? .detach)
    }

    var simulation: Simulation {
        func service(_ name: String) -> SimulatedService {
            SimulatedService(
                delay: Int64(integer("shop.simulation.\(name).delay")), failureRate: number("shop.simulation.\(name).failureRate")
            )
        }
        return Simulation(
            favorites: service("favorites"), payment: service("payment"), profile: service("profile"), loading: service("loading")
        )
    }
}
