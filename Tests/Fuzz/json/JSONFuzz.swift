/// One input, as libFuzzer calls it: whatever the bytes are, the reader refuses them in bounds or keeps its promises.
///
/// A broken promise traps, which libFuzzer reports with the input.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = unsafe Array(UnsafeBufferPointer(start: start, count: count))
    let limits = JSONLimits(depthMax: 20, bytesMax: 4000, membersMax: 200, stringBytesMax: 1000, numberBytesMax: 100)
    let value: JSONValue
    do throws(JSONFault) {
        value = try JSONReader.read(bytes, limits: limits)
    } catch {
        precondition(error.kind.isMalformedText, "a fault of another room: \(error)")
        precondition((0...count).contains(error.offset ?? -1), "a fault outside the text: \(error)")
        return 0
    }
    checkBounds(value, limits, depth: 0)

    // What was read is skipped to its end, and written and read again without change.
    let end = try? JSONReader.skip(bytes, from: 0, limits: limits)
    precondition(
        end != nil && bytes[end!...].allSatisfy { [0x20, 0x0A, 0x0D, 0x09].contains($0) }, "skipping disagrees with reading")
    let text = value.canonicalBytes
    let again = try? JSONReader.read(text, limits: .stored)
    precondition(again == value, "the canonical text reads back as something else")
    precondition(again?.canonicalBytes == text, "the canonical text is not canonical")

    // The bridge and the writer agree, both ways.
    precondition((try? JSONEncoding.encode(value)) == text, "encoding disagrees with writing")
    precondition((try? JSONDecoding.decode(JSONValue.self, from: value)) == value, "decoding changed a value")

    // Any two parts of the value differ by a patch that leads from one to the other.
    if case .array(let elements) = value, elements.count >= 2 {
        let patch = JSONPatch.difference(from: elements[0], to: elements[1])
        precondition((try? patch.apply(to: elements[0])) == elements[1], "a difference does not lead to its end")
    }
    // And any value may claim to be a patch.
    if let patch = try? JSONPatch(value), let result = try? patch.apply(to: value) {
        precondition((try? JSONReader.read(result.canonicalBytes, limits: .stored)) == result, "a patch made what cannot be read")
    }
    return 0
}

private func checkBounds(_ value: JSONValue, _ limits: JSONLimits, depth: Int) {
    switch value {
    case .string(let text):
        precondition(text.utf8.count <= limits.stringBytesMax, "a string past its bound")
    case .array(let elements):
        precondition(depth < limits.depthMax && elements.count <= limits.membersMax, "an array past its bounds")
        for element in elements { checkBounds(element, limits, depth: depth + 1) }
    case .object(let object):
        precondition(depth < limits.depthMax && object.count <= limits.membersMax, "an object past its bounds")
        for member in object.members {
            precondition(member.name.utf8.count <= limits.stringBytesMax, "a name past its bound")
            checkBounds(member.value, limits, depth: depth + 1)
        }
        for (left, right) in zip(object.members, object.members.dropFirst()) {
            precondition(left.name.utf8.lexicographicallyPrecedes(right.name.utf8), "members out of order")
        }
    default: break
    }
}
