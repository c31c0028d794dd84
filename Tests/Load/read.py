#!/usr/bin/env python3
"""Reads a second of one account's state, beside nginx answering a constant of the same size, in the same run.

usage: Tests/Load/read.py [--rounds 5] [--seconds 5] [--connections 64] [--actions 8] [--binary FILE]

Each round loads `GET /state` of one account (wrk, keep-alive, with its token) and then nginx (`return 200` with a body of the same
number of bytes, access log off, as many workers as cores). Prints the medians, their 99th percentiles and their ratio.
Installs wrk and nginx where they are missing.
"""
import argparse
import json
import os
import subprocess
import sys
import time

from support import wrk
from support.catalog import stocked_products
from support.figures import median
from support.http import Connection, request
from support.service import Service, ServiceError, find_binary
from support.tools import find, free_port, need


class Nginx:
    """An nginx that answers every request with `size` bytes of JSON."""

    CONFIGURATION = """
        worker_processes auto; daemon off; pid {folder}/nginx.pid; error_log stderr crit;
        events {{ worker_connections 1024; }}
        http {{
            access_log off; keepalive_requests 1000000000;
            client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
            uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
            server {{
                listen 127.0.0.1:{port} backlog=1024;
                location / {{ default_type application/json; return 200 '"{text}"'; }}
            }}
        }}
    """

    def __init__(self, folder, size):
        self.port = free_port()
        path = os.path.join(folder, "nginx.conf")
        with open(path, "w", encoding="ascii") as file:
            file.write(self.CONFIGURATION.format(folder=folder, port=self.port, text="x" * (size - 2)))
        self.process = subprocess.Popen(
            [find("nginx"), "-e", "stderr", "-p", folder, "-c", path], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE)
        for _ in range(100):
            try:
                answer = Connection(self.port).exchange(request("GET", "/"))
                if len(answer.body) != size:
                    raise ServiceError(f"nginx answers {len(answer.body)} bytes instead of {size}")
                return
            except OSError:
                time.sleep(0.05)
        self.stop()
        raise ServiceError(f"nginx was not ready: {self.process.stderr.read().decode()}")

    def stop(self):
        # The master takes its workers with it on SIGTERM; killed, it would leave them.
        self.process.terminate()
        self.process.wait(10)


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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--actions", type=int, default=8, help="how many lines the account's cart has")
    parser.add_argument("--binary")
    options = parser.parse_args()
    service = None
    try:
        service = Service(find_binary(options.binary))
        return run(options, service)
    except ServiceError as error:
        print(f"read.py: {error}", file=sys.stderr)
        return 1
    finally:
        if service:
            service.remove()


if __name__ == "__main__":
    sys.exit(main())
