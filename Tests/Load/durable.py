#!/usr/bin/env python3
"""Durable actions a second, beside Redis with an fsync for every write, in the same run on the same file system.

usage: Tests/Load/durable.py [--rounds 5] [--seconds 5] [--connections 64] [--accounts 1000] [--folder DIR] [--binary FILE]

Each round loads Storehouse (wrk, POST /actions, one action a request) and then Redis (redis-benchmark, SET of 120 bytes, appendonly
with appendfsync always), over the same number of connections; neither pipelines. Prints the medians and their ratio. The two do
not do the same work: Redis replaces a value, Storehouse authenticates, reduces, and keeps the action and the state it led to.
Installs wrk and redis-server where they are missing. Use a folder on the disk that matters: on a RAM disk a sync costs nothing.
"""
import argparse
import csv
import io
import json
import os
import socket
import subprocess
import sys
import time

from support import wrk
from support.catalog import stocked_products
from support.figures import median
from support.http import Connection, request
from support.service import Service, ServiceError, find_binary
from support.tools import find, free_port, need

VALUE_BYTES = 120


class Redis:
    """A redis-server that syncs every write, with its file in `folder`."""

    def __init__(self, folder):
        self.port = free_port()
        self.process = subprocess.Popen(
            [find("redis-server"), "--port", str(self.port), "--bind", "127.0.0.1", "--dir", folder, "--save", "", "--appendonly", "yes",
             "--appendfsync", "always", "--no-appendfsync-on-rewrite", "no", "--auto-aof-rewrite-percentage", "0"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.05)
        self.stop()
        raise ServiceError("redis-server was not ready")

    def rate(self, connections, requests):
        """SETs a second, and the 99th percentile in ms."""
        done = subprocess.run(
            ["redis-benchmark", "-p", str(self.port), "-t", "set", "-c", str(connections), "-n", str(requests), "-d", str(VALUE_BYTES),
             "-r", "100000", "--csv"],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
        row = next(row for row in csv.DictReader(io.StringIO(done.stdout)) if row["test"] == "SET")
        return float(row["rps"]), float(row["p99_latency_ms"])

    def stop(self):
        self.process.kill()
        self.process.wait()


def run(options, service):
    need(wrk="wrk", redis_server="redis-server", redis_benchmark="redis-tools")
    service.start()
    connection = Connection(service.port)
    opened = [json.loads(connection.exchange(request("POST", "/accounts")).body) for _ in range(options.accounts)]
    products, _ = stocked_products(service.port)
    files = {"tokens": [account["token"] for account in opened], "products": products}
    paths = []
    for name, lines in files.items():
        paths.append(os.path.join(service.folder, name))
        with open(paths[-1], "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")

    redis = Redis(service.folder)
    try:
        ours, theirs, failures = [], [], 0
        for number in range(1, options.rounds + 1):
            result = wrk.run(f"http://127.0.0.1:{service.port}/actions", "actions.lua", options.connections, options.seconds, paths)
            ours.append((result.rate, result.p99))
            failures += result.failures
            guess = int(theirs[-1][0] * options.seconds) if theirs else 20_000 * options.seconds
            theirs.append(redis.rate(options.connections, max(guess, 1_000)))
            print(f"round {number}: storehouse {result.rate:.0f} actions/s (p99 {result.p99:.2f} ms), "
                  f"redis {theirs[-1][0]:.0f} SET/s (p99 {theirs[-1][1]:.2f} ms)", flush=True)
    finally:
        redis.stop()
    service.stop()
    mine, other = median([rate for rate, _ in ours]), median([rate for rate, _ in theirs])
    print(f"median of {options.rounds}, {options.connections} connections: storehouse {mine:.0f} durable actions/s "
          f"(p99 {median([p99 for _, p99 in ours]):.2f} ms), redis appendfsync always {other:.0f} SET/s "
          f"(p99 {median([p99 for _, p99 in theirs]):.2f} ms): ratio {mine / other:.2f}")
    if failures:
        print(f"{failures} answers were no success", file=sys.stderr)
    return 1 if failures else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--accounts", type=int, default=1_000)
    parser.add_argument("--folder", help="where both keep their files; it must exist, and is left with neither's")
    parser.add_argument("--binary")
    options = parser.parse_args()
    service = None
    try:
        folder = options.folder and os.path.join(options.folder, f"storehouse-load-{os.getpid()}")
        if folder:
            os.mkdir(folder)
        service = Service(find_binary(options.binary), folder=folder)
        return run(options, service)
    except ServiceError as error:
        print(f"durable.py: {error}", file=sys.stderr)
        return 1
    finally:
        if service:
            service.remove()


if __name__ == "__main__":
    sys.exit(main())
