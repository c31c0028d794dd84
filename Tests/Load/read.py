#!/usr/bin/env python3
"""Reads a second of one account's state, beside nginx answering a constant of the same size, in the same run.

usage: Tests/Load/read.py [--rounds 5] [--seconds 5] [--connections 64] [--actions 8] [--binary FILE]

Each round loads `GET /state` of one account (wrk, keep-alive, with its token) and then nginx (`return 200` with a body of the same
number of bytes, access log off, as many workers as cores). Prints the medians, their 99th percentiles and their ratio.
Installs wrk and nginx where they are missing.
"""
import json
import sys

from support import wrk
from support.catalog import stocked_products
from support.figures import median
from support.http import Connection, request
from support.references import Nginx
from support.script import main, parser
from support.service import ServiceError
from support.tools import need


def run(options, service):
    need(wrk="wrk", nginx="nginx-light")
    service.start()
    connection = Connection(service.port)
    token = json.loads(connection.exchange(request("POST", "/accounts")).body)["token"]
    products, _ = stocked_products(service.port)
    for product in products[:options.actions]:
        body = json.dumps({"type": "cart/addItem", "payload": {"productID": product, "quantity": 2}}).encode()
        answer = connection.exchange(request("POST", "/actions", token, body=body))
        if answer.status != 200:
            raise ServiceError(f"POST /actions gives {answer.status} {answer.body[:200]!r}")
    size = len(connection.exchange(request("GET", "/state", token)).body)
    print(f"the state has {size} bytes", flush=True)

    nginx = Nginx(service.folder, size)
    try:
        ours, theirs, failures = [], [], 0
        for number in range(1, options.rounds + 1):
            mine = wrk.run(f"http://127.0.0.1:{service.port}/state", "state.lua", options.connections, options.seconds, [token])
            other = wrk.run(f"http://127.0.0.1:{nginx.port}/", "state.lua", options.connections, options.seconds)
            ours.append(mine)
            theirs.append(other)
            failures += mine.failures + other.failures
            print(f"round {number}: storehouse {mine.rate:.0f}/s (p99 {mine.p99:.2f} ms), nginx {other.rate:.0f}/s "
                  f"(p99 {other.p99:.2f} ms)", flush=True)
    finally:
        nginx.stop()
    service.stop()
    mine, other = median([one.rate for one in ours]), median([one.rate for one in theirs])
    print(f"median of {options.rounds}, {options.connections} connections: storehouse GET /state {mine:.0f}/s "
          f"(p99 {median([one.p99 for one in ours]):.2f} ms), nginx return 200 {other:.0f}/s "
          f"(p99 {median([one.p99 for one in theirs]):.2f} ms): ratio {mine / other:.2f}")
    if failures:
        print(f"{failures} answers were no success", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    arguments = parser(__doc__, rounds=5, seconds=5, connections=64, actions=8)
    sys.exit(main(arguments.parse_args(), run))
