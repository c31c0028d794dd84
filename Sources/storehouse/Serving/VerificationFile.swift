internal import Accounts
internal import JSON
internal import Runtime

/// Leaves verification codes for whoever sends mail: appends to a file that only its owner can read, and never to the log.
enum VerificationFile {
    /// Appends `{"account", "code", "email"}` and a line end. Blocks; called by one thread at a time.
    static func append(_ message: VerificationMessage, to path: String, _ log: Log) {
        let line: JSONValue = [
            "account": .integer(message.account), "code": .string(message.code), "email": .string(message.email),
        ]
        do throws(SystemError) {
            let file = try File(path, .readWriteOrCreate)
            try file.write(line.canonicalBytes + [UInt8(ascii: "\n")], at: try file.size())
        } catch {
            log.error("verification code not handed over", ["account": .count(message.account), "reason": .text("\(error)")])
        }
    }
}
