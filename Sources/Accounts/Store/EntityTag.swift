public import Redux
internal import Sodium

/// The entity tags of an account's representations (RFC 9110, 8.8.3): quoted, strong, and never equal between two accounts, since an
/// epoch is random and unique.
public enum EntityTag {
    /// The whole state: `"EPOCH.REVISION"`.
    public static func state(epoch: String, revision: Revision) -> [UInt8] {
        // Part of every answer: put together from parts, without an interpolation.
        var tag: [UInt8] = []
        tag.reserveCapacity(epoch.utf8.count + 24)
        tag.append(UInt8(ascii: "\""))
        tag.append(contentsOf: epoch.utf8)
        tag.append(UInt8(ascii: "."))
        tag.append(contentsOf: String(revision).utf8)
        tag.append(UInt8(ascii: "\""))
        return tag
    }

    /// Another form of a revision's state, such as one part of it: `kind` names the form, `of` which one it is.
    public static func form(_ kind: String, of text: String, epoch: String, revision: Revision) -> [UInt8] {
        Array("\"\(epoch).\(revision).\(kind).\(Base64URL.text(Hash.blake2b(Array(text.utf8), length: 16)))\"".utf8)
    }

    /// A view: changes only when the selected value does, so it names the value, not the revision.
    public static func view(_ name: String, epoch: String, value: [UInt8]) -> [UInt8] {
        Array("\"\(epoch).\(name).\(Base64URL.text(Hash.blake2b(value, length: 16)))\"".utf8)
    }

    /// The view a tag belongs to; nil for a tag of another form.
    static func viewName(in tag: [UInt8]) -> String? {
        let parts = tag.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else { return nil }
        return String(validating: parts[1], as: UTF8.self)
    }
}

/// The name of an account's history on the wire: 64 bits in base64url.
public enum Epoch {
    /// 11 characters, the highest bits first, without padding.
    public static func text(_ bits: UInt64) -> String {
        Base64URL.text((0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) })
    }
}
