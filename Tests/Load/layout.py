#!/usr/bin/env python3
"""Measures physical layouts of the log with SQLite alone: durable actions a second, and bytes on disk for an action and an account.

usage: Tests/Load/layout.py [--actions 400000] [--accounts 10000] [--batch 64] [--generation 131072] [--folder DIR]

Each layout takes the same actions (120-byte payloads, random accounts) in transactions of `--batch`, with a write-ahead log,
synchronous=FULL and a passive checkpoint every 512 transactions:
  - lagging    one table in the order of commits, a state written every 128 actions of an account, and an index on (account, revision) that
               takes what came a generation ago, in the order of accounts, two entries with each action: what the service has
  - ordered    the same with an index that every transaction keeps up to date
  - clustered  one table without rowids, its key (account, revision)
  - inline     the second, and the account's state (600 bytes) written with every action
  - bare       the table in the order of commits without the index: what an account's part costs to find again is not in it
"""
import argparse
import os
import random
import shutil
import sqlite3
import sys
import tempfile
import time

PAYLOAD, STATE, CHAIN = b"p" * 120, b"s" * 600, b"c" * 16
CHECKPOINT_EVERY, STATE_EVERY = 512, 128
COLUMNS = "account INTEGER NOT NULL, revision INTEGER NOT NULL, at INTEGER NOT NULL, id_high INTEGER NOT NULL, id_low INTEGER NOT NULL, " \
    "name TEXT NOT NULL, version INTEGER NOT NULL, flags INTEGER NOT NULL, payload BLOB NOT NULL, chain BLOB NOT NULL"
ORDERED = [f"CREATE TABLE log (seq INTEGER PRIMARY KEY, {COLUMNS}) STRICT"]
INDEX = ["CREATE UNIQUE INDEX log_account ON log(account, revision)"]
STATES = ["CREATE TABLE state (account INTEGER PRIMARY KEY, revision INTEGER NOT NULL, state BLOB NOT NULL) STRICT"]
CLUSTERED = [f"CREATE TABLE log ({COLUMNS}, PRIMARY KEY (account, revision)) STRICT, WITHOUT ROWID"]
LAGGING = ["CREATE TABLE log_index (account INTEGER NOT NULL, revision INTEGER NOT NULL, seq INTEGER NOT NULL, "
           "PRIMARY KEY (account, revision)) STRICT, WITHOUT ROWID"]
# Name, tables, and after how many actions of an account its state is written.
LAYOUTS = [
    ("lagging", ORDERED + LAGGING + STATES, STATE_EVERY), ("ordered", ORDERED + INDEX + STATES, STATE_EVERY), ("clustered", CLUSTERED + STATES, STATE_EVERY),
    ("inline", ORDERED + INDEX + STATES, 1), ("bare", ORDERED + STATES, STATE_EVERY),
]
INSERT = "INSERT INTO log (account, revision, at, id_high, id_low, name, version, flags, payload, chain) VALUES (?, ?, ?, ?, ?, ?, 1, 1, ?, ?)"


def written_bytes():
    """What this process has had written to the disk, in bytes."""
    with open("/proc/self/io", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("write_bytes"))


def measure(folder, name, tables, every, options):
    path = os.path.join(folder, name)
    connection = sqlite3.connect(path, isolation_level=None)
    for setting in ("page_size = 4096", "journal_mode = WAL", "synchronous = FULL", "wal_autocheckpoint = 0", "cache_size = -8192"):
        connection.execute(f"PRAGMA {setting}").fetchall()
    for table in tables:
        connection.execute(table)
    choice = random.Random(1)
    revisions = [0] * (options.accounts + 1)
    lagging, young, older = tables[1:2] == LAGGING, [], []
    empty, before, began = os.path.getsize(path), written_bytes(), time.perf_counter()
    for start in range(0, options.actions, options.batch):
        connection.execute("BEGIN IMMEDIATE")
        for number in range(min(options.batch, options.actions - start)):
            account = choice.randrange(1, options.accounts + 1)
            revisions[account] += 1
            revision = revisions[account]
            connection.execute(
                INSERT, (account, revision, 1_700_000_000_000 + start, start << 20, start << 21, "cart/addItem", PAYLOAD, CHAIN))
            if revision % every == 0:
                connection.execute("INSERT OR REPLACE INTO state VALUES (?, ?, ?)", (account, revision, STATE))
            if lagging:
                young.append((account, revision, start + number + 1))
        if lagging:
            connection.executemany("INSERT INTO log_index VALUES (?, ?, ?)", older[-2 * options.batch:])
            del older[-2 * options.batch:]
            if not older and len(young) >= options.generation:
                older, young = sorted(young, reverse=True), []
        connection.execute("COMMIT")
        if start // options.batch % CHECKPOINT_EVERY == CHECKPOINT_EVERY - 1:
            connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
    seconds = time.perf_counter() - began
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    written = written_bytes() - before
    size = os.path.getsize(path) - empty
    connection.close()
    return options.actions / seconds, size / options.actions, size / options.accounts, written / options.actions


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--actions", type=int, default=400_000)
    parser.add_argument("--accounts", type=int, default=10_000)
    parser.add_argument("--batch", type=int, default=64)
    parser.add_argument("--generation", type=int, default=131_072, help="entries that an index which lags takes at once")
    parser.add_argument("--folder", help="where the files are made; use the disk that matters")
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="storehouse-layout-", dir=options.folder)
    try:
        print(f"SQLite {sqlite3.sqlite_version}, {options.actions} actions of {options.accounts} accounts, {options.batch} a transaction")
        for name, tables, every in LAYOUTS:
            rate, action, account, written = measure(folder, name, tables, every, options)
            print(f"{name:10} {rate:8.0f} actions/s, {action:5.0f} bytes an action, {account:7.0f} bytes an account, "
                  f"{written:6.0f} bytes written an action", flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
