#!/usr/bin/env python3
"""Durable actions a second, beside Redis with an fsync for every write, in the same run on the same file system.

usage: Tests/Load/durable.py [--rounds 5] [--seconds 5] [--connections 64] [--accounts 1000] [--others 0]
                             [--model counter] [--folder DIR] [--binary FILE]

Each round loads Storehouse (wrk, POST /actions, one action a request) and then Redis (redis-benchmark, SET of 120 bytes, appendonly
with appendfsync always), over the same number of connections; neither pipelines. Prints the medians and their ratio. The two do
not do the same work: Redis replaces a value, Storehouse authenticates, reduces, and keeps the action and the state it led to. With
`--model counter` the state is a number and the action has no payload: the nearest thing to a SET.
Installs wrk and redis-server where they are missing. Use a folder on the disk that matters: on a RAM disk a sync costs nothing.
"""
import json
import os
import sys

from support import wrk
from support.accounts import dispatching, toggle
from support.catalog import stocked_products
from support.figures import median
from support.http import Connection, request
from support.references import Redis
from support.script import main, parser
from support.seed import seed
from support.tools import need


def run(options, service):
    need(wrk="wrk", redis_server="redis-server", redis_benchmark="redis-tools")
    service.arguments += ["--model", options.model]
    service.start()
    connection = Connection(service.port)
    opened = [json.loads(connection.exchange(request("POST", "/accounts")).body) for _ in range(options.accounts)]
    products, script = ([], "increase.lua") if options.model == "counter" else (stocked_products(service.port)[0], "actions.lua")
    if options.others:
        if products:
            toggle(connection, opened[0]["token"], products[0])
        else:
            connection.exchange(dispatching(opened[0]["token"], "counter/increase"))
        connection.close()
        service.stop()
        seed(service.database, options.others)
        service.start()
    files = {"tokens": [account["token"] for account in opened], "products": products}
    paths = []
    for name, lines in files.items():
        paths.append(os.path.join(service.folder, name))
        with open(paths[-1], "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")

    redis = Redis(service.folder)
    try:
        ours, theirs, spread, failures = [], [], [], 0
        for number in range(1, options.rounds + 1):
            result = wrk.run(f"http://127.0.0.1:{service.port}/actions", script, options.connections, options.seconds, paths)
            ours.append((result.rate, result.p99))
            spread.append(result.p99 / result.p50 if result.p50 else 0)
            failures += result.failures
            guess = int(theirs[-1][0] * options.seconds) if theirs else 20_000 * options.seconds
            theirs.append(redis.rate(options.connections, max(guess, 1_000)))
            print(f"round {number}: storehouse {result.rate:.0f} actions/s (p50 {result.p50:.2f}, p99 {result.p99:.2f} ms), "
                  f"redis {theirs[-1][0]:.0f} SET/s (p99 {theirs[-1][1]:.2f} ms)", flush=True)
    finally:
        redis.stop()
    service.stop()
    mine, other = median([rate for rate, _ in ours]), median([rate for rate, _ in theirs])
    print(f"median of {options.rounds}, {options.connections} connections: storehouse {mine:.0f} durable actions/s "
          f"(p99 {median([p99 for _, p99 in ours]):.2f} ms), redis appendfsync always {other:.0f} SET/s "
          f"(p99 {median([p99 for _, p99 in theirs]):.2f} ms): ratio {mine / other:.2f}")
    print(f"storehouse's p99 is {median(spread):.1f} times its p50")
    if failures:
        print(f"{failures} answers were no success", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    arguments = parser(__doc__, rounds=5, seconds=5, connections=64, accounts=1_000)
    arguments.add_argument("--others", type=int, default=0, help="accounts in the database beside those that are used")
    arguments.add_argument("--model", choices=("shop", "counter"), default="shop", help="what an account is")
    arguments.add_argument("--folder", help="where both keep their files; it must exist, and is left with neither's")
    sys.exit(main(arguments.parse_args(), run))
