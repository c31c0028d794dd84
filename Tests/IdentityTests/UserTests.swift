import Identity
import Testing

@Suite struct `Sign-in names` {
    @Test(
        arguments: [
            ("user@example.com", "user@example.com"), ("  User@Example.COM\n", "user@example.com"),
            ("o'neil+books@mail.example.co.uk", "o'neil+books@mail.example.co.uk"), ("a@localhost", "a@localhost"),
            ("x@xn--bcher-kva.example", "x@xn--bcher-kva.example"),
        ])
    func `have one comparable form`(_ written: String, _ form: String) {
        #expect(EmailAddress(written)?.text == form)
    }

    @Test(
        arguments: [
            "", "user", "@example.com", "user@", "a@b@c", "us er@example.com", "user@exa mple.com", "user@example..com",
            "user@-example.com", "user@example.com.", "ünser@example.com", "user@exämple.com", "user@example_com", "a\u{0}b@c.de",
        ])
    func `are refused where they cannot be an address`(_ text: String) {
        #expect(EmailAddress(text) == nil)
    }

    @Test func `are bounded`() {
        let local = String(repeating: "a", count: EmailAddress.localBytesMax)
        #expect(EmailAddress(local + "@example.com") != nil)
        #expect(EmailAddress(local + "a@example.com") == nil)
        let label = String(repeating: "d", count: 60) + "."
        let long = "a@" + String(repeating: label, count: 4) + "com"
        #expect(EmailAddress(long)?.text.utf8.count == 249)
        #expect(EmailAddress("abcdef" + long)?.text.utf8.count == nil)
    }

    @Test func `belong to people with names`() {
        #expect(OwnerName.isAcceptable("Ada Lovelace"))
        #expect(OwnerName.isAcceptable(String(repeating: "é", count: OwnerName.bytesMax / 2)))
        #expect(!OwnerName.isAcceptable(String(repeating: "a", count: OwnerName.bytesMax + 1)))
        #expect(!OwnerName.isAcceptable(" \u{a0}\t"))
        #expect(!OwnerName.isAcceptable("Ada\u{7}"))
    }
}

@Suite struct `The table of locks` {
    private let policy = LockPolicy(failuresMax: 3, window: 1000, lockDuration: 5000)

    @Test func `locks a name at the last failure allowed, and no other name`() {
        var table = LockTable(policy: policy)
        var locking: [Bool] = []
        for time in 0..<3 as Range<Int64> {
            #expect(table.standing(of: "a", at: time) == .open)
            locking.append(table.recordFailure(of: "a", at: time))
        }
        #expect(table.standing(of: "a", at: 3) == .locked(milliseconds: 4999))
        // A locked name is not locked again.
        locking.append(table.recordFailure(of: "a", at: 4))
        #expect(locking == [false, false, true, false])
        #expect(table.standing(of: "b", at: 3) == .open)
        #expect(table.standing(of: "a", at: 5002) == .open)
    }

    @Test func `forgets a name that succeeds`() {
        var table = LockTable(policy: policy)
        table.recordFailure(of: "a", at: 0)
        table.recordFailure(of: "a", at: 0)
        table.recordSuccess(of: "a")
        let isLocking = table.recordFailure(of: "a", at: 0)
        #expect(!isLocking)
        #expect(table.count == 1)
    }

    @Test func `is bounded, and forgets the name that failed longest ago`() {
        var table = LockTable(policy: policy, namesMax: 2)
        for name in ["b", "b", "a", "a", "c"] { table.recordFailure(of: name, at: 0) }
        #expect(table.count == 2)
        // It was forgotten: this is its first.
        let isLocking = table.recordFailure(of: "b", at: 0)
        #expect(!isLocking)
        #expect(table.count == 2)
        for name in 0..<1000 { table.recordFailure(of: "\(name)", at: 0) }
        #expect(table.count == 2)
    }
}
