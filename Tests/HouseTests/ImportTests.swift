import Testing

/// SwiftPM lets a target import what it reaches only transitively, and the toolchain's modules are open to all. These tests close both.
@Suite struct `What a module may import` {
    /// The toolchain's modules each room may use, beside the standard library; a room that is not listed may use none.
    ///
    /// Only Runtime knows Dispatch, and sockets. Glibc elsewhere is for the calls named beside it, and for nothing on a socket.
    static let toolchainModules: [String: Set<String>] = [
        "Runtime": ["Dispatch", "Glibc", "Synchronization"],
        "JSON": ["Synchronization"],
        "HTTP": ["Synchronization"],
        "SQLite": ["Synchronization"],
        "Sodium": ["Synchronization"],
        "Identity": ["Synchronization"],
        "Persistence": ["Glibc", "Synchronization"],  // open, fsync, rename: the files beside the database
        "HTTPServer": ["Synchronization"],
        "Accounts": ["Synchronization"],
        "API": ["Synchronization"],
        "Webhooks": ["Foundation", "FoundationNetworking", "Synchronization"],  // URLSession
        "storehouse": ["Glibc", "Synchronization"],  // exit, getenv, reading a configuration file
    ]

    /// Modules that one room alone may import, whatever the manifest says.
    static let keepers = [
        "CLinux": "Runtime", "CSQLite": "SQLite", "CSodium": "Sodium", "Dispatch": "Runtime", "SQLite": "Persistence",
        "Shop": "storehouse", "Counter": "storehouse",
    ]

    @Test func `the manifest is read: every room is found`() {
        #expect(Set(["Redux", "CSQLite", "Accounts", "storehouse"]).isSubset(of: Manifest.targets.map(\.name)))
        #expect(Manifest.targets.first { $0.name == "storehouse" }?.dependencies.contains("API") == true)
        #expect(Manifest.testTargets.contains("HouseTests"))
    }

    @Test func `every import is a dependency the manifest declares, or a toolchain module the room may use`() {
        for target in Manifest.targets {
            let allowed = Set(target.dependencies).union(Self.toolchainModules[target.name] ?? [])
            for file in target.sources {
                let others = Set(file.imports).subtracting(allowed)
                #expect(others.isEmpty, "\(file) imports \(others.sorted()); \(target.name) may import \(allowed.sorted())")
            }
        }
    }

    @Test func `arrows only go down: a target depends on targets above it in the manifest`() {
        var declared: Set<String> = []
        for target in Manifest.targets {
            let later = Set(target.dependencies).subtracting(declared)
            #expect(later.isEmpty, "\(target.name) depends on \(later.sorted()), which the manifest declares later")
            declared.insert(target.name)
        }
    }

    @Test func `a declared dependency is used`() {
        for target in Manifest.targets {
            let unused = Set(target.dependencies).subtracting(target.sources.flatMap(\.imports))
            #expect(unused.isEmpty, "\(target.name) declares \(unused.sorted()), and imports none of it")
        }
    }

    @Test(arguments: keepers.keys.sorted()) func `a module with a keeper is imported by its keeper alone`(_ module: String) {
        for target in Manifest.targets where target.name != Self.keepers[module] {
            for file in target.sources { #expect(!file.imports.contains(module), "\(file) imports \(module)") }
        }
    }

    @Test(arguments: ["Redux", "JSON", "HTTP", "DevTools", "Shop", "Counter"])
    func `the rooms without input and output import neither the system nor a C library`(_ room: String) {
        for file in Repository.swift(in: "Sources/\(room)") {
            #expect(Set(file.imports).isSubset(of: ["Synchronization", "Redux"]), "\(file) imports \(file.imports)")
        }
    }

    @Test func `sockets and epoll are spoken to by Runtime alone`() {
        let calls = Pattern(#"\b(?:socket|bind|listen|accept4?|connect|recv|send|epoll_\w+|getaddrinfo)\(\s*[\w.]+\s*,"#)
        for target in Manifest.targets where target.name != "Runtime" {
            for file in target.sources where file.imports.contains("Glibc") {
                for match in calls.matches(in: file.text) { Issue.record("\(file):\(match.line) calls a socket function") }
            }
        }
    }

    @Test(arguments: [
        ("import Glibc", ["Glibc"]), ("public import Redux", ["Redux"]), ("@testable import HTTP", ["HTTP"]),
        ("package import struct Foundation.Data", ["Foundation"]), ("@preconcurrency internal import Dispatch", ["Dispatch"]),
        ("  @_spi(Testing) import JSON", ["JSON"]), ("// import Glibc", []), ("let important = 1", []),
        ("import A\nimport B\n", ["A", "B"]),
    ])
    func `import lines are read`(_ text: String, _ modules: [String]) {
        #expect(Repository.imports(of: text) == modules)
    }
}
