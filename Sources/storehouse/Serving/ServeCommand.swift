internal import API
internal import Accounts
internal import Counter
internal import HTTPServer
internal import Persistence
internal import Redux
internal import Runtime
internal import Shop
internal import Synchronization

extension Command {
    static let serve = Command(
        name: "serve", summary: "Serve accounts over HTTP until SIGTERM or SIGINT.",
        options: [("--accept-loss", nil, "Serve a database that lost acknowledged commits, under new epochs.")],
        takesSettings: true
    ) { options in
        let configuration = Configuration.orExit(options)
        let acceptLoss = options.isOn("--accept-loss")
        do throws(ServeFault) {
            // The one place that names the models.
            switch configuration.model {
            case CounterModel.name:
                try Serving<CounterModel>(configuration, CounterModel.Environment(), acceptLoss: acceptLoss).start(configuration)
            default:
                let environment = try ShopComposition.environment(configuration)
                try Serving<ShopModel>(configuration, environment, acceptLoss: acceptLoss).start(configuration) {
                    ShopComposition.reload(configuration, $0, $1)
                }
            }
        } catch {
            ThisProcess.complain(error.sentences)
            ThisProcess.exit(error.code)
        }
        ThisProcess.waitForever()
    }
}

/// Why the service does not start.
struct ServeFault: Error {
    let sentences: [String]
    let code: ThisProcess.ExitCode

    init(_ sentences: [String], code: ThisProcess.ExitCode = .failure) {
        self.sentences = sentences
        self.code = code
    }
}

/// The composition root: builds the graph of one model, runs it, and takes it down in order.
///
/// The process's queues keep it: it lives until a signal ends the process.
final class Serving<Model: AccountModel>: Sendable {
    private let log: Log
    private let accounts: AccountService<Model>
    private let service: Service<Model>
    private let server: Server
    private let signals = SerialQueue(label: "signals")

    /// Opens the database and builds everything on it; nothing is served yet.
    init(_ configuration: Configuration, _ environment: Model.Environment, acceptLoss: Bool) throws(ServeFault) {
        log = Log(level: configuration.logLevel, form: configuration.logForm, topics: configuration.logTopics)
        let database: Database
        var options = Database.Options()
        options.acceptLoss = acceptLoss
        options.freeBytesMin = configuration.integer("storage.freeBytesMin")
        options.modelVersion = History<Model>().states.version
        do throws(StorageFault) {
            database = try Database.open(
                path: configuration.database, model: Model.name, mode: .createIfNew, options: options)
        } catch {
            if case .otherModel = error { throw ServeFault([error.description], code: .configuration) }
            throw ServeFault([error.description])
        }
        do throws(SystemError) {
            let count = configuration.loops > 0 ? configuration.loops : System.processorCount
            let loops = try EventLoop.group(count: count)
            accounts = AccountService(
                database: database, loops: loops, environment: environment, limits: configuration.accountLimits, log: log)
            service = Service(
                accounts, desk: IdentityDesk(accounts, policy: Self.policy(configuration, log)),
                trustsGateway: configuration.trustsGateway, cors: configuration.cors, showsDevTools: configuration.showsDevTools,
                version: Version.text)
            server = Server(loops: loops, limits: configuration.serverLimits, responder: ModelResponder(service), log: log)
            service.observe(server)
        } catch {
            throw ServeFault([error.description])
        }
    }

    private static func policy(_ configuration: Configuration, _ log: Log) -> IdentityPolicy {
        var policy = configuration.identity
        let path = configuration.verificationFile
        if !path.isEmpty { policy.deliver = { VerificationFile.append($0, to: path, log) } }
        return policy
    }

    /// Makes the demonstration's users, so that they are there once the service says that it is ready.
    private func prepareDemo() throws(ServeFault) {
        let latch = Latch()
        let outcome = Mutex<IdentityFault?>(nil)
        service.desk.prepareDemo { result in
            if case .failure(let fault) = result { outcome.withLock { $0 = fault } }
            latch.open()
        }
        latch.wait()
        if let fault = outcome.withLock({ $0 }) { throw ServeFault(["the demo users cannot be made: \(fault)"]) }
    }

    /// Reads the model's environment anew, at SIGHUP; runs off the loops, and may block.
    typealias Reload = @Sendable (AccountService<Model>, Log) -> Void

    /// Listens, says so, and stops in order when a signal asks for it.
    func start(_ configuration: Configuration, reload: @escaping Reload = { _, _ in }) throws(ServeFault) {
        if configuration.isDemo { try prepareDemo() }
        do throws(SystemError) {
            let address = try server.start(host: configuration.host, port: configuration.port)
            accounts.start { [self] in stopFailed() }
            // Before the ready line: whoever reads it may send a signal at once.
            SignalWatch.forever([.terminate, .interrupt, .hangup], on: signals) { [self] signal in
                if signal == .hangup { reload(accounts, log) } else { stop(signal) }
            }
            ThisProcess.say("storehouse ready on http://\(address)")
        } catch {
            throw ServeFault(["cannot listen on \(configuration.host) port \(configuration.port): \(error)"])
        }
    }

    /// Nothing can be written any more, and what became of the last writes only a new start can tell: answers what waits, and ends.
    private func stopFailed() {
        guard !service.isDraining else { return }
        service.isDraining = true
        let database = accounts.database
        log.error(
            "storage failed", ["database": .text(database.path), "reason": .text(database.metrics.failure ?? "not known")])
        let log = log
        server.drain { _ in
            log.flush()
            ThisProcess.exit(.storage)
        }
    }

    /// Drains the server, writes every state back, closes the database, and ends the process. A second signal does not wait.
    private func stop(_ signal: Signal) {
        guard !service.isDraining else { ThisProcess.exit(.failure) }
        service.isDraining = true
        log.info("stopping", ["signal": .text(signal.name)])
        let (accounts, log) = (accounts, log)
        server.drain { abandoned in
            if abandoned > 0 { log.warning("connections cut off", ["count": .count(abandoned)]) }
            accounts.close {
                log.flush()
                ThisProcess.exit(accounts.database.metrics.hasFailed ? .storage : .success)
            }
        }
    }
}
