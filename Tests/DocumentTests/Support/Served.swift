import API
import Accounts
import Foundation
import HTTPServer
import Persistence
import Redux
import Runtime

/// A model behind the whole service, in this process: accounts, HTTP, sockets, and a database in a folder of its own.
final class Served<Model: AccountModel>: Sendable where Model.Environment == NoEnvironment {
    let accounts: AccountService<Model>
    let port: UInt16
    private let loops: [EventLoop]
    private let server: Server
    private let folder: URL

    /// Serves from `folder`, whose database is made where there is none.
    init(in folder: URL = FileManager.default.temporaryDirectory.appending(path: "storehouse-\(UUID().uuidString)")) throws {
        self.folder = folder
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let log = Log(level: .error, form: .text, sink: { _ in })
        loops = try EventLoop.group(count: 1)
        var options = Database.Options()
        options.freeBytesMin = 0
        options.modelVersion = History<Model>().states.version
        let database = try Database.open(
            path: folder.appending(path: "storehouse.sqlite").path, model: Model.name, mode: .createIfNew, options: options)
        accounts = AccountService(
            database: database, loops: loops, environment: NoEnvironment(), limits: AccountLimits(), log: log)
        let service = Service(accounts, desk: IdentityDesk(accounts))
        server = Server(loops: loops, limits: ServerLimits(), responder: service, log: log)
        service.observe(server)
        port = try server.start(host: "127.0.0.1", port: 0).port
        accounts.start()
    }

    /// Stops in order, and leaves the database.
    func stop() async {
        await withCheckedContinuation { done in server.drain { _ in done.resume() } }
        await withCheckedContinuation { done in accounts.close { done.resume() } }
        for loop in loops { await loop.stop() }
    }

    /// Stops, and leaves nothing behind.
    func end() async {
        await stop()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Stops, and serves what another model makes of the same database.
    func followed<Next: AccountModel>(by next: Next.Type) async throws -> Served<Next> where Next.Environment == NoEnvironment {
        await stop()
        return try Served<Next>(in: folder)
    }
}
