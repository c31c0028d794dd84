internal import Accounts
internal import HTTP
internal import JSON
internal import Persistence
internal import Redux

/// Writes the answer to an accepted dispatch.
///
/// `{"account", "epoch", "revision", "changed", "actions": [{"revision", "type"}]}`, with `"state"` where the client prefers it, and
/// `"dryRun"` and `"effects"` for what only would have been.
struct ReceiptRendering<Model: AccountModel>: Sendable {
    let isBatch: Bool
    let isDryRun: Bool
    /// What `Prefer: return=` asked for; nil for the usual answer.
    let form: Preferences.Returned?

    func answer(to receipt: Receipt<Model>) -> RenderedAnswer {
        let isMinimal = form == .minimal && !isDryRun
        return RenderedAnswer(status: isMinimal ? 204 : 200, fields: fields(receipt).bytes, body: isMinimal ? [] : body(receipt))
    }

    private func fields(_ receipt: Receipt<Model>) -> ResponseFields {
        if isDryRun { return CommonFields.accountJSON }
        var fields = form == .minimal ? CommonFields.accountScoped : CommonFields.accountJSON
        fields.add(.entityTag, EntityTag.state(epoch: receipt.epoch, revision: receipt.revision))
        if !isBatch, let own = receipt.actions.first(where: { $0.isOwn }) {
            fields.add(.location, Array("/actions/".utf8) + Array(String(own.revision).utf8))
        }
        switch form {
        case .minimal: fields.add(.preferenceApplied, "return=minimal")
        case .representation: fields.add(.preferenceApplied, "return=representation")
        case nil: break
        }
        return fields
    }

    /// Part of every answer to a dispatch: put together from parts, without interpolations.
    private func body(_ receipt: Receipt<Model>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(160 + 48 * receipt.actions.count)
        func text(_ part: String) { bytes.append(contentsOf: part.utf8) }
        text("{\"account\":")
        text(String(receipt.account.rawValue))
        text(",\"actions\":[")
        for (index, action) in receipt.actions.enumerated() {
            text(index == 0 ? "{\"revision\":" : ",{\"revision\":")
            text(String(action.revision))
            text(",\"type\":\"")
            // Names are those of the model's table: letters, digits, slashes.
            text(action.name)
            text("\"}")
        }
        text("],\"changed\":")
        text(receipt.changed ? "true" : "false")
        if isDryRun {
            text(",\"dryRun\":true,\"effects\":[")
            for (index, effect) in receipt.effects.enumerated() {
                text("\(index == 0 ? "" : ","){\"due\":\(effect.due),\"effect\":")
                bytes.append(contentsOf: effect.payload)
                text(",\"kind\":\"\(effect.kind)\"}")
            }
            text("]")
        }
        text(",\"epoch\":\"")
        text(receipt.epoch)
        text("\",\"revision\":")
        text(String(receipt.revision))
        if form == .representation {
            text(",\"state\":")
            // The persistence middleware has encoded values of this state's types; a state it could not encode was refused there.
            bytes.append(contentsOf: (try? JSONEncoding.encode(receipt.state.value)) ?? Array("null".utf8))
        }
        text("}")
        return bytes
    }
}
