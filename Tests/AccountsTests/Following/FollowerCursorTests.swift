import Accounts
import Testing

@Suite struct `A follower's cursor` {
    private func at(_ resumption: Resumption, head: Int64 = 10) -> FollowerCursor {
        FollowerCursor(resumption, epoch: "e", head: head)
    }

    @Test func `begins with a snapshot, or after what the client has seen`() {
        var fresh = at(.fresh)
        #expect(fresh.next() == .sendSnapshot(nil))
        var abreast = at(.after(EventID(epoch: "e", revision: 10)))
        #expect(abreast.next() == .wait)
        var behind = at(.afterRevision(7))
        #expect(behind.next() == .read(after: 7))
        #expect(behind.next() == .wait, "one read at a time")
    }

    @Test(
        arguments: [
            (.after(EventID(epoch: "other", revision: 3)), .epoch), (.after(EventID(epoch: "e", revision: 11)), .unknown),
            (.unknown, .unknown), (.afterRevision(11), .unknown),
        ] as [(Resumption, ResetReason)])
    func `says why an id leads nowhere`(_ resumption: Resumption, _ reason: ResetReason) {
        var cursor = at(resumption)
        #expect(cursor.next() == .sendSnapshot(reason))
    }

    @Test func `wants live transitions only while it is abreast`() {
        var cursor = at(.afterRevision(10))
        #expect(cursor.wants(11) && !cursor.wants(10) && !cursor.wants(12))
        cursor.wrote(11)
        cursor.blocked()
        #expect(!cursor.wants(12))
        cursor.learn(12)
        #expect(cursor.next() == .wait, "nothing is read for one who cannot take it")
        cursor.writable()
        #expect(cursor.next() == .read(after: 11))
        #expect(!cursor.wants(12), "a page is on its way")
        cursor.pageEnded()
    }

    @Test func `meets live transitions at the end of a page, without gap or repeat`() {
        var cursor = at(.afterRevision(8))
        #expect(cursor.next() == .read(after: 8))
        cursor.learn(11)
        for revision in [9, 10, 11] as [Int64] {
            #expect(cursor.wantsRead(revision))
            cursor.wrote(revision)
        }
        #expect(!cursor.wantsRead(12), "what is not known to be committed is not told")
        cursor.pageEnded()
        #expect(cursor.next() == .wait)
        #expect(!cursor.wants(11) && cursor.wants(12))
    }

    @Test func `starts again from a snapshot where the log was trimmed`() {
        var cursor = at(.afterRevision(2))
        #expect(cursor.next() == .read(after: 2))
        cursor.trimmed()
        #expect(cursor.next() == .sendSnapshot(.trimmed))
        cursor.snapshotSent(at: 10)
        #expect(cursor.next() == .wait)
        #expect(cursor.wants(11))
    }

    @Test(arguments: [("e.5", "e.5"), ("aB-_.0", "aB-_.0"), ("e.5.hash", "e.5.hash")])
    func `an id is read back as it was written`(_ text: String, _ again: String) {
        #expect(EventID(text)?.description == again)
    }

    @Test(arguments: ["", "5", "e", ".5", "e.", "e.-1", "e.x", "e.5.h.h", "e.99999999999999999999"])
    func `another text is no id`(_ text: String) {
        #expect(EventID(text) == nil)
    }
}
