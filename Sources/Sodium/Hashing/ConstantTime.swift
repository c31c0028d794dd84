internal import CSodium

/// Are two byte strings equal? Takes the same time wherever they differ; only their lengths show.
public func constantTimeEquals(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    constantTimeEquals(left.span, right.span)
}

/// Are two byte strings equal? Takes the same time wherever they differ; only their lengths show.
public func constantTimeEquals(_ left: Span<UInt8>, _ right: Span<UInt8>) -> Bool {
    guard left.count == right.count else { return false }
    if left.isEmpty { return true }
    return unsafe withBytes(left) { first, count in
        // Both have `count` bytes.
        unsafe withBytes(right) { second, _ in unsafe sodium_memcmp(first!, second!, count) == 0 }
    }
}
