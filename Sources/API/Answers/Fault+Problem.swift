internal import Accounts
internal import HTTP
internal import JSON
internal import Persistence
internal import Redux

// The one place where the typed errors of the rooms below become answers.

extension Problem {
    /// A body that is not JSON, or not within the limits of JSON here.
    init(_ fault: JSONFault) {
        let place = fault.offset.map { " (at byte \($0))" } ?? ""
        if fault.kind.isMalformedText {
            self.init(.malformedJSON, fault.detail + place)
        } else {
            self.init(.invalidPayload, fault.detail, pointer: fault.pointer)
        }
        if let offset = fault.offset { members.append(("offset", .integer(Int64(offset)))) }
    }

    init<Model: AccountModel>(_ fault: ActionCodec<Model>.Fault, at place: JSONPointer) {
        switch fault {
        case .unknown(let name, let nearest):
            let hint = nearest.isEmpty ? "" : " Did you mean \(nearest.joined(separator: " or "))?"
            self.init(.unknownAction, "There is no action \"\(name)\".\(hint)", pointer: place.appending("type"))
        case .factFromClient(let name):
            self.init(
                .factFromClient, "\(name) is reported by the service; clients send intentions.", pointer: place.appending("type"))
        case .payload(let detail, let pointer):
            self.init(.invalidPayload, detail, pointer: pointer)
        }
    }

    /// A refused action; `index` is its place in a batch.
    init(_ refusal: Refusal, index: Int?) {
        var pointer: JSONPointer?
        if let place = refusal.pointer, let parsed = try? JSONPointer(parsing: place) {
            pointer = index.map { JSONPointer([String($0)] + parsed.tokens) } ?? parsed
        }
        self.init(ProblemKind(refusal.kind), refusal.detail, pointer: pointer)
        if let index { members.append(("index", .integer(Int64(index)))) }
        if refusal.kind.status == 503 { self = retry(afterSeconds: 1) }
        // The longest an effect waits for its next attempt, unless the service it calls asks for more.
        if refusal.kind == .tooManyEffects { self = retry(afterSeconds: 60) }
    }

    init(_ fault: CommitFault) {
        switch fault {
        case .full:
            self.init(.storageFull, "The disk is full. Nothing of the request was kept; repeat it once there is room.")
            self = retry(afterSeconds: 10)
        case .overloaded:
            self.init(.overloaded, "Too much is waiting to be written. Nothing of the request was kept.")
            self = retry(afterSeconds: 1)
        case .closed:
            self.init(.unavailable, "The service is stopping. Nothing of the request was kept.")
            self = retry(afterSeconds: 1)
        case .displaced:
            self.init(.unavailable, "The database file has been moved or deleted. Nothing of the request was kept.")
            self = retry(afterSeconds: 10)
        case .conflict, .outcomeUnknown:
            self.init(
                .commitUnknown,
                "The commit failed, and whether it took effect is not known. Repeat with the same Idempotency-Key.")
            self = retry(afterSeconds: 1)
        }
    }

    /// Why a published state or view has no bytes: its account is set aside, or its value is none that JSON can express.
    init(rendering error: any Error, _ what: String) {
        if let fault = error as? OpenFault {
            self.init(fault)
        } else {
            self.init(.internalError, "The \(what) cannot be written as JSON.")
        }
    }

    init(_ fault: OpenFault) {
        switch fault {
        case .noAccount: self.init(.invalidToken, "The account of this token does not exist any more.")
        case .overloaded:
            self.init(.overloaded, "Too many accounts are being loaded.")
            self = retry(afterSeconds: 1)
        case .unreadable:
            self.init(
                .accountUnreadable,
                "The account's stored history cannot be understood; it is set aside, and nothing of it is lost.")
        case .storage(let fault): self.init(fault)
        }
    }

    init(_ fault: StorageFault) {
        switch fault {
        case .damaged:
            self.init(
                .accountUnreadable, "The account's stored history is damaged; it is set aside, and nothing of it is changed.")
        case .overloaded:
            self.init(.overloaded, "Too many reads are waiting.")
            self = retry(afterSeconds: 1)
        default:
            self.init(.unavailable, "The database cannot be read now.")
            self = retry(afterSeconds: 1)
        }
    }

    /// Every verdict that is not an answer of its own.
    init?(_ verdict: Verdict) {
        switch verdict {
        case .done, .replayed: return nil
        case .refused(let refusal, let index): self.init(refusal, index: index)
        case .preconditionFailed(let head):
            self = .preconditionFailed(at: head)
        case .keyReused: self.init(.keyReused, "Use a new key for a new request, or repeat the first request exactly.")
        case .keyRunning:
            self.init(.keyRunning, "Wait for its answer, or repeat in a moment.")
            self = retry(afterSeconds: 1)
        case .tooManyKeys:
            self.init(.tooManyKeys, "Keys are kept for 24 hours; go on without one, or wait until older ones have expired.")
            self = retry(afterSeconds: 3600)
        case .tooManyPostponed:
            self.init(.tooManyPostponed, "Run a tag first, with POST /postponed/TAG/run. Nothing of the request was kept.")
        case .postponedRunning:
            self.init(.postponedRunning, "Wait for its answer, or repeat in a moment.")
            self = retry(afterSeconds: 1)
        case .overloaded:
            self.init(.overloaded, "Too many actions of this account are waiting. Nothing of the request was kept.")
            self = retry(afterSeconds: 1)
        case .writerBehind:
            self.init(.overloaded, "The disk does not keep up with what is asked. Nothing of the request was kept.")
            self = retry(afterSeconds: 1)
        case .rateExceeded(let wait):
            self.init(.rateLimited, "The account dispatches faster than it may. Nothing of the request was kept.")
            self = retry(afterSeconds: max(1, Int((wait + 999) / 1000)))
        case .commitFailed(let fault): self.init(fault)
        case .unreadable(let fault): self.init(OpenFault.unreadable(fault))
        case .storage(let fault): self.init(fault)
        case .noAccount: self.init(OpenFault.noAccount)
        }
    }
}
