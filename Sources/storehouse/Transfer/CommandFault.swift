internal import Accounts
internal import Counter
internal import JSON
internal import Persistence
internal import Redux
internal import Shop

/// Why a command did not do what it was to.
struct CommandFault: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }

    /// It was asked for in a way that is not understood (exit 64).
    struct Usage: Error, CustomStringConvertible {
        let description: String
    }
}

extension Command.Options {
    /// `--account N`; nil where it is not given.
    func account() throws(CommandFault.Usage) -> AccountID? {
        guard let text = last("--account") else { return nil }
        guard let account = Int64(text).flatMap(AccountID.init(rawValue:)) else {
            throw CommandFault.Usage(description: "--account wants the number of an account, not \"\(text)\"")
        }
        return account
    }

    /// `--until R`; nil where it is not given.
    func until() throws(CommandFault.Usage) -> Revision? {
        guard let text = last("--until") else { return nil }
        guard let revision = Revision(text), revision >= 0 else {
            throw CommandFault.Usage(description: "--until wants a revision, not \"\(text)\"")
        }
        return revision
    }
}

extension Command {
    /// The model whose accounts a database holds.
    static func model(of inspector: Inspector) throws(CommandFault) -> any AccountModel.Type {
        try model(named: inspector.model)
    }

    /// The model whose accounts an export holds, as its first line says.
    static func model(ofExport line: [UInt8]) throws(TransferFault) -> any AccountModel.Type {
        guard case .export(let name, _, _) = try ExportLine(line, number: 1, of: nil) else {
            throw TransferFault(line: 1, "it is no export of storehouse: the first line says nothing of one")
        }
        do throws(CommandFault) { return try model(named: name) } catch { throw TransferFault(line: 1, error.description) }
    }

    private static func model(named name: String) throws(CommandFault) -> any AccountModel.Type {
        switch name {
        case CounterModel.name: CounterModel.self
        case ShopModel.name: ShopModel.self
        default: throw CommandFault("it holds accounts of the model \(name), which this build does not know")
        }
    }
}
