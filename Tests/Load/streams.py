#!/usr/bin/env python3
"""Ten thousand event streams at once, and what an event costs with one follower and with a thousand.

usage: Tests/Load/streams.py [--streams 10000] [--accounts 1000] [--followers 1000] [--actions 300] [--binary FILE]

1. Opens `--streams` streams over `--accounts` accounts, reads off what memory each takes, dispatches one action to every account and
   waits until every stream has its event: the time until then, and that none was missed or came twice.
2. One account, followed by 1 and then by `--followers` streams: the service's processor time for each action, and for each event sent.

Standard library only; Linux only, since it looks into /proc.
"""
import collections
import re
import resource
import select
import socket
import sys
import time

from support.accounts import dispatch, dispatching, open_accounts, toggle_all
from support.catalog import stocked_products
from support.http import Connection, request
from support.process import cpu_seconds, resident_bytes, settled_bytes
from support.script import main, parser
from support.service import ServiceError

QUIET_SECONDS_MAX = 60
EVENT = re.compile(rb"id: [\w-]+\.(\d+)\nevent: (snapshot|transition)\n")


class Streams:
    """Many event streams in one thread."""

    def __init__(self, port, tokens):
        self.poll = select.epoll()
        self.counts = collections.Counter()
        self.sockets, self.text, self.revisions = {}, {}, {}
        for token in tokens:
            client = socket.create_connection(("127.0.0.1", port), timeout=30)
            client.sendall(request("GET", "/events", token))
            client.setblocking(False)
            number = client.fileno()
            self.sockets[number], self.text[number], self.revisions[number] = client, b"", []
            self.poll.register(number, select.EPOLLIN)

    def read(self, until, seconds=QUIET_SECONDS_MAX):
        """Reads until `until()` holds."""
        deadline = time.monotonic() + seconds
        while not until():
            if time.monotonic() > deadline:
                raise ServiceError("the events did not come in time")
            for number, _ in self.poll.poll(0.2):
                piece = self.sockets[number].recv(65536)
                if not piece:
                    raise ServiceError("a stream was ended")
                text = self.text[number] + piece
                whole, _, self.text[number] = text.rpartition(b"\n\n")
                for revision, name in EVENT.findall(whole + b"\n"):
                    self.revisions[number].append((name, int(revision)))
                    self.counts[name] += 1

    def count(self, kind):
        return self.counts[kind.encode()]

    def close(self):
        for client in self.sockets.values():
            client.close()


def many_streams(service, options, product):
    tokens = open_accounts(service.port, options.accounts)
    before = settled_bytes(service.process.pid)
    began = time.monotonic()
    streams = Streams(service.port, [tokens[number % len(tokens)] for number in range(options.streams)])
    streams.read(lambda: streams.count("snapshot") == options.streams)
    print(f"{options.streams} streams over {options.accounts} accounts are open after {time.monotonic() - began:.1f} s; "
          f"{(settled_bytes(service.process.pid) - before) / options.streams / 1024:.1f} KiB each, "
          f"{resident_bytes(service.process.pid) >> 20} MiB in all", flush=True)
    began = time.monotonic()
    toggle_all(service.port, tokens, product)
    dispatched = time.monotonic() - began
    # Each toggle is a request and the success of its save: two transitions, at revisions 1 and 2.
    streams.read(lambda: streams.count("transition") >= 2 * options.streams)
    print(f"one action to each account in {dispatched:.1f} s; all {2 * options.streams} events are there "
          f"{time.monotonic() - began - dispatched:.2f} s later; {resident_bytes(service.process.pid) >> 20} MiB in all", flush=True)
    wrong = sum(1 for each in streams.revisions.values() if [revision for _, revision in each] != [0, 1, 2])
    streams.close()
    if wrong:
        raise ServiceError(f"{wrong} streams missed an event, or heard one twice")


def hot_account(service, followers, actions):
    [token] = open_accounts(service.port, 1)
    streams = Streams(service.port, [token] * followers)
    streams.read(lambda: streams.count("snapshot") == followers)
    connection, pid = Connection(service.port), service.process.pid
    before = cpu_seconds(pid)
    for number in range(actions):
        dispatch(connection, dispatching(token, "catalog/search", query=f"word {number}"))
        streams.read(lambda wanted=(number + 1) * followers: streams.count("transition") >= wanted)
    spent = cpu_seconds(pid) - before
    streams.close()
    return spent / actions


def run(options, service):
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    service.start()
    product = stocked_products(service.port)[0][0]
    many_streams(service, options, product)
    alone = hot_account(service, 1, options.actions)
    followed = hot_account(service, options.followers, options.actions)
    each = (followed - alone) / (options.followers - 1)
    print(f"an action with its event costs {alone * 1e6:.0f} us of processor time with 1 follower, {followed * 1e6:.0f} us with "
          f"{options.followers}: {each * 1e6:.1f} us for each further event sent, {each / alone * 100:.1f} % of the first")
    service.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main(parser(__doc__, streams=10_000, accounts=1_000, followers=1_000, actions=300).parse_args(), run))
