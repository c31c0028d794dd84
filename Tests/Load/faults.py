#!/usr/bin/env python3
"""Gives the service a disk that fails, from outside, and looks at what its clients are told over HTTP.

usage: Tests/Load/faults.py [--binary FILE]

A small library (Tests/Load/support/disk.c, compiled here, put before the C library by LD_PRELOAD) fails or delays writes and syncs of the
database and its log as a file says. Five scenarios:
  - full: 507 with Retry-After and nothing kept; reads go on; right again by itself when there is room;
  - write error, failed sync: 503 commit-unknown, never a refusal; the process ends with 74; started again, a retry under the same
    Idempotency-Key gives one answer, and the action is there once;
  - kill -9 right after a failed sync: the same;
  - slow syncs: reads stay fast, actions are answered once they are durable.
After each, `storehouse verify` finds everything whole. Exit status 1 where anything differs.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import threading
import time

from support.http import Connection, ConnectionLost, request
from support.service import Service, ServiceError, find_binary

HERE = os.path.dirname(os.path.abspath(__file__))
END_SECONDS_MAX = 20
SLOW_READ_SECONDS_MAX = 0.15


class Disk:
    """What the library is told: one word in a file."""

    def __init__(self, folder):
        self.library, self.orders = os.path.join(folder, "disk.so"), os.path.join(folder, "orders")
        source = os.path.join(HERE, "support", "disk.c")
        done = subprocess.run([shutil.which("cc") or "clang", "-shared", "-fPIC", "-O1", "-o", self.library, source, "-ldl"], capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise ServiceError(f"the library does not compile: {done.stderr}")
        self.order("sound")

    def order(self, word):
        # In one write: the library may read it at any instant.
        with open(self.orders + ".new", "w", encoding="ascii") as file:
            file.write(word)
        os.rename(self.orders + ".new", self.orders)

    @property
    def environment(self):
        return {"LD_PRELOAD": self.library, "DISK_ORDERS": self.orders}


class Bench:
    """The service over that disk, with one account."""

    def __init__(self, binary):
        self.service = Service(binary, ["--model", "counter"])
        self.disk = Disk(self.service.folder)
        self.service.environment = self.disk.environment
        self.service.start()
        self.token = json.loads(self.exchange("POST", "/accounts").body)["token"]
        self.sent = 0

    def exchange(self, method, target, fields=(), body=None):
        connection = Connection(self.service.port)
        try:
            return connection.exchange(request(method, target, getattr(self, "token", None), fields, body))
        finally:
            connection.close()

    def act(self, key=None):
        fields = [("Idempotency-Key", f'"{key}"')] if key else []
        return self.exchange("POST", "/actions", fields, b'{"type":"counter/increase"}')

    def revision(self):
        answer = self.exchange("GET", "/state")
        expect(answer.status == 200, f"GET /state gives {answer.status}")
        return json.loads(answer.body)["revision"]

    def whole(self, revision):
        """The log is whole, the counter stands where it should, and the database is sound."""
        expect(self.revision() == revision, f"the account is at {self.revision()}, not {revision}")
        state = json.loads(self.exchange("GET", "/state").body)["state"]
        expect(state == {"value": revision}, f"the state is {state}")
        status, said = self.service.command("verify")
        expect(status == 0, f"verify: {said}")


def expect(condition, what):
    if not condition:
        raise ServiceError(what)


def problem(answer):
    return json.loads(answer.body)["type"].rsplit("/", 1)[-1] if answer.body else None


def full(bench):
    head = bench.revision()
    bench.disk.order("full")
    for _ in range(5):
        answer = bench.act()
        expect(answer.status == 507 and problem(answer) == "storage-full", f"full: {answer.status} {answer.body}")
        expect(b"retry-after" in answer.fields, "full: no Retry-After")
        expect(bench.revision() == head, "full: something was kept, or shown")
    bench.disk.order("sound")
    answer = bench.act()
    expect(answer.status == 200, f"with room again: {answer.status} {answer.body}")
    bench.whole(head + 1)


def unknown(bench, order, key, kill=False):
    head = bench.revision()
    bench.disk.order(order)
    try:
        answer = bench.act(key)
        expect(answer.status == 503 and problem(answer) == "commit-unknown", f"{order}: {answer.status} {answer.body}")
    except ConnectionLost:
        pass
    if kill:
        bench.service.kill()
    else:
        try:
            status = bench.service.process.wait(END_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            raise ServiceError(f"{order}: the process goes on") from None
        expect(status == 74, f"{order}: the process ended with {status}")
    bench.disk.order("sound")
    bench.service.start()
    expect(bench.revision() in (head, head + 1), "something is there that nobody sent")
    first, second = bench.act(key), bench.act(key)
    expect(first.status == second.status == 200 and first.body == second.body, f"{order}: {first.body} and {second.body}")
    bench.whole(head + 1)


def slow(bench):
    head = bench.revision()
    bench.disk.order("slow")
    answers = []
    writers = [threading.Thread(target=lambda: answers.append(bench.act())) for _ in range(8)]
    for writer in writers:
        writer.start()
    reads = []
    while any(writer.is_alive() for writer in writers):
        began = time.monotonic()
        expect(bench.exchange("GET", "/state").status == 200, "slow: a read fails")
        reads.append(time.monotonic() - began)
    for writer in writers:
        writer.join()
    bench.disk.order("sound")
    expect([answer.status for answer in answers] == [200] * 8, "slow: an action was not answered")
    expect(min(answer.seconds for answer in answers) > 0.25, "slow: an action was answered before its sync")
    expect(sorted(reads)[len(reads) // 2] < SLOW_READ_SECONDS_MAX, "slow: reads wait for the disk")
    bench.whole(head + 8)


SCENARIOS = {
    "full disk": full,
    "write error": lambda bench: unknown(bench, "write", "a"),
    "failed sync": lambda bench: unknown(bench, "sync", "b"),
    "failed sync, then kill -9": lambda bench: unknown(bench, "sync", "c", kill=True),
    "slow syncs": slow,
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary")
    options = parser.parse_args()
    bench = None
    try:
        bench = Bench(find_binary(options.binary))
        for _ in range(3):
            expect(bench.act().status == 200, "a sound disk does not do")
        for name, scenario in SCENARIOS.items():
            began = time.monotonic()
            scenario(bench)
            print(f"{name}: as it should be, {time.monotonic() - began:.1f} s", flush=True)
        bench.service.stop()
    except ServiceError as error:
        print(f"faults.py: {error}", file=sys.stderr)
        if bench:
            print(bench.service.said[-2_000:], file=sys.stderr)
        return 1
    finally:
        if bench:
            bench.service.remove()
    return 0


if __name__ == "__main__":
    sys.exit(main())
