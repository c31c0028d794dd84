internal import JSON
internal import Redux

/// Makes the published forms of a state: what `GET /state` and the views answer.
enum StateRendering<Model: AccountModel> {
    static func publish(
        _ state: Model.State, account: AccountID, epoch: String, at revision: Revision, environment: Model.Environment
    ) -> PublishedState {
        PublishedState(
            revision: revision, tag: EntityTag.state(epoch: epoch, revision: revision),
            encode: { try body(account: account, epoch: epoch, revision: revision, state: state) },
            encodeView: { name in try view(name, of: state, in: environment) })
    }

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
