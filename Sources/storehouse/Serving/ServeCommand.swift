internal import API
internal import Accounts
internal import Counter
internal import HTTPServer
internal import Persistence
internal import Redux
internal import Runtime
internal import Shop

extension Command {
    static let serve = Command(
        name: "serve", summary: "Serve accounts over HTTP until SIGTERM or SIGINT.", options: [], takesSettings: true
    ) { options in
        let configuration = Configuration.orExit(options)
        // The one place that names the models.
        switch configuration.model {
        case CounterModel.name: Serving<CounterModel>.run(configuration, CounterModel.Environment())
        default: Serving<ShopModel>.run(configuration, ShopComposition.environmentOrExit(configuration))
        }
    }
}

/// The composition root: builds the graph of one model, runs it, and takes it down in order.
struct Serving<Model: AccountModel> {
    private let log: Log
    private let database: Database
    private let accounts: AccountService<Model>
    private let service: Service<Model>
    private let server: Server

    /// Serves until a signal ends it. Does not return.
    static func run(_ configuration: Configuration, _ environment: Model.Environment) -> Never {
        let log = Log(level: configuration.logLevel, form: configuration.logForm)
        let serving = Serving(configuration, environment, log)
        serving.start(configuration)
        let queue = SerialQueue(label: "signals")
        let watch = SignalWatch([.terminate, .interrupt], on: queue) { signal in serving.stop(signal) }
        withExtendedLifetime(watch) { ThisProcess.waitForever() }
    }

    private init(_ configuration: Configuration, _ environment: Model.Environment, _ log: Log) {
        self.log = log
        do throws(StorageFault) {
            database = try Database.open(path: configuration.database, model: Model.name, mode: .createIfNew)
        } catch {
            ThisProcess.say("storehouse: \(error)")
            if case .otherModel = error { ThisProcess.exit(.configuration) }
            ThisProcess.exit(.failure)
        }
        do throws(SystemError) {
            let count = configuration.loops > 0 ? configuration.loops : System.processorCount
            let loops = try EventLoop.group(count: count)
            accounts = AccountService(database: database, loops: loops, environment: environment, log: log)
            service = Service(accounts)
            server = Server(loops: loops, limits: ServerLimits(), responder: service, log: log)
        } catch {
            ThisProcess.say("storehouse: \(error)")
            ThisProcess.exit(.failure)
        }
    }

    private func start(_ configuration: Configuration) {
        do throws(SystemError) {
            let address = try server.start(host: configuration.host, port: configuration.port)
            accounts.start()
            ThisProcess.say("storehouse ready on http://\(address)")
        } catch {
            ThisProcess.say("storehouse: cannot listen on \(configuration.host) port \(configuration.port): \(error)")
            ThisProcess.exit(.failure)
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
                ThisProcess.exit(.success)
            }
        }
    }
}
