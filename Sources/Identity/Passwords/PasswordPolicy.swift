/// Which passwords are taken. Pure.
public struct PasswordPolicy: Hashable, Sendable {
    /// Why a password is not taken.
    public enum Fault: Hashable, Sendable {
        case tooShort(charactersMin: Int)
        case tooLong(bytesMax: Int)

        /// A sentence for the person who chose it.
        public var detail: String {
            switch self {
            case .tooShort(let bound): "A password has at least \(bound) characters."
            case .tooLong(let bound): "A password has at most \(bound) bytes of UTF-8."
            }
        }
    }

    /// In characters as a person counts them.
    public var charactersMin: Int
    /// In bytes of UTF-8; the whole password counts, none is cut off.
    public var bytesMax: Int

    /// Six characters at least and 1 KiB at most, unless said otherwise.
    public init(charactersMin: Int = 6, bytesMax: Int = 1024) {
        self.charactersMin = charactersMin
        self.bytesMax = bytesMax
    }

    /// What is wrong with a password; nil where nothing is. It is neither trimmed nor normalised: its bytes are what is hashed.
    public func fault(in password: String) -> Fault? {
        if password.utf8.count > bytesMax { return .tooLong(bytesMax: bytesMax) }
        if password.count < charactersMin { return .tooShort(charactersMin: charactersMin) }
        return nil
    }
}
