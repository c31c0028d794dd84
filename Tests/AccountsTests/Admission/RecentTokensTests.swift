import Accounts
import Identity
import Testing

@Suite struct `Tokens read lately` {
    private let mint = TokenMint(secret: TokenMint.newSecret())

    private func reading(of account: Int64) throws -> RecentTokens.Reading {
        let text = mint.mint(account: account).text
        return RecentTokens.Reading(Array("Bearer \(text)".utf8).span, try #require(mint.parse(text)))
    }

    private func token(_ tokens: RecentTokens, _ bytes: [UInt8]) -> ParsedToken? { tokens.find(bytes.span)?.token }

    @Test func `the same bytes are known again, others are not`() throws {
        var tokens = RecentTokens()
        let (one, other) = (try reading(of: 1), try reading(of: 2))
        #expect(token(tokens, one.bytes) == nil)
        tokens.keep(one)
        #expect(token(tokens, one.bytes) == one.token)
        #expect(token(tokens, other.bytes) == nil)
        tokens.keep(other)
        #expect(token(tokens, one.bytes) == one.token && token(tokens, other.bytes) == other.token)
        for place in one.bytes.indices {
            var changed = one.bytes
            changed[place] ^= 1
            #expect(token(tokens, changed) == nil, "byte \(place)")
        }
        #expect(token(tokens, Array(one.bytes.dropFirst())) == nil)
        #expect(token(tokens, one.bytes + [0x20]) == nil)
        #expect(token(tokens, []) == nil)
    }

    @Test func `only so many are kept, and each is its own`() throws {
        var tokens = RecentTokens()
        var readings: [RecentTokens.Reading] = []
        for account in 1...10_000 as ClosedRange<Int64> {
            let reading = try reading(of: account)
            readings.append(reading)
            tokens.keep(reading)
            #expect(token(tokens, reading.bytes) == reading.token)
        }
        let found = readings.compactMap { reading in token(tokens, reading.bytes).map { (reading, $0) } }
        // By chance 1 - 1/e^(10,000/8,192) of the places are taken.
        #expect((5_000...6_500).contains(found.count))
        #expect(found.allSatisfy { $0.0.token == $0.1 })
    }

    @Test func `what is longer than any token is not kept`() throws {
        var tokens = RecentTokens()
        let reading = try reading(of: 1)
        let long = RecentTokens.Reading(([UInt8](repeating: 0x20, count: 60) + reading.bytes).span, reading.token)
        tokens.keep(long)
        #expect(token(tokens, long.bytes) == nil)
    }
}
