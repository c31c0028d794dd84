internal import JSON
internal import Redux

/// A committed state and what its published forms are made of: what `GET /state` and the views answer.
final class StateRendering<Model: AccountModel>: PublishedForms {
    private let state: Shared<Model.State>
    private let account: AccountID
    private let epoch: String
    private let revision: Revision
    private let environment: Shared<Model.Environment>

    init(
        of state: Shared<Model.State>, account: AccountID, epoch: String, at revision: Revision,
        in environment: Shared<Model.Environment>
    ) {
        self.state = state
        self.account = account
        self.epoch = epoch
        self.revision = revision
        self.environment = environment
    }

    /// The state as readers see it; nothing is encoded before the first of them asks.
    var published: PublishedState { PublishedState(epoch: epoch, revision: revision, forms: self) }

    func body() throws -> [UInt8] {
        try Self.body(account: account, epoch: epoch, revision: revision, state: state.value)
    }

    func view(_ name: String) throws -> [UInt8]? { try Self.view(name, of: state.value, in: environment.value) }

    /// `{"account", "epoch", "revision", "state"}`, the members in canonical order.
    static func body(account: AccountID, epoch: String, revision: Revision, state: Model.State) throws(JSONFault) -> [UInt8] {
        let encoded = try JSONEncoding.encode(state)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(encoded.count + 96)
        bytes.append(contentsOf: #"{"account":\#(account),"epoch":"\#(epoch)","revision":\#(revision),"state":"#.utf8)
        bytes.append(contentsOf: encoded)
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    static func view(_ name: String, of state: Model.State, in environment: Model.Environment) throws(JSONFault) -> [UInt8]? {
        guard let view = Model.views.first(where: { $0.name == name }) else { return nil }
        return try JSONEncoding.encode { encoder throws in try view.encode(state, environment, encoder) }
    }
}
