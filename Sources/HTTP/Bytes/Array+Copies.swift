extension Array {
    /// A copy with its own storage and no spare capacity; the original stays the only owner of its storage.
    var exactCopy: [Element] {
        unsafe [Element](unsafeUninitializedCapacity: count) { storage, initialized in
            // The storage has room for `count` elements, and all of them are initialized here.
            initialized = unsafe storage.initialize(fromContentsOf: self)
        }
    }
}
