#!/usr/bin/env python3
"""Durable actions for many minutes, over many accounts: what a checkpoint, a growing file and cold accounts do to the rate.

usage: Tests/Load/sustained.py [--minutes 10] [--accounts 10000] [--connections 64] [--folder DIR] [--binary FILE]

Makes that many accounts in the file (each with a session and a log entry), then loads random ones of them minute after minute (wrk,
POST /actions, the caller named by a trusted gateway), and says for each minute: actions a second, median and 99th percentile, resident
memory, size of the database and of its write-ahead log, checkpoints so far. Then Redis (appendfsync always) for a fifth of a minute on
the same file system, and `verify` on what is left. Fails where an answer was no success or verify has a finding.
"""
import os
import re
import sys

from support import wrk
from support.accounts import open_accounts, toggle
from support.catalog import stocked_products
from support.figures import median
from support.http import Connection, request
from support.process import resident_bytes
from support.references import Redis
from support.script import main, parser
from support.seed import seed
from support.service import ServiceError
from support.tools import need


def checkpoints(port):
    """How many checkpoints the service has made, and how long each of them took on average, in ms."""
    text = Connection(port).exchange(request("GET", "/metrics")).body.decode()
    count, seconds = (float(re.search(rf"^storehouse_checkpoint{name}_total ([\d.]+)", text, re.MULTILINE)[1]) for name in ("s", "_seconds"))
    return f"{count:.0f} checkpoints of {1000 * seconds / max(count, 1):.0f} ms"


def megabytes(path):
    return os.path.getsize(path) / 2**20 if os.path.exists(path) else 0


def prepare(options, service):
    """Makes the accounts 1 to `--accounts`, and a file with the products that can be bought; returns its path."""
    service.start()
    connection = Connection(service.port)
    token = open_accounts(service.port, 1)[0]
    products, _ = stocked_products(service.port)
    toggle(connection, token, products[0])
    connection.close()
    service.stop()
    seed(service.database, options.accounts - 1)
    path = os.path.join(service.folder, "products")
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(products) + "\n")
    return path


def run(options, service):
    need(wrk="wrk", redis_server="redis-server", redis_benchmark="redis-tools")
    products = prepare(options, service)
    service.arguments += ["--gateway-trusted", "true"]
    service.start()
    rates, failures, spread = [], 0, []
    for minute in range(1, options.minutes + 1):
        result = wrk.run(
            f"http://127.0.0.1:{service.port}/actions", "everyone.lua", options.connections, 60, [str(options.accounts), products])
        rates.append(result.rate)
        spread.append(result.p99 / result.p50)
        failures += result.failures
        print(f"minute {minute}: {result.rate:.0f} actions/s, p50 {result.p50:.2f} ms, p99 {result.p99:.2f} ms; "
              f"{resident_bytes(service.process.pid) / 2**20:.0f} MB resident, database {megabytes(service.database):.0f} MB, "
              f"log {megabytes(service.database + '-wal'):.0f} MB, {checkpoints(service.port)}", flush=True)
    service.stop()
    redis = Redis(service.folder)
    try:
        pace = redis.rate(options.connections, 20_000)[0]
        other, p99 = redis.rate(options.connections, int(pace * 12))
    finally:
        redis.stop()
    print(f"{options.accounts} accounts, {options.connections} connections, {options.minutes} minutes: median {median(rates):.0f} durable "
          f"actions/s, the slowest minute {min(rates):.0f}, p99 {median(spread):.1f} times p50; redis appendfsync always {other:.0f} SET/s "
          f"(p99 {p99:.2f} ms): ratio {median(rates) / other:.2f}", flush=True)
    status, said = service.command("verify")
    print(said.splitlines()[-1] if said else "verify said nothing")
    if status != 0:
        raise ServiceError(f"verify ends with {status}: {said[-500:]}")
    if failures:
        print(f"{failures} answers were no success", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    arguments = parser(__doc__, accounts=10_000, connections=64, minutes=10)
    arguments.add_argument("--folder", help="where both keep their files; it must exist, and is left with neither's")
    sys.exit(main(arguments.parse_args(), run))
