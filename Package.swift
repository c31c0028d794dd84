// swift-tools-version: 6.2
//
// The architecture, in dependency order: arrows only go down. A test (Tests/HouseTests) scans the import lines, because
// SwiftPM lets a target import what it reaches only transitively.
import PackageDescription

/// One room of the house.
func room(_ name: String, _ dependencies: Target.Dependency..., embedding resources: [Resource] = []) -> Target {
    let settings = onTheWay.contains(name) ? strict + acrossModules : strict
    return .target(name: name, dependencies: dependencies, resources: resources, swiftSettings: settings)
}

/// The tests of one room.
func tests(_ name: String, _ dependencies: Target.Dependency..., resources: [Resource] = [], exclude: [String] = []) -> Target {
    .testTarget(name: name, dependencies: dependencies, exclude: exclude, resources: resources, swiftSettings: strict)
}

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// The rooms that a request passes through on its way.
let onTheWay: Set = ["Redux", "JSON", "HTTP", "Shop", "Counter", "Runtime", "HTTPServer", "Identity", "Accounts", "API"]

/// A release build compiles their generic code for the model that is served, where it is known: in the executable. That takes a fifth to a
/// third off the processor time of an action. It reaches what is `public`, not what is `package`, which is why the rooms' own are public.
/// Not for the rooms above C modules: the compiler cannot follow those (Swift 6.3.1).
let acrossModules: [SwiftSetting] = [.unsafeFlags(["-cross-module-optimization"], .when(configuration: .release))]

let package = Package(
    name: "storehouse",
    products: [.executable(name: "storehouse", targets: ["storehouse"])],
    targets: [
        // System modules: Linux calls Glibc's module leaves out, SQLite, libsodium.
        .systemLibrary(name: "CLinux"),
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CSodium", pkgConfig: "libsodium", providers: [.apt(["libsodium-dev"])]),

        // Leaves, no I/O.
        room("Redux"),  // store, reducers, middleware, thunks, effects, and the AccountModel protocol; imports nothing
        room("JSON"),  // reader with offsets, canonical writer, Codable bridge, Pointer, Patch; imports nothing
        room("HTTP"),  // requests, responses, the parser; imports nothing
        room("DevTools", embedding: [.embedInCode("Page")]),  // the files of the developer page; imports nothing

        // The two models. A model knows Redux and nothing else.
        room("Shop", "Redux"),
        room("Counter", "Redux"),

        // Operating system and C libraries, one wrapper each.
        room("Runtime", "CLinux"),  // event loops, sockets, clock, log, signals
        room("SQLite", "CSQLite"),  // connection, statement, transaction
        room("Sodium", "CSodium"),  // hashes, random bytes, password hashing

        // What the service is made of.
        room("HTTPServer", "HTTP", "Runtime"),  // listener, connections, the connection state machine
        room("Identity", "Sodium"),  // tokens and passwords
        room("Persistence", "SQLite", "Sodium", "Redux", "Runtime"),  // schema, writer queue, readers
        room("Accounts", "Persistence", "Identity", "Redux", "JSON", "Runtime", "Sodium"),  // one live store per account
        // Routes, and what answers there.
        room(
            "API", "Accounts", "Persistence", "HTTPServer", "HTTP", "DevTools", "Identity", "Redux", "JSON", "Runtime", "Sodium"),

        // The services the shop calls: URLSession, the one place that links Foundation.
        room("Webhooks", "Sodium", "JSON"),

        // The composition root: command line, configuration, life of the process.
        .executableTarget(
            name: "storehouse",
            dependencies: [
                "API", "Accounts", "HTTP", "HTTPServer", "Identity", "Persistence", "Shop", "Counter", "Redux", "JSON", "Runtime",
                "Sodium", "Webhooks",
            ],
            swiftSettings: strict),

        // Tests, in rings: pure values, in-process routes, real sockets, the spawned binary.
        tests("ReduxTests", "Redux", "Counter", "Runtime"),
        tests("JSONTests", "JSON"),
        tests("HTTPTests", "HTTP"),
        tests("ShopTests", "Shop", "Redux", "JSON"),
        tests("RuntimeTests", "Runtime"),
        tests("WebhooksTests", "Webhooks", "Sodium"),
        tests("HTTPServerTests", "HTTPServer", "HTTP", "Runtime"),
        tests("PersistenceTests", "Persistence", "SQLite", "Sodium", "JSON", "Redux", "Runtime"),
        tests("IdentityTests", "Identity", "Sodium"),
        tests(
            "AccountsTests", "Accounts", "Persistence", "Identity", "Shop", "Counter", "Redux", "JSON", "Runtime", "Sodium",
            "CSQLite"),
        tests("CommandTests", "storehouse", "Accounts", "HTTPServer", "Runtime"),  // settings, help
        tests("DocumentTests", "API", "Accounts", "HTTPServer", "Persistence", "Redux", "Runtime"),  // the README, the guide
        tests("ServiceTests", "JSON"),  // the spawned binary over real sockets
        tests("HouseTests"),  // imports, layout, style
    ]
)

// Some tests alone, with what they need and nothing else: `TEST_TARGETS=ReduxTests,AccountsTests swift test`.
if let named = Context.environment["TEST_TARGETS"]?.split(separator: ",").map(String.init) {
    var needed = Set(named)
    // From the top down, as the arrows go.
    for target in package.targets.reversed() where needed.contains(target.name) {
        for case .byNameItem(let name, _) in target.dependencies { needed.insert(name) }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products.removeAll()
}
