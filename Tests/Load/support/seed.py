"""Fills a database with accounts that nobody uses, past the service: with it, a million would take its clients an hour."""
import hashlib
import os
import sqlite3
import struct

BATCH = 50_000
LOG_COLUMNS = "at, id_high, id_low, name, version, cause, flags, payload, facts, trace"


def _integer(value):
    return struct.pack(">q", value)


def _field(value):
    return _integer(-1) if value is None else _integer(len(value)) + value


def _hash(data):
    return hashlib.blake2b(data, digest_size=16).digest()


def _chain(account, at, high, low, name, version, cause, flags, payload, facts, trace):
    """The chain's value after an account's first entry, as the service computes it (Sources/Persistence/Integrity/Chain.swift)."""
    before = _hash(_field(b"storehouse log 1") + _integer(account))
    return _hash(
        before + struct.pack(">5q", account, 1, at, high, low) + _field(name.encode()) + struct.pack(">3q", version, cause or 0, flags)
        + _field(payload) + _field(facts) + _field(trace))


def seed(database, count):
    """Adds `count` accounts, each with a session and one log entry like the first one there. The service must have stopped cleanly."""
    connection = sqlite3.connect(database, isolation_level=None)
    connection.execute("PRAGMA synchronous = OFF")
    connection.execute("PRAGMA cache_size = -262144")
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    model = connection.execute(f"SELECT {LOG_COLUMNS} FROM log ORDER BY seq LIMIT 1").fetchone()
    account = connection.execute("SELECT MAX(id) FROM account").fetchone()[0]
    session = connection.execute("SELECT MAX(id) FROM session").fetchone()[0]
    sequence = connection.execute("SELECT MAX(seq) FROM log").fetchone()[0]
    connection.execute("INSERT OR IGNORE INTO log_index (account, revision, seq) SELECT account, revision, seq FROM log")
    for start in range(0, count, BATCH):
        numbers = range(start + 1, min(start + BATCH, count) + 1)
        random = os.urandom(40 * len(numbers))
        connection.execute("BEGIN")
        connection.executemany(
            "INSERT INTO account (id, created, epoch_part) VALUES (?, ?, ?)",
            [(account + number, model[0], struct.unpack_from(">q", random, 40 * index)[0]) for index, number in enumerate(numbers)])
        connection.executemany(
            "INSERT INTO session (id, account, token_hash, created) VALUES (?, ?, ?, ?)",
            [(session + number, account + number, random[40 * index + 8:40 * index + 40], model[0]) for index, number in enumerate(numbers)])
        connection.executemany(
            f"INSERT INTO log (seq, account, revision, {LOG_COLUMNS}, chain) VALUES (?, ?, 1, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [(sequence + number, account + number, *model, _chain(account + number, *model)) for number in numbers])
        connection.executemany(
            "INSERT INTO log_index (account, revision, seq) VALUES (?, 1, ?)", [(account + number, sequence + number) for number in numbers])
        connection.execute("UPDATE meta SET value = ? WHERE key LIKE 'indexed_through%'", (sequence + numbers[-1],))
        connection.execute("COMMIT")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
