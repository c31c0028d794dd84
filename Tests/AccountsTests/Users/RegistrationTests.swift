import Accounts
import Counter
import Identity
import JSON
import Persistence
import Redux
import Runtime
import Shop
import Sodium
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10))) struct `Registering` {
    @Test func `opens an account with its owner in its log, and a session`() async throws {
        let bench = try Bench.shop()
        let session = try await bench.desk().register(" Ada@Example.com").get()
        #expect(session.account.record.email == "ada@example.com")
        #expect(try await bench.holder(of: session.token) == session.account.id)
        #expect(
            try await bench.log(of: session.account.id).prefix(3) == ["session/registered", "profile/load", "cart/load"])
        #expect(try bench.part("/profile/email", of: session.account) == "ada@example.com")
        #expect(try bench.part("/session/kind", of: session.account) == "registered")
        #expect(session.expires == bench.time.wallMilliseconds + 30 * 24 * 3_600_000)
        #expect(bench.accounts.counters.events["registration"] == 1)
        await bench.end()
    }

    @Test func `on a guest's token keeps the account, its cart and its token`() async throws {
        let bench = try Bench.shop()
        let (guest, token) = try await bench.create()
        _ = await bench.dispatch(.cart(.addItem(ProductAddition(productID: "dune", quantity: 2))), to: guest.id)
        let created = guest.record.created
        bench.time.advance(byMilliseconds: 1000)
        let session = try await bench.desk().register(guest: guest).get()
        #expect(session.account.id == guest.id)
        #expect(session.account.record.created == created)
        #expect(try bench.part("/cart/lines/0/quantity", of: session.account) == 2)
        #expect(try await bench.holder(of: token) == guest.id)
        // From now on the guest's token ends as a user's does.
        bench.time.advance(byMilliseconds: 31 * 24 * 3_600_000)
        #expect(try await bench.holder(of: token) == nil)
        await bench.end()
    }

    @Test func `on a user's token is refused`() async throws {
        let bench = try Bench.shop()
        let desk = bench.desk()
        let session = try await desk.register().get()
        #expect(await desk.register("b@example.com", guest: session.account).fault == "alreadyRegistered")
        await bench.end()
    }

    @Test func `twice at once under one address succeeds once`() async throws {
        let bench = try Bench.shop()
        let desk = bench.desk()
        let (guest, _) = try await bench.create()
        async let first = desk.register()
        async let second = desk.register(" ADA@example.com")
        async let third = desk.register(guest: guest)
        let faults = await [first.fault, second.fault, third.fault].sorted()
        #expect(faults == ["emailTaken", "emailTaken", "ok"])
        #expect(await desk.register().fault == "emailTaken")
        await bench.end()
    }

    @Test(
        arguments: [
            ("ada", "password123", "Ada", "invalidEmail"), ("ada@example.com", "passw", "Ada", "tooShort(charactersMin: 6)"),
            ("ada@example.com", String(repeating: "p", count: 1025), "Ada", "tooLong(bytesMax: 1024)"),
            ("ada@example.com", "password123", "  ", "invalidName"),
        ])
    func `says what is wrong`(_ email: String, _ password: String, _ name: String, _ fault: String) async throws {
        let bench = try Bench.shop()
        #expect(await bench.desk().register(email, password, name: name).fault.contains(fault))
        await bench.end()
    }

    @Test func `that cannot be committed leaves the address free`() async throws {
        let isFull = Mutex(true)
        let bench = try Bench.shop(faults: FaultInjection { _ in isFull.withLock { $0 } ? .full : nil })
        let desk = bench.desk()
        #expect(await desk.register().fault.contains("full"))
        isFull.withLock { $0 = false }
        #expect(await desk.register().fault == "ok")
        await bench.end()
    }

    @Test func `survives a restart, with its session`() async throws {
        let bench = try Bench.shop()
        let session = try await bench.desk().register().get()
        let again = try await bench.restarted(environment: bench.accounts.environment)
        #expect(try await again.holder(of: session.token) == session.account.id)
        #expect(try await again.desk().logIn().get().account.id == session.account.id)
        await again.end()
    }

    @Test func `works for a model that does not care for sessions`() async throws {
        let bench = try Bench<CounterModel>()
        let desk = bench.desk()
        let session = try await desk.register().get()
        #expect(try await desk.logIn().get().account.id == session.account.id)
        #expect(try await bench.log(of: session.account.id) == [])
        try await bench.logOut(session.token)
        #expect(try await bench.holder(of: session.token) == nil)
        await bench.end()
    }
}

@Suite(.timeLimit(.minutes(10))) struct `Verification` {
    @Test func `is wanted before an account can be used, where it is required`() async throws {
        let bench = try Bench.shop()
        let sent = Mutex<[VerificationMessage]>([])
        let desk = bench.desk {
            $0.requiresVerification = true
            $0.deliver = { message in sent.withLock { $0.append(message) } }
        }
        let session = try await desk.register().get()
        #expect(session.account.record.awaitsVerification)
        #expect(await desk.logIn().fault == "notVerified")
        #expect(await desk.logIn("ada@example.com", "wrong password").fault == "wrongCredentials")
        await bench.until { sent.withLock { !$0.isEmpty } }
        let code = try #require(sent.withLock { $0.first?.code })
        #expect(await desk.verify("nonsense").fault == "invalidCode")
        #expect(await desk.verify(session.token).fault == "invalidCode")
        #expect(try await desk.verify(code).get() == session.account.id)
        #expect(try bench.part("/profile/verified", of: session.account) == true)
        #expect(await desk.verify(code).fault == "invalidCode", "a code is used up")
        #expect(await desk.logIn().fault == "ok")
        #expect(bench.accounts.counters.events["registration"] == 1)
        await bench.end()
    }

    @Test func `sends another code to who knows the password, not too often, and the newest counts`() async throws {
        let bench = try Bench.shop()
        let sent = Mutex<[String]>([])
        let desk = bench.desk {
            $0.requiresVerification = true
            $0.deliver = { message in sent.withLock { $0.append(message.code) } }
        }
        _ = try await desk.register().get()
        _ = await desk.logIn()
        bench.time.advance(byMilliseconds: 60_000)
        _ = await desk.logIn()
        await bench.until { sent.withLock { $0.count == 2 } }
        let codes = sent.withLock { $0 }
        #expect(await desk.verify(codes[0]).fault == "invalidCode")
        #expect(await desk.verify(codes[1]).fault == "ok")
        await bench.end()
    }

    @Test func `ends the tokens the guest had`() async throws {
        let bench = try Bench.shop()
        let (guest, token) = try await bench.create()
        let desk = bench.desk { $0.requiresVerification = true }
        _ = try await desk.register(guest: guest).get()
        #expect(try await bench.holder(of: token) == nil)
        await bench.end()
    }
}
