// The fuzzer's entry. The properties are in Properties.swift; a broken one traps, and libFuzzer keeps the input.

/// Limits so low that short inputs reach them.
private let limits: RequestLimits = {
    var limits = RequestLimits()
    limits.headerSectionBytesMax = 1_024
    limits.headerFieldsMax = 16
    limits.emptyLinesMax = 2
    limits.bodyBytesMax = 64
    limits.chunksMax = 4
    limits.chunkExtensionBytesMax = 32
    limits.trailerBytesMax = 64
    return limits
}()

/// Called by libFuzzer with each input; always 0, since every input is worth keeping.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int) -> CInt {
    let input = Array(UnsafeBufferPointer(start: data, count: size))
    for limits in [limits, RequestLimits()] {
        let whole = Trace(input, pieces: [input.count], limits: limits)
        checkSplits(input, whole, limits)
        for request in whole.requests {
            checkBounds(request, limits)
            checkGrammar(request)
            checkWrittenAgain(request)
        }
    }
    checkAnswer(input)
    return 0
}
