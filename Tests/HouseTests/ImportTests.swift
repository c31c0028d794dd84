import Foundation
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
        "storehouse": ["Glibc", "Synchronization"],  // exit, getenv, reading a configuration file
    ]

    /// Modules that exactly one room may import, whatever the manifest says.
    static let keepers = [
        "CLinux": ["Runtime"],
        "CSQLite": ["SQLite"],
        "CSodium": ["Sodium"],
        "Dispatch": ["Runtime"],
        "SQLite": ["Persistence"],
        "Shop": ["storehouse"],
        "Counter": ["storehouse"],
    ]

    /// The modules a line of source imports; empty where it is no import.
    static func importedModule(_ line: Substring) -> String? {
        let pattern =
            /^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|fileprivate|private)\s+)?import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias|actor)\s+)?(\w+)/
        return line.firstMatch(of: pattern).map { String($0.output.1) }
    }

    @Test func `every import is a dependency the manifest declares, or a toolchain module the room may use`() throws {
        for target in try Manifest().targets {
            let allowed = Set(target.dependencies).union(Self.toolchainModules[target.name] ?? [])
            for file in try Repository.sources(of: target.name) {
                for line in file.lines {
                    guard let module = Self.importedModule(line) else { continue }
                    #expect(allowed.contains(module), "\(file) imports \(module); \(target.name) may import \(allowed.sorted())")
                }
            }
        }
    }

    @Test func `arrows only go down: a target depends on targets above it in the manifest`() throws {
        var declared: Set<String> = []
        for target in try Manifest().targets {
            for dependency in target.dependencies {
                #expect(
                    declared.contains(dependency), "\(target.name) depends on \(dependency), which the manifest declares later")
            }
            declared.insert(target.name)
        }
    }

    @Test func `a declared dependency is used`() throws {
        for target in try Manifest().targets {
            let files = try Repository.sources(of: target.name)
            // A room that has not begun has nothing to import for.
            if files.count == 1, files[0].lines.count < 5 { continue }
            let imported = Set(files.flatMap { $0.lines.compactMap(Self.importedModule) })
            for dependency in target.dependencies {
                #expect(imported.contains(dependency), "\(target.name) declares \(dependency) and imports it nowhere")
            }
        }
    }

    @Test(arguments: keepers.keys.sorted()) func `a module with a keeper is imported by its keeper alone`(_ module: String) throws
    {
        for target in try Manifest().targets where Self.keepers[module]?.contains(target.name) == false {
            for file in try Repository.sources(of: target.name) {
                #expect(!file.lines.contains { Self.importedModule($0) == module }, "\(file) imports \(module)")
            }
        }
    }

    @Test(arguments: ["Redux", "JSON", "HTTP", "Shop", "Counter"])
    func `the rooms without input and output import neither the system nor a C library`(_ room: String) throws {
        for file in try Repository.sources(of: room) {
            let modules = Set(file.lines.compactMap(Self.importedModule))
            #expect(modules.isSubset(of: ["Synchronization", "Redux"]), "\(file) imports \(modules.sorted())")
        }
    }

    @Test func `sockets and epoll are spoken to by Runtime alone`() throws {
        let calls = /\b(?:Glibc\.)?(?:socket|bind|listen|accept4?|connect|recv|send|epoll_\w+|getaddrinfo)\(\s*[\w.]+\s*,/
        for target in try Manifest().targets where target.name != "Runtime" {
            for file in try Repository.sources(of: target.name) {
                guard file.lines.contains(where: { Self.importedModule($0) == "Glibc" }) else { continue }
                for (index, line) in file.lines.enumerated() {
                    #expect(line.firstMatch(of: calls) == nil, "\(file):\(index + 1) calls a socket function")
                }
            }
        }
    }

    @Test(
        arguments: [
            ("import Glibc", "Glibc"), ("public import Redux", "Redux"), ("@testable import HTTP", "HTTP"),
            ("package import struct Foundation.Data", "Foundation"), ("@preconcurrency internal import Dispatch", "Dispatch"),
            ("  @_spi(Testing) import JSON", "JSON"), ("// import Glibc", nil), ("let important = 1", nil),
        ] as [(Substring, String?)])
    func `an import line is read`(_ line: Substring, _ module: String?) {
        #expect(Self.importedModule(line) == module)
    }
}
