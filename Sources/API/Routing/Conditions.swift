internal import Accounts
internal import HTTP
internal import HTTPServer
internal import JSON
internal import Redux
internal import Runtime

// The conditions of requests (RFC 9110, 13): If-Match first, then If-None-Match; a method whose condition is false is not performed.

extension Fields {
    /// What must hold before a method that changes something is performed; nil where nothing is asked.
    func precondition() throws(Problem) -> Precondition? {
        let match = try conditionTags(.ifMatch).map { $0.isEmpty ? Precondition.exists : .tags($0) }
        let noneMatch = try conditionTags(.ifNoneMatch).map { $0.isEmpty ? Precondition.absent : .noTags($0) }
        guard let match, let noneMatch else { return match ?? noneMatch }
        return .both(match, noneMatch)
    }

    /// The tags of a condition; none for `*`, nil where it is not there.
    private func conditionTags(_ name: FieldName) throws(Problem) -> [[UInt8]]? {
        guard first(name) != nil else { return nil }
        let members = entityTags(name)
        if members.count == 1, members[0].equals("*") { return [] }
        guard !members.isEmpty, members.allSatisfy({ EntityTagText.isWellFormed($0.copy) }) else {
            throw Problem(.badRequest, "\(name.text) is \"*\" or a list of quoted entity tags.")
        }
        return members.map(\.copy)
    }

    /// Whether If-Match is there and names other tags than this one: then what it asks for is not done.
    func asksForOther(than made: @autoclosure () -> [UInt8]) -> Bool {
        guard first(.ifMatch) != nil else { return false }
        let tag = made()
        return !entityTags(.ifMatch).contains { $0.equals(tag) || $0.equals("*") }
    }
}

extension Service {
    /// The answer to a reading request where its conditions decide: 412, 304, or nil where it is to be answered in full.
    func answer(to head: RequestHead, conditionsOn tag: [UInt8], at revision: Revision) -> Response? {
        if head.fields.asksForOther(than: tag) { return Problem.preconditionFailed(at: revision).response }
        return head.fields.noneMatch(tag) ? nil : notModified(tag)
    }

    /// The refusal of a changing request on an account whose conditions do not hold of its newest committed state; nil where they do.
    ///
    /// For the routes whose handlers do not compare for themselves: what is dispatched is compared with the working head instead.
    func refusal(of head: RequestHead, for caller: Caller) -> Problem? {
        guard head.fields.first(.ifMatch) != nil || head.fields.first(.ifNoneMatch) != nil else { return nil }
        do throws(Problem) {
            let published = caller.account.published
            guard let condition = try head.fields.precondition(), !condition.holds(for: published, epoch: caller.account.epoch)
            else { return nil }
            return .preconditionFailed(at: published.revision)
        } catch {
            return error
        }
    }
}

extension Problem {
    static func preconditionFailed(at revision: Revision) -> Problem {
        Problem(.preconditionFailed, "The account is at revision \(revision), and the request's condition does not hold.")
            .with("revision", .integer(revision))
    }
}
