#!/usr/bin/env python3
"""What a past state and a difference cost, with logs of ten, a thousand and a hundred thousand revisions.

usage: Tests/Load/past.py [--lengths 10,1000,100000] [--reads 100] [--binary FILE]

For each length: an account with that many revisions, `GET /state?revision=N` and `GET /state/diff` (eight revisions apart) at random
revisions over one connection. Prints medians, 99th percentiles, and what they are of the first. Standard library only.
"""
import json
import random
import sys

from support.accounts import open_accounts
from support.catalog import stocked_products
from support.figures import median, percentile
from support.http import Connection, request
from support.script import main, parser
from support.service import ServiceError

BATCH_ACTIONS_MAX = 100


def grow(connection, token, revisions, products):
    """Dispatches actions, a batch at a time, until the account has so many revisions."""
    done = 0
    while done < revisions:
        count = min(BATCH_ACTIONS_MAX, revisions - done)
        batch = [
            {"type": "cart/setQuantity", "payload": {"productID": products[number % 8], "quantity": 1 + number % 50}}
            if done + number >= 8 else {"type": "cart/addItem", "payload": {"productID": products[number], "quantity": 1}}
            for number in range(count)]
        answer = connection.exchange(request("POST", "/actions", token, body=json.dumps(batch).encode()))
        if answer.status != 200:
            raise ServiceError(f"POST /actions gives {answer.status} {answer.body[:300]!r}")
        done = json.loads(answer.body)["revision"]
    return done


def timed(connection, token, targets):
    seconds = []
    for target in targets:
        answer = connection.exchange(request("GET", target, token))
        if answer.status != 200:
            raise ServiceError(f"GET {target} gives {answer.status} {answer.body[:200]!r}")
        seconds.append(answer.seconds * 1000)
    return median(seconds), percentile(sorted(seconds), 0.99)


def run(options, service):
    service.start()
    products, _ = stocked_products(service.port)
    chance, first = random.Random(1), None
    for length in options.lengths:
        [token] = open_accounts(service.port, 1)
        connection = Connection(service.port)
        head = grow(connection, token, length, products)
        revisions = [chance.randint(0, head) for _ in range(options.reads)]
        state, state99 = timed(connection, token, [f"/state?revision={revision}" for revision in revisions])
        difference, difference99 = timed(
            connection, token, [f"/state/diff?from={max(0, revision - 8)}&to={revision}" for revision in revisions])
        first = first or (state, difference)
        print(f"{head:>7} revisions: a past state {state:.2f} ms (p99 {state99:.2f}), {state / first[0]:.1f} times the first; "
              f"a difference {difference:.2f} ms (p99 {difference99:.2f}), {difference / first[1]:.1f} times the first", flush=True)
    service.stop()
    return 0


if __name__ == "__main__":
    arguments = parser(__doc__, reads=100)
    arguments.add_argument("--lengths", type=lambda text: [int(each) for each in text.split(",")], default=[10, 1000, 100_000])
    sys.exit(main(arguments.parse_args(), run))
