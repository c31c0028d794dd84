public import HTTP
public import JSON
internal import Redux

/// An error answer: `application/problem+json` (RFC 9457).
public struct Problem: Error, Sendable {
    /// Decides the answer's type, title and status.
    public let kind: ProblemKind
    /// How to mend it, for a person; says nothing of the service's inside.
    public var detail: String
    /// The place in the request's body that is at fault.
    public var pointer: JSONPointer?
    /// Further members, such as the current revision of a 412.
    public var members: [(String, JSONValue)] = []
    /// Further fields.
    public var fields = ResponseFields()

    /// Makes a problem without further members or fields; `pointer` is nil where no one place of the body is at fault.
    public init(_ kind: ProblemKind, _ detail: String, pointer: JSONPointer? = nil) {
        self.kind = kind
        self.detail = detail
        self.pointer = pointer
    }

    private static let common = ResponseFields([(.contentType, "application/problem+json"), (.cacheControl, "no-store")])

    /// Where the documents describe a kind; a full path, so that it can be resolved against the service.
    static let typePrefix = "/problems/"

    /// With a `Retry-After` of whole seconds (RFC 9110, 10.2.3).
    func retry(afterSeconds seconds: Int) -> Problem {
        var problem = self
        problem.fields.add(.retryAfter, seconds)
        return problem
    }

    /// With another member.
    func with(_ name: String, _ value: JSONValue) -> Problem {
        var problem = self
        problem.members.append((name, value))
        return problem
    }

    /// The canonical JSON of the problem.
    public var body: [UInt8] { value.canonicalBytes }

    /// The problem as a value, for an answer that holds several.
    public var value: JSONValue {
        var object = JSONObject()
        object["type"] = .string(Problem.typePrefix + kind.slug)
        object["title"] = .string(kind.title)
        object["status"] = .integer(Int64(kind.status.code))
        object["detail"] = .string(detail)
        if let pointer {
            object["pointer"] = .string(pointer.text)
            object["errors"] = .array([["detail": .string(detail), "pointer": .string(pointer.fragment)]])
        }
        for (name, value) in members { object[name] = value }
        return .object(object)
    }

    /// The answer. Sent whatever Accept says; never stored by a cache.
    public var response: Response {
        var fields = Problem.common
        if let challenge { fields.add(.wwwAuthenticate, challenge) }
        fields.add(self.fields)
        return Response(status: kind.status, fields: fields, body: body)
    }

    /// RFC 6750, section 3: no error code where no credentials were sent. Nil where the token is not what is at fault.
    private var challenge: String? {
        switch kind {
        case .unauthorized: "Bearer realm=\"storehouse\""
        case .invalidToken: "Bearer realm=\"storehouse\", error=\"invalid_token\""
        case .invalidCredentials: "Bearer realm=\"storehouse\", error=\"invalid_request\""
        // RFC 9110, 15.5.2: every 401 has a challenge.
        default: kind.status == .unauthorized ? "Bearer realm=\"storehouse\"" : nil
        }
    }
}
