import Dispatch
import Glibc
import HTTP
import Runtime
import Testing

@testable import HTTPServer

/// Connections over their limits, time over real sockets, drain, and descriptors.
@Suite struct LimitTests {
    @Test func `a connection over the limit is told so and closed, and one that closes makes room`() throws {
        var limits = ServerLimits()
        limits.connectionsMax = 2
        let server = try TestServer(limits: limits)
        let first = Client(port: server.port)
        let second = Client(port: server.port)
        first.send("/safe/1".get)
        second.send("/safe/2".get)
        #expect(first.receiveAnswers(1) + second.receiveAnswers(1) == ["200 /safe/1", "200 /safe/2"])
        #expect(Client(port: server.port).exchange("/safe/3".get) == ["503, close"])
        #expect(server.server.counters.connectionsRefused == 1)
        first.close()
        #expect(server.eventually { server.server.counters.connectionsOpen == 1 })
        #expect(Client(port: server.port).exchange("/safe/4".lastGet) == ["200 /safe/4, close"])
        server.stop()
    }

    @Test func `an address over its limit is told so, by default there is none`() throws {
        var limits = ServerLimits()
        #expect(limits.connectionsPerAddressMax == nil && limits.requestsPerConnectionMax == nil)
        limits.connectionsPerAddressMax = 1
        let server = try TestServer(limits: limits)
        let first = Client(port: server.port)
        first.send("/safe/1".get)
        #expect(first.receiveAnswers(1) == ["200 /safe/1"])
        #expect(Client(port: server.port).exchange("/safe/2".get) == ["429, close"])
        first.close()
        #expect(server.eventually { server.server.counters.connectionsOpen == 0 })
        #expect(Client(port: server.port).exchange("/safe/3".lastGet) == ["200 /safe/3, close"])
        server.stop()
    }

    @Test func `beyond those told so nothing is accepted until one goes, and then it is`() throws {
        var limits = ServerLimits()
        limits.connectionsMax = 1
        let server = try TestServer(limits: limits)
        let crowd = (0..<(ServerLimits.refusedConnectionsMax + 20)).map { _ in Client(port: server.port) }
        #expect(server.eventually { server.server.counters.acceptPauses > 0 })
        #expect(server.server.counters.connectionsAccepted == ServerLimits.refusedConnectionsMax + 1)
        for client in crowd { client.reset() }
        #expect(server.eventually { server.server.counters.connectionsOpen == 0 })
        server.advance(ServerLimits.acceptPauseMilliseconds)
        #expect(server.eventually { server.server.counters.connectionsAccepted >= crowd.count })
        #expect(server.eventually { server.server.counters.connectionsOpen == 0 })
        #expect(Client(port: server.port).exchange("/safe/1".lastGet) == ["200 /safe/1, close"])
        server.stop()
    }

    @Test func `deadlines run without events of the connection`() throws {
        let server = try TestServer()
        let silent = Client(port: server.port)
        let late = Client(port: server.port)
        late.send("GET / HT")
        #expect(server.eventually { server.server.counters.connectionsOpen == 2 && server.server.counters.bytesReceived == 8 })
        server.advance(10_000)
        #expect(silent.receiveAll() == "")
        #expect(Answers.parse(late.receiveAll()) == ["408, close"])
        server.stop()
    }

    @Test func `drain answers what is in flight, tells those who wait, closes the idle, and accepts no more`() throws {
        let server = try TestServer()
        let idle = Client(port: server.port)
        let waiting = Client(port: server.port)
        waiting.send("/wait/1".get)
        let stream = Client(port: server.port)
        stream.send("/stream/1".get)
        #expect(server.eventually { server.responder.pending.count == 2 && server.server.counters.connectionsOpen == 3 })
        let wait = server.drain()
        #expect(idle.receiveAll() == "")
        #expect(server.eventually { server.responder.draining.sorted() == ["/stream/1", "/wait/1"] })
        server.responder.waiting("/wait/1")?.respond(Response(status: .ok))
        let open = try #require(server.responder.stream("/stream/1"))
        open.exchange.loop.runBlocking { loop in
            open.write(Array("bye".utf8), on: loop)
            open.end(on: loop)
        }
        #expect(Answers.parse(waiting.receiveAll()) == ["200, close"])
        #expect(Answers.parse(stream.receiveAll()) == ["200 bye."])
        waiting.close()
        stream.close()
        #expect(wait() == 0)
        #expect(server.server.counters.connectionsOpen == 0)
        // The port is free again, once a process that is just being spawned has let go of its copy of the descriptor.
        func isFree() -> Bool {
            do { _ = try Listener(host: "127.0.0.1", port: server.port) } catch { return false }
            return true
        }
        #expect(server.eventually(isFree))
        server.stop()
    }

    @Test func `drain cuts off at its deadline, and says how many`() throws {
        let server = try TestServer()
        let client = Client(port: server.port)
        client.send("/wait/1".get)
        #expect(server.eventually { server.responder.pending == ["/wait/1"] })
        let wait = server.drain()
        #expect(server.eventually { server.responder.draining == ["/wait/1"] })
        server.advance(10_000)
        #expect(wait() == 1)
        #expect(client.receiveAll() == "")
        #expect(server.eventually { server.responder.closed == ["/wait/1"] })
        server.stop()
    }

    // In processes of their own, because they count or limit descriptors.

    @Test func `no scenario leaves a descriptor open`() async {
        await #expect(processExitsWith: .success) {
            func scenario() throws {
                let server = try TestServer()
                for _ in 0..<20 {
                    _ = Client(port: server.port).exchange("/safe/1".get + "/echo".post("x"))
                    _ = Client(port: server.port).exchange("BAD\n\n")
                    let client = Client(port: server.port)
                    client.send("/wait/1".get)
                    client.reset()
                }
                let left = Client(port: server.port)
                left.send("/stream/1".get)
                guard server.eventually({ server.server.counters.connectionsAccepted == 61 }) else { exit(2) }
                server.stop()
            }
            try scenario()  // what Dispatch and the runtime open once
            let before = System.openDescriptorCount
            try scenario()
            // Closing the epoll sets passes through Dispatch's threads.
            let deadline = TimeSource.system.monotonic().advanced(byMilliseconds: 10_000)
            while System.openDescriptorCount > before && TimeSource.system.monotonic() < deadline { sched_yield() }
            exit(System.openDescriptorCount <= before ? 0 : 1)
        }
    }

    @Test func `without descriptors accepting pauses, does not spin, and recovers`() async {
        await #expect(processExitsWith: .success) {
            let server = try TestServer(loops: 1)
            let survivor = Client(port: server.port)
            survivor.send("/safe/1".get)
            guard survivor.receiveAnswers(1) == ["200 /safe/1"] else { exit(2) }
            // From here on there is room for twelve descriptors more, and each client takes one itself. The limit is on their numbers, and
            // some that came from the parent process may have high ones: so the free numbers are counted, not the open descriptors.
            var (number, free) = (Int32(0), 0)
            while free < 12 {
                if fcntl(number, F_GETFD) == -1 { free += 1 }
                number += 1
            }
            var limit = rlimit()
            unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            limit.rlim_cur = rlim_t(number)
            unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            // The loop is held meanwhile, so that it takes none of the descriptors the clients need.
            let (held, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            server.loops[0].execute { _ in
                held.signal()
                gate.wait()
            }
            held.wait()
            var clients: [Client] = []
            for _ in 0..<8 { clients.append(Client(port: server.port)) }
            gate.signal()
            guard server.eventually({ server.server.counters.acceptPauses == 1 }) else { exit(3) }
            // The clock stands, so it stays at one pause however often the loop turns.
            for _ in 0..<100 { server.advance(0) }
            guard server.server.counters.acceptPauses == 1 else { exit(4) }
            survivor.send("/safe/2".get)
            guard survivor.receiveAnswers(1) == ["200 /safe/2"] else { exit(5) }
            for client in clients.dropLast() { client.close() }
            guard server.eventually({ server.server.counters.connectionsOpen < 8 }) else { exit(6) }
            server.advance(ServerLimits.acceptPauseMilliseconds)
            guard clients.last?.exchange("/safe/3".lastGet) == ["200 /safe/3, close"] else { exit(7) }
            exit(0)
        }
    }
}
