/// A collection that encodes itself as an array in an order that differs between runs of the program.
protocol HashOrdered {
    /// Array elements per element of the collection.
    static var stride: Int { get }
}

extension Set: HashOrdered {
    static var stride: Int { 1 }
}

/// Only dictionaries whose keys are neither `String` nor `Int` (nor `CodingKeyRepresentable`) encode themselves as an array.
extension Dictionary: HashOrdered {
    static var stride: Int { 2 }
}
