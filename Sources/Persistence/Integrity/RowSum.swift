internal import Redux

// The hashes of rows that no chain covers. A row without one was written before schema version 2, and is believed.

extension Chain {
    /// Over an account's own row.
    mutating func sum(of record: AccountRecord) -> Digest {
        form.start()
        form.put("storehouse account 1")
        form.put(record.id.rawValue)
        form.put(record.created)
        form.put(Int64(bitPattern: record.epochPart))
        form.put(record.email.map { Array($0.utf8) })
        form.put(record.passwordHash)
        form.put(record.profile)
        return Digest(of: form.bytes)
    }

    mutating func sum(of record: SessionRecord) -> Digest {
        form.start()
        form.put("storehouse session 1")
        form.put(record.id)
        form.put(record.account.rawValue)
        form.put(record.tokenHash)
        form.put(record.created)
        form.put(record.expires ?? -1)
        return Digest(of: form.bytes)
    }

    /// Over what an effect is; when it is due and how often it was tried changes.
    mutating func sum(of entry: OutboxEntry) -> Digest {
        form.start()
        form.put("storehouse effect 1")
        form.put(entry.account.rawValue)
        form.put(entry.revision)
        form.put(Int64(entry.ordinal))
        form.put(entry.kind)
        form.put(entry.key.map { Array($0.utf8) })
        form.put(entry.payload)
        return Digest(of: form.bytes)
    }

    mutating func sum(of record: IdempotencyRecord) -> Digest {
        form.start()
        form.put("storehouse answer 1")
        form.put(record.account.rawValue)
        form.put(record.key)
        form.put(record.at)
        form.put(record.fingerprint)
        form.put(Int64(record.status))
        form.put(record.head)
        form.put(record.body)
        return Digest(of: form.bytes)
    }

    mutating func sum(of record: PostponedRecord) -> Digest {
        form.start()
        form.put("storehouse postponed 1")
        form.put(record.id)
        form.put(record.account.rawValue)
        form.put(record.tag)
        form.put(record.at)
        form.put(record.body)
        return Digest(of: form.bytes)
    }
}
