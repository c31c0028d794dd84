#!/usr/bin/env python3
"""Shows that memory follows the accounts in use, not those in the database, and that starting takes no longer with a million of them.

usage: Tests/Load/scale.py [--accounts 1000000] [--active 10000] [--seconds 8] [--connections 64] [--binary FILE]

Opens the active accounts over HTTP, loads them (wrk, POST /actions), measures; then adds the others to the file while the service is
stopped (each with a session and a log entry), and measures the same again: time to the ready line (median of 3), resident memory after
the start and after the load, durable actions a second. A last run keeps a tenth of the active accounts in memory (--accounts-in-memory).
"""
import os
import sys
import time

from support import wrk
from support.accounts import open_accounts, toggle
from support.catalog import stocked_products
from support.figures import median
from support.http import Connection
from support.process import resident_bytes
from support.script import main, parser
from support.seed import seed
from support.service import ServiceError
from support.tools import need

STARTS = 3


def resident(service):
    """Resident memory in MB."""
    return resident_bytes(service.process.pid) / 2**20


def write_lines(service, name, lines):
    path = os.path.join(service.folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    return path


class Row:
    """What one run showed."""

    def __init__(self, name, starts, fresh, loaded, rate, p99):
        self.name, self.starts, self.fresh, self.loaded, self.rate, self.p99 = name, starts, fresh, loaded, rate, p99

    def __str__(self):
        return (f"{self.name}: ready after {self.starts:.3f} s, {self.fresh:.1f} MB; after the load {self.loaded:.1f} MB; "
                f"{self.rate:.0f} durable actions/s, p99 {self.p99:.2f} ms")


def measure(name, service, paths, options):
    starts = []
    for _ in range(STARTS):
        starts.append(service.start())
        if len(starts) < STARTS:
            service.stop()
    fresh = resident(service)
    result = wrk.run(f"http://127.0.0.1:{service.port}/actions", "actions.lua", options.connections, options.seconds, paths)
    if result.failures:
        raise ServiceError(f"{result.failures} answers were no success")
    row = Row(name, median(starts), fresh, resident(service), result.rate, result.p99)
    service.stop()
    print(row, flush=True)
    return row


def run(options, service):
    need(wrk="wrk")
    service.start()
    began = time.monotonic()
    tokens = open_accounts(service.port, options.active)
    products, _ = stocked_products(service.port)
    connection = Connection(service.port)
    toggle(connection, tokens[0], products[0])
    connection.close()
    service.stop()
    print(f"opened {len(tokens)} accounts in {time.monotonic() - began:.1f} s", flush=True)
    paths = [write_lines(service, "tokens", tokens), write_lines(service, "products", products)]
    few = measure(f"{options.active} accounts", service, paths, options)
    began = time.monotonic()
    seed(service.database, options.accounts - options.active)
    size = os.path.getsize(service.database) / 2**20
    print(f"added {options.accounts - options.active} accounts in {time.monotonic() - began:.1f} s; the file has {size:.0f} MB", flush=True)
    many = measure(f"{options.accounts} accounts, {options.active} of them active", service, paths, options)
    service.arguments = ["--accounts-in-memory", str(options.active // 10)]
    tight = measure(f"the same, {options.active // 10} in memory", service, paths, options)
    faults = []
    if many.starts > few.starts + options.start_seconds_more_max:
        faults.append(f"starting takes {many.starts - few.starts:.2f} s longer")
    if many.loaded > few.loaded + options.memory_more_max:
        faults.append(f"memory is {many.loaded - few.loaded:.0f} MB more")
    if tight.loaded > many.loaded:
        faults.append("fewer accounts in memory do not take less of it")
    for fault in faults:
        print(f"FAULT {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    arguments = parser(__doc__, accounts=1_000_000, active=10_000, seconds=8, connections=64)
    arguments.add_argument("--start-seconds-more-max", type=float, default=0.3)
    arguments.add_argument("--memory-more-max", type=float, default=64, help="MB; the caches of SQLite fill with more of a larger file")
    sys.exit(main(arguments.parse_args(), run))
