/// An owner's name, as a registration gives it.
public enum OwnerName {
    /// In bytes of UTF-8.
    public static let bytesMax = 200

    /// Whether a name can be taken: not blank, not too long, without control characters.
    public static func isAcceptable(_ name: String) -> Bool {
        name.utf8.count <= bytesMax && name.contains { !$0.isWhitespace }
            && name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    }
}
