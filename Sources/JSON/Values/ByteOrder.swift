/// Compares two names by their UTF-8 bytes, which is the order of their code points: negative, zero or positive like `memcmp`.
///
/// `String` itself compares by canonical equivalence, for which two spellings of one accented letter are equal; in JSON they differ.
@inline(__always)
func byteOrder(_ left: String, _ right: String) -> Int {
    let left = left.utf8Span.span
    let right = right.utf8Span.span
    let shared = min(left.count, right.count)
    var index = 0
    while index < shared {
        let difference = Int(left[index]) - Int(right[index])
        if difference != 0 { return difference }
        index += 1
    }
    return left.count - right.count
}

/// Have both texts the same UTF-8 bytes?
@inline(__always)
func sameBytes(_ left: String, _ right: String) -> Bool {
    left.utf8.count == right.utf8.count && byteOrder(left, right) == 0
}

/// Feeds a text's UTF-8 bytes and their number, in agreement with `sameBytes`.
func hashBytes(of text: String, into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { bytes in
        hasher.combine(bytes.count)
        unsafe hasher.combine(bytes: UnsafeRawBufferPointer(bytes))  // read within the closure only
    }
}
