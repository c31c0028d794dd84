#!/usr/bin/env python3
"""Offers more than a slow disk can take, and looks at what is let in, what is turned away, and who waits how long.

usage: Tests/Load/overload.py [--connections 600] [--accounts 300] [--seconds 6] [--binary FILE]

The disk takes 300 ms for each sync (faults.py). Every connection dispatches as fast as it is answered: once with the default bounds, once
with few actions allowed to wait. Prints how many actions were done and how many shed (503 with Retry-After), and the times of both. Then, on a
sound disk, 64 connections on many accounts beside 256 more: spread over all accounts, and all on one.
Standard library only. Exit status 1 where a refusal has no Retry-After, or something else than 200 or 503 is answered.
"""
import sys
import time

from faults import Disk
from support.accounts import dispatching, open_accounts
from support.figures import percentile
from support.http import Fleet
from support.script import main, parser
from support.service import Service, ServiceError


def load(port, tokens, connections, seconds):
    """Dispatches over so many connections. Returns the seconds of each status."""
    end, times, sent = time.monotonic() + seconds, {200: [], 503: []}, [0]

    def following(index):
        sent[0] += 1
        if time.monotonic() > end:
            return None
        return dispatching(tokens[index % len(tokens)], "catalog/search", query=f"word {sent[0]}")

    def answered(_, answer):
        if answer.status not in times:
            raise ServiceError(f"the service answers {answer.status} {answer.body[:200]!r}")
        if answer.status == 503 and b"retry-after" not in answer.fields:
            raise ServiceError("a refusal does not say when to come again")
        times[answer.status].append(answer.seconds)

    def lost(_):
        raise ServiceError("a connection was lost")

    Fleet(port, connections, following, answered, lost).run()
    return times


def line(name, seconds):
    ordered = [each * 1000 for each in sorted(seconds)]
    return f"{len(ordered)} {name} (p50 {percentile(ordered, 0.5):.0f} ms, p99 {percentile(ordered, 0.99):.0f} ms)"


def slow_disk(service, options, bounds):
    again = Service(service.binary, bounds)
    try:
        disk = Disk(again.folder)
        again.environment = disk.environment
        again.start()
        tokens = open_accounts(again.port, options.accounts)
        disk.order("slow")
        times = load(again.port, tokens, options.connections, options.seconds)
        disk.order("sound")
        print(f"slow disk, {' '.join(bounds) or 'default bounds'}: {line('done', times[200])}, {line('shed', times[503])}", flush=True)
        again.stop()
    finally:
        again.remove()


def hot_account(service, options, token):
    """320 connections, of which every fifth is looked at by itself. Returns its times, and those of the others."""
    end, looked_at, rest = time.monotonic() + options.seconds, [], []

    def following(index):
        if time.monotonic() > end:
            return None
        return dispatching(token(index), "catalog/search", query=f"word {len(rest)}")

    def answered(index, answer):
        if answer.status != 200:
            raise ServiceError(f"the service answers {answer.status} {answer.body[:200]!r}")
        (rest if index % 5 else looked_at).append(answer.seconds)

    def lost(_):
        raise ServiceError("a connection was lost")

    Fleet(service.port, 320, following, answered, lost).run()
    return looked_at, rest


def run(options, service):
    slow_disk(service, options, [])
    slow_disk(service, options, ["--accounts-waiting-actions", "50", "--accounts-commit-wait-milliseconds", "400"])
    service.start()
    tokens = open_accounts(service.port, options.accounts)
    even, _ = hot_account(service, options, lambda number: tokens[number % len(tokens)])
    others, hot = hot_account(service, options, lambda number: tokens[0] if number % 5 else tokens[1 + number % (len(tokens) - 1)])
    print(f"64 connections, beside 256 spread over all accounts: {line('done', even)}")
    print(f"the same, beside 256 on one hot account: {line('done', others)}; of the hot account {line('done', hot)}")
    service.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main(parser(__doc__, connections=600, accounts=300, seconds=6).parse_args(), run))
