internal import API
internal import HTTP
internal import HTTPServer
internal import Redux
internal import Runtime

/// A service of one model as the server calls it: by functions, not by a generic type's witnesses.
///
/// Made where the model is known, so that the compiler follows these functions into the service and the stores and compiles what a
/// request runs through for that model alone; through the witnesses of a generic type it would not.
final class ModelResponder: Responder {
    let routeCount: Int
    private let laneOf: @Sendable (borrowing RequestHead) -> Lane
    private let respondTo: @Sendable (consuming Request, Exchange, isolated EventLoop) -> Void
    private let answerBefore: @Sendable (borrowing RequestHead, isolated EventLoop) -> Response?
    private let refuse: @Sendable (Status, String) -> Response

    init<Model: AccountModel>(_ service: Service<Model>) {
        routeCount = service.routeCount
        laneOf = { service.lane(of: $0) }
        respondTo = { service.respond(to: $0, exchange: $1, on: $2) }
        answerBefore = { service.answerBeforeBody(of: $0, on: $1) }
        refuse = { service.refusal($0, detail: $1) }
    }

    func lane(of head: borrowing RequestHead) -> Lane { laneOf(head) }

    func respond(to request: consuming Request, exchange: Exchange, on loop: isolated EventLoop) {
        respondTo(request, exchange, loop)
    }

    func answerBeforeBody(of head: borrowing RequestHead, on loop: isolated EventLoop) -> Response? { answerBefore(head, loop) }

    func refusal(_ status: Status, detail: String) -> Response { refuse(status, detail) }
}
