#!/usr/bin/env python3
"""One table of how the service behaves under load: reads, writes, both, one hot account, streams, cold accounts.

usage: Tests/Load/table.py [--seconds 5] [--connections 64] [--accounts 1000] [--streams 500] [--binary FILE | --url http://HOST:PORT]

Starts a service of its own over a fresh database, or, with --url, loads a deployment of yours: it opens accounts there and fills
their carts' searches, so point it at one that you can throw away. wrk and hey make the load, on this machine. Where nginx and
redis-server are installed, reads stand beside nginx answering a constant of the same size, and writes beside Redis with an fsync for
each write; both share this machine, so with --url their ratios say nothing and are left out. `cold` needs a restart, and is left out
with --url, too. The hot account is dispatched to by hey while wrk dispatches to all others: what counts is the others' p99 beside the
one they have alone. Figures of one run vary; durable.py and read.py take medians.
"""
import json
import os
import subprocess
import sys
import time
from urllib.parse import urlsplit

from support import hey, wrk
from support.catalog import stocked_products
from support.figures import percentile
from support.http import Connection, Fleet, request
from support.references import Nginx, Redis
from support.script import main, parser, table
from support.service import ServiceError
from support.tools import find, need

SEARCH = '{"type":"catalog/search","payload":{"query":"the books of the sea and the garden"}}'
HEADER = ["scenario", "a second", "p99 ms", "failures", "beside", "ratio"]


class Bench:
    """The service under load, its accounts, and the rows so far."""

    def __init__(self, options, service):
        self.options, self.service, self.rows, self.failures = options, service, [], 0
        self.host, self.port = "127.0.0.1", None
        if options.url:
            parts = urlsplit(options.url)
            self.host, self.port = parts.hostname, parts.port or 80
        else:
            service.start()
            self.port = service.port
        self.address = f"http://{self.host}:{self.port}"
        connection = Connection(self.port, self.host)
        self.tokens = [json.loads(connection.exchange(request("POST", "/accounts")).body)["token"] for _ in range(options.accounts)]
        connection.close()
        products, _ = stocked_products(self.port) if self.host == "127.0.0.1" else (["dune"], [])
        self.files = {}
        for name, lines in {"tokens": self.tokens[1:], "products": products}.items():
            self.files[name] = os.path.join(service.folder, name)
            with open(self.files[name], "w", encoding="utf-8") as file:
                file.write("\n".join(lines) + "\n")

    def add(self, name, rate, p99, failures=0, beside="", ratio=None):
        self.failures += failures
        self.rows.append([name, f"{rate:.0f}", f"{p99:.2f}", str(failures), beside, f"{ratio:.2f}" if ratio else ""])
        print("  ".join(self.rows[-1]), flush=True)

    def add_run(self, name, run, beside="", ratio=None):
        self.add(name, run.rate, run.p99, run.failures, beside, ratio)

    # Scenarios

    def read(self):
        token = self.tokens[0]
        mine = wrk.run(self.address + "/state", "state.lua", self.options.connections, self.options.seconds, [token])
        beside, ratio = "", None
        if find("nginx") and not self.options.url:
            size = len(Connection(self.port).exchange(request("GET", "/state", token)).body)
            nginx = Nginx(self.service.folder, size)
            try:
                other = wrk.run(f"http://127.0.0.1:{nginx.port}/", "state.lua", self.options.connections, self.options.seconds)
            finally:
                nginx.stop()
            beside, ratio = f"nginx {other.rate:.0f}/s", mine.rate / other.rate
        self.add_run("read (wrk)", mine, beside, ratio)
        self.add_run("read (hey)", hey.run(self.address + "/state", self.options.connections, self.options.seconds, token=token))

    def write(self):
        mine = self.dispatch_to_many()
        beside, ratio = "", None
        if find("redis-server") and find("redis-benchmark") and not self.options.url:
            redis = Redis(self.service.folder)
            try:
                rate, _ = redis.rate(self.options.connections, 5_000 * self.options.seconds)
            finally:
                redis.stop()
            beside, ratio = f"redis {rate:.0f}/s", mine.rate / rate
        self.add_run("write (wrk)", mine, beside, ratio)
        return mine

    def dispatch_to_many(self):
        return wrk.run(self.address + "/actions", "actions.lua", self.options.connections, self.options.seconds,
                       [self.files["tokens"], self.files["products"]])

    def mixed(self):
        self.add_run("mixed, 9 reads to 1 write (wrk)", wrk.run(
            self.address, "mixed.lua", self.options.connections, self.options.seconds, [self.files["tokens"]]))

    def hot(self, alone):
        """One account under as many connections as all others together."""
        hot = subprocess.Popen(
            hey.command(self.address + "/actions", self.options.connections, self.options.seconds + 1, token=self.tokens[0],
                        method="POST", body=SEARCH),
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        time.sleep(0.5)
        others = self.dispatch_to_many()
        said, _ = hot.communicate()
        self.add_run("hot account (hey)", hey.read(said))
        self.add_run("  the others meanwhile (wrk)", others, f"alone p99 {alone.p99:.2f} ms", others.p99 / alone.p99)

    def streams(self):
        from support.streams import Followers
        followers = Followers(self.host, self.port, self.tokens[:50], self.options.streams)
        try:
            times = sorted(followers.deliver(self.options.seconds))
        finally:
            followers.close()
        self.add(f"events to {self.options.streams} streams", len(times) / self.options.seconds, percentile(times, 0.99) * 1000,
                 beside=f"median {percentile(times, 0.5) * 1000:.2f} ms")

    def cold(self):
        """The first read of every account after a start."""
        self.service.stop()
        self.service.start()
        self.port = self.service.port
        left, times, lost = list(self.tokens), [], [0]

        def answered(_, answer):
            times.append(answer.seconds)
            lost[0] += answer.status != 200

        def missed(_):
            lost[0] += 1

        fleet = Fleet(self.port, self.options.connections, lambda _: request("GET", "/state", left.pop()) if left else None, answered,
                      missed)
        began = time.perf_counter()
        fleet.run()
        self.add("first read of a cold account", len(times) / (time.perf_counter() - began), percentile(sorted(times), 0.99) * 1000, lost[0])


def run(options, service):
    need(wrk="wrk", hey="hey")
    bench = Bench(options, service)
    bench.read()
    alone = bench.write()
    bench.mixed()
    bench.hot(alone)
    bench.streams()
    if not options.url:
        bench.cold()
        service.stop()
    print(f"\n{options.seconds} s each, {options.connections} connections, {options.accounts} accounts, {os.cpu_count()} cores, "
          f"the load generator among them")
    print("\n".join(table(HEADER, bench.rows)))
    return 1 if bench.failures else 0


if __name__ == "__main__":
    arguments = parser(__doc__, seconds=5, connections=64, accounts=1_000, streams=500)
    arguments.add_argument("--url", help="a deployment to load instead of a service of one's own")
    given = arguments.parse_args()
    if given.url:
        given.binary = given.binary or "/bin/true"
    sys.exit(main(given, run))
