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
        let common = form == .minimal ? CommonFields.accountScoped : CommonFields.accountJSON
        var fields = ResponseFields()
        fields.reserveCapacity(common.bytes.count + 128)
        fields.add(common)
        fields.add(.entityTag, EntityTag.state(epoch: receipt.epoch, revision: receipt.revision))
        if !isBatch, let own = receipt.actions.first(where: { $0.isOwn }) {
            fields.add(.location, "/actions/", Int(own.revision))
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
        bytes.append("{\"account\":")
        bytes.appendDecimal(Int(receipt.account.rawValue))
        bytes.append(",\"actions\":[")
        for (index, action) in receipt.actions.enumerated() {
            bytes.append(index == 0 ? "{\"revision\":" : ",{\"revision\":")
            bytes.appendDecimal(Int(action.revision))
            bytes.append(",\"type\":\"")
            // Names are those of the model's table: letters, digits, slashes.
            bytes.append(contentsOf: action.name.utf8)
            bytes.append("\"}")
        }
        bytes.append("],\"changed\":")
        bytes.append(receipt.changed ? "true" : "false")
        if isDryRun { appendEffects(receipt, to: &bytes) }
        bytes.append(",\"epoch\":\"")
        bytes.append(contentsOf: receipt.epoch.utf8)
        bytes.append("\",\"revision\":")
        bytes.appendDecimal(Int(receipt.revision))
        if form == .representation {
            bytes.append(",\"state\":")
            // The persistence middleware has encoded values of this state's types; a state it could not encode was refused there.
            bytes.append(contentsOf: (try? JSONEncoding.encode(receipt.state.value)) ?? Array("null".utf8))
        }
        bytes.append(UInt8(ascii: "}"))
        return bytes
    }

    /// What only would have been asked for.
    private func appendEffects(_ receipt: Receipt<Model>, to bytes: inout [UInt8]) {
        bytes.append(",\"dryRun\":true,\"effects\":[")
        for (index, effect) in receipt.effects.enumerated() {
            bytes.append(contentsOf: "\(index == 0 ? "" : ","){\"due\":\(effect.due),\"effect\":".utf8)
            bytes.append(contentsOf: effect.payload)
            bytes.append(contentsOf: ",\"kind\":\"\(effect.kind)\"}".utf8)
        }
        bytes.append(UInt8(ascii: "]"))
    }
}
