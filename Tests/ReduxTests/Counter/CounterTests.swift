import Counter
import Foundation
import Redux
import Testing

@Suite struct `The counter` {
    static let account = AccountID(rawValue: 7)

    static func stamped(_ action: CounterAction) throws -> CounterModel.StampedAction {
        Stamped(action, stamp: Stamp(revision: 1, at: 0, id: ActionID(high: 1, low: 1), account: try #require(account)))
    }

    func reduced(_ value: Int64, _ action: CounterAction) throws -> Int64 {
        var state = CounterModel.State(value: value)
        try CounterModel.reduce(into: &state, action: Self.stamped(action))
        return state.value
    }

    @Test func `starts at zero`() throws {
        #expect(CounterModel.initialState(for: try #require(Self.account)) == CounterModel.State(value: 0))
    }

    @Test(arguments: [
        (CounterAction.increase, 6 as Int64), (.decrease, 4), (.increased, 6), (.decreased, 4), (.asyncIncrease, 5),
        (.asyncDecrease, 5),
    ]) func `counts from 5`(action: CounterAction, to expected: Int64) throws {
        #expect(try reduced(5, action) == expected)
    }

    @Test(arguments: [(CounterAction.increase, Int64.max), (.decrease, .min)])
    func `an overflow is refused`(action: CounterAction, at bound: Int64) {
        let refusal = #expect(throws: Refusal.self) { try reduced(bound, action) }
        #expect(refusal?.kind.slug == "counter-overflow")
        #expect(refusal?.kind.status == 409)
    }

    @Test(arguments: [(CounterAction.increased, Int64.max), (.decreased, .min)])
    func `a fact at the bound is accepted and changes nothing`(action: CounterAction, at bound: Int64) throws {
        #expect(try reduced(bound, action) == bound)
    }

    @Test func `delayed actions ask for an effect with their delay`() throws {
        func effects(_ action: CounterAction) throws -> [EffectRequest<CounterModel.Effect>] {
            let state = CounterModel.State(value: 0)
            return CounterModel.effects(of: try Self.stamped(action), previous: state, next: state)
        }
        let increase = try effects(.asyncIncrease)
        #expect(increase.map(\.effect) == [.increase])
        #expect(increase.map(\.delay) == [1000])
        #expect(increase.map(\.key) == [nil], "two of them are two additions")
        let decrease = try effects(.asyncDecrease)
        #expect(decrease.map(\.effect) == [.decrease])
        #expect(decrease.map(\.delay) == [500])
        for action in [CounterAction.increase, .decrease, .increased, .decreased] {
            #expect(try effects(action).isEmpty, "\(action)")
        }
    }

    @Test func `an effect reports its fact`() async throws {
        let run = EffectRun(id: "1", account: try #require(Self.account), revision: 1, attempt: 1)
        #expect(await CounterModel.perform(.increase, run: run, in: .init()) == .increased)
        #expect(await CounterModel.perform(.decrease, run: run, in: .init()) == .decreased)
    }

    @Test func `the wire names are pinned, and facts are no intentions`() {
        let intentions = CounterAction.kinds.filter { $0.origin == .intention }.map(\.name)
        #expect(intentions == ["counter/increase", "counter/decrease", "counter/asyncIncrease", "counter/asyncDecrease"])
        let facts = CounterAction.kinds.filter { $0.origin == .fact }.map(\.name)
        #expect(facts == ["counter/increased", "counter/decreased"])
    }

    @Test func `each kind is decoded from an empty payload, and encoded to one`() throws {
        struct Payload: Encodable {
            let action: CounterAction
            func encode(to encoder: any Encoder) throws { try action.encodePayload(to: encoder) }
        }
        /// Gives `decode` a decoder.
        struct Decoded: Decodable {
            static let key = CodingUserInfoKey(rawValue: "kind")
            let action: CounterAction
            init(from decoder: any Decoder) throws {
                let key = try #require(Self.key)
                let kind = try #require(decoder.userInfo[key] as? ActionKind<CounterAction>)
                action = try kind.decode(decoder)
            }
        }
        for kind in CounterAction.kinds {
            let decoder = JSONDecoder()
            decoder.userInfo[try #require(Decoded.key)] = kind
            let action = try decoder.decode(Decoded.self, from: Data("{}".utf8)).action
            #expect(action.name == kind.name)
            #expect(String(decoding: try JSONEncoder().encode(Payload(action: action)), as: UTF8.self) == "{}")
            #expect(throws: (any Error).self) { try decoder.decode(Decoded.self, from: Data("[]".utf8)) }
        }
        #expect(Set(CounterAction.kinds.map(\.name)).count == CounterAction.kinds.count)
    }

    @Test func `its state is one exact number on the wire`() throws {
        let encoded = try JSONEncoder().encode(CounterModel.State(value: .max))
        #expect(String(decoding: encoded, as: UTF8.self) == #"{"value":9223372036854775807}"#)
        #expect(try JSONDecoder().decode(CounterModel.State.self, from: encoded).value == .max)
    }
}
