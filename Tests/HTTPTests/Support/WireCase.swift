import Foundation
import Testing

/// One line of the corpus in Tests/Wire; its README says what the members mean.
struct WireCase: Decodable, Sendable, CustomTestStringConvertible {
    /// What may be answered, as far as the parser alone decides it.
    struct Outcome: Decodable, Sendable {
        var status: [Int]?
        var statuses: [[Int]]?
        var close: Bool?
        var responses: Int?
        var interim: [Int]?
    }

    let id: String
    let sendBase64: String
    let framing: String
    let level: String
    let expect: Outcome
    let alternatives: [Outcome]?
    let halfClose: Bool?
    let waitMilliseconds: Int?

    enum CodingKeys: String, CodingKey {
        case id, framing, level, expect
        case sendBase64 = "send_b64"
        case alternatives = "alt"
        case halfClose = "half_close"
        case waitMilliseconds = "wait_ms"
    }

    var testDescription: String { id }

    /// The bytes to send.
    var bytes: [UInt8] { Data(base64Encoded: sendBase64).map(Array.init) ?? [] }

    /// All cases of the three files, in order.
    static let all: [WireCase] = load("cases") + load("more") + load("third")

    private static func load(_ name: String) -> [WireCase] {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let file = folder.appending(path: "Wire/\(name).jsonl")
        guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }
        return text.split(separator: "\n").compactMap { try? JSONDecoder().decode(WireCase.self, from: Data($0.utf8)) }
    }
}
