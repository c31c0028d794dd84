import Dispatch
import Glibc
import Runtime
import Testing

@Suite struct SocketTests {
    @Test func `port 0 picks a free port, and the address says which`() throws {
        let listener = try Listener(host: "127.0.0.1", port: 0)
        #expect(listener.address.port != 0)
        #expect(listener.address.host == "127.0.0.1")
        #expect("\(listener.address)" == "127.0.0.1:\(listener.address.port)")
    }

    @Test func `an address in use is told by name`() throws {
        let listener = try Listener(host: "127.0.0.1", port: 0)
        let error = #expect(throws: SystemError.self) { _ = try Listener(host: "127.0.0.1", port: listener.address.port) }
        #expect(error?.isAddressInUse == true)
        #expect(error.map(String.init(describing:)) == "bind \(listener.address): Address already in use")
    }

    @Test func `an address of another machine, and a host that is none, are told`() {
        let foreign = #expect(throws: SystemError.self) { _ = try Listener(host: "192.0.2.1", port: 0) }
        #expect(foreign?.call == "bind" && foreign?.subject == "192.0.2.1:0")
        let none = #expect(throws: SystemError.self) { _ = try Listener(host: "256.1.1.1", port: 0) }
        #expect(none?.call == "getaddrinfo" && none?.subject == "256.1.1.1")
    }

    @Test func `IPv6 addresses are written in brackets and counted by their first half`() throws {
        let one = try SocketAddress(host: "2001:db8:1:2:3:4:5:6", port: 80)
        let neighbour = try SocketAddress(host: "2001:db8:1:2::9", port: 81)
        let other = try SocketAddress(host: "2001:db8:1:3::9", port: 80)
        #expect("\(one)" == "[2001:db8:1:2:3:4:5:6]:80")
        #expect(one.clientKey == neighbour.clientKey && one.clientKey != other.clientKey)
        let mapped = try (0...1).map { try SocketAddress(host: "::ffff:192.0.2.\($0)", port: 1).clientKey }
        #expect(mapped[0] != mapped[1], "two IPv4 clients of a socket for both versions are two")
        #expect(try mapped[0] == SocketAddress(host: "192.0.2.0", port: 1).clientKey)
        #expect(try SocketAddress(host: "127.0.0.1", port: 1).clientKey != SocketAddress(host: "127.0.0.2", port: 1).clientKey)
    }

    /// Connects a blocking socket to `address`; the caller closes it.
    private func connect(to address: SocketAddress) -> Int32 {
        let raw = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var storage = sockaddr_in()
        storage.sin_family = sa_family_t(AF_INET)
        storage.sin_port = address.port.bigEndian
        storage.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        let code = unsafe withUnsafePointer(to: storage) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe Glibc.connect(raw, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        #expect(code == 0)
        return raw
    }

    /// Waits until a descriptor has something to read, an end or an error: what was sent is there as soon as the kernel's own threads have run.
    private func awaitArrival(at raw: Int32) {
        var waiting = pollfd(fd: raw, events: Int16(POLLIN), revents: 0)
        var count: Int32 = -1
        repeat { count = unsafe poll(&waiting, 1, 10_000) } while count < 0 && errno == EINTR
        #expect(count == 1)
    }

    /// The connection that waits at `listener`, or is on its way.
    private func accept(_ listener: borrowing Listener) throws -> Socket {
        awaitArrival(at: listener.descriptor.raw)
        guard let accepted = try listener.accept() else { throw SystemError(call: "accept4", code: EAGAIN) }
        return accepted.take()
    }

    @Test func `accepted sockets do not block, are closed on exec and send at once`() throws {
        let listener = try Listener(host: "127.0.0.1", port: 0)
        if try listener.accept() != nil { Issue.record("nobody has connected") }
        let client = connect(to: listener.address)
        let accepted = try accept(listener)
        let raw = accepted.descriptor.raw
        #expect(fcntl(raw, F_GETFL) & O_NONBLOCK != 0)
        #expect(fcntl(raw, F_GETFD) & FD_CLOEXEC != 0)
        var noDelay: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        _ = unsafe getsockopt(raw, Int32(IPPROTO_TCP), TCP_NODELAY, &noDelay, &length)
        #expect(noDelay == 1)
        close(client)
    }

    @Test func `receiving tells bytes, nothing yet, and the end apart; sending to nobody is an error`() throws {
        let listener = try Listener(host: "127.0.0.1", port: 0)
        let client = connect(to: listener.address)
        let accepted = try accept(listener)
        var buffer = [UInt8](repeating: 0, count: 16)
        let received1 = try accepted.receive(into: &buffer)
        #expect(received1 == .wouldBlock)
        _ = unsafe write(client, "abc", 3)
        awaitArrival(at: accepted.descriptor.raw)
        let received2 = try accepted.receive(into: &buffer)
        #expect(received2 == .count(3))
        #expect(buffer.prefix(3) == [97, 98, 99])
        shutdown(client, Int32(SHUT_WR))
        awaitArrival(at: accepted.descriptor.raw)
        let received3 = try accepted.receive(into: &buffer)
        #expect(received3 == .end)
        #expect(try accepted.send([1, 2, 3], from: 1) == .count(2))
        close(client)  // with unread bytes: a reset
        var error: SystemError?
        let deadline = TimeSource.system.monotonic().advanced(byMilliseconds: 10_000)
        do throws(SystemError) {
            while TimeSource.system.monotonic() < deadline { _ = try accepted.send([1]) }
        } catch let caught {
            error = caught
        }
        #expect(error?.isDisconnect == true)
    }

    /// Counts its calls, and may deregister another while it is called.
    private final class Handler: EventHandler {
        var readiness: [Readiness] = []
        var then: () -> Void = {}

        func handle(_ readiness: Readiness, on loop: isolated EventLoop) {
            self.readiness.append(readiness)
            then()
        }
    }

    @Test func `an event of a registration that has ended dies, also within its turn`() throws {
        let loop = try EventLoop()
        let listener = try Listener(host: "127.0.0.1", port: 0)
        let clients = [connect(to: listener.address), connect(to: listener.address)]
        let raws = [try accept(listener).release(), try accept(listener).release()]
        for client in clients { _ = unsafe write(client, "x", 1) }
        let calls = loop.runBlocking { loop in
            LoopLocal(Pair(raws, on: loop), on: loop)
        }
        // Both are ready when the loop first looks; whichever is called first takes the other out of the set.
        let deadline = TimeSource.system.monotonic().advanced(byMilliseconds: 10_000)
        func count() -> Int { loop.runBlocking { calls.value(on: $0)?.calls ?? 0 } }
        while count() == 0 && TimeSource.system.monotonic() < deadline { DispatchQueue.global().sync {} }
        #expect(count() == 1)
        loop.runBlocking { $0.stop() }
        for client in clients { close(client) }
    }

    /// Two sockets whose handlers take each other and themselves out.
    private final class Pair {
        var calls = 0

        init(_ raws: [Int32], on loop: isolated EventLoop) {
            let sockets = raws.map { Holder(Socket(adopting: Descriptor(adopting: $0))) }
            let handlers = raws.map { _ in Handler() }
            let registrations = zip(sockets, handlers).compactMap { socket, handler in
                try? socket.socket.register(for: .read, handler, on: loop)
            }
            for handler in handlers {
                handler.then = { [self] in
                    calls += 1
                    for registration in registrations {
                        loop.deregister(registration)
                        if loop.handler(of: registration) != nil { Issue.record("a registration outlives its end") }
                    }
                    withExtendedLifetime(sockets) {}
                }
            }
        }
    }

    private final class Holder {
        let socket: Socket
        init(_ socket: consuming Socket) { self.socket = socket }
    }
}
