#!/usr/bin/env python3
"""Measures what timers cost: a million that wait, and how fast those that are due fire.

usage: Tests/Load/timers.py [--waiting 1000000] [--due 100000] [--accounts 1000] [--binary FILE] [--keep]

Serves the counter over a fresh database with some accounts and notes how it starts, what memory it takes and what it does when idle.
Then writes rows into the outbox of the stopped database, as delayed actions would have left them:
  - `--waiting` timers that are due in an hour: how much longer the start takes, how much more memory and processor time it costs,
    how many threads there are, and how late a timer of one second fires beside them;
  - `--due` timers that fell due while the service was down: how many a second fire, that each fires once, and none is left.
Exit status 1 where a timer is lost, fires twice, or a million cost a thread or more than a page of memory each.
"""
import argparse
import json
import http.client
import os
import sqlite3
import sys
import time

from support.service import Service, ServiceError, find_binary

IDLE_SECONDS = 5
FIRING_SECONDS_MAX = 300
BATCH = 50_000
REVISION = 1_000_000_000
# One timer that waits may not cost more than this in memory; one in memory would cost hundreds of bytes.
WAITING_BYTES_MAX = 64


class Client:
    """One keep-alive connection."""

    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    def ask(self, method, target, token=None, body=None):
        fields = {"Authorization": f"Bearer {token}"} if token else {}
        if body is not None:
            fields["Content-Type"] = "application/json"
        self.connection.request(method, target, body, fields)
        answer = self.connection.getresponse()
        text = answer.read()
        if answer.status not in (200, 201):
            raise ServiceError(f"{method} {target}: {answer.status} {text[:200]}")
        return json.loads(text)


def resident(pid):
    """Resident bytes, and threads."""
    fields = dict(line.split(":", 1) for line in open(f"/proc/{pid}/status", encoding="utf-8"))
    return int(fields["VmRSS"].split()[0]) * 1024, int(fields["Threads"])


def processor_seconds(pid):
    parts = open(f"/proc/{pid}/stat", encoding="utf-8").read().rsplit(")", 1)[1].split()
    return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


def idle(service):
    """Start-up in seconds; then memory, threads and processor time after some seconds without a request."""
    seconds = service.start()
    pid = service.process.pid
    before = processor_seconds(pid)
    time.sleep(IDLE_SECONDS)
    memory, threads = resident(pid)
    spent = processor_seconds(pid) - before
    print(f"  ready after {seconds * 1000:.0f} ms; idle: {memory / 2**20:.1f} MiB, {threads} threads, "
          f"{spent / IDLE_SECONDS * 100:.1f} % of a core", flush=True)
    return memory, threads


def write_timers(path, accounts, count, due, ordinal):
    """As delayed increments would have left them, of a revision that no account reaches here; the service must be stopped."""
    began = time.monotonic()
    with sqlite3.connect(path) as database:
        for first in range(0, count, BATCH):
            rows = ((accounts[index % len(accounts)], REVISION, ordinal + index // len(accounts), "increase", due, b'"increase"')
                    for index in range(first, min(count, first + BATCH)))
            database.executemany(
                "INSERT INTO outbox (account, revision, ordinal, kind, due, attempt, payload) VALUES (?, ?, ?, ?, ?, 0, ?)", rows)
            database.commit()
    database.close()
    print(f"  {count} timers written in {time.monotonic() - began:.1f} s", flush=True)


def lateness(client, token):
    """How long after a second a timer of one second has fired, seen by a client that asks all the time. In milliseconds."""
    value = client.ask("GET", "/state", token)["state"]["value"]
    began = time.monotonic()
    client.ask("POST", "/actions", token, '{"type": "counter/asyncIncrease"}')
    while client.ask("GET", "/state", token)["state"]["value"] == value:
        if time.monotonic() - began > 30:
            raise ServiceError("a timer of one second has not fired in thirty")
    return (time.monotonic() - began - 1) * 1000


def left(path, now):
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        return database.execute("SELECT COUNT(*) FROM outbox WHERE dead IS NULL AND due <= ?", (now,)).fetchone()[0]
    finally:
        database.close()


def fire(service, count, now):
    """Waits until all that is due has fired. Returns the rate between the first and the last look that saw any move."""
    began = time.monotonic()
    while (rest := left(service.database, now)) > 0:
        if time.monotonic() - began > FIRING_SECONDS_MAX:
            raise ServiceError(f"{rest} timers have not fired in {FIRING_SECONDS_MAX} s")
        time.sleep(0.1)
    seconds = time.monotonic() - began
    memory, threads = resident(service.process.pid)
    print(f"  {count} fired in {seconds:.1f} s: {count / seconds:.0f} a second; {memory / 2**20:.1f} MiB, {threads} threads",
          flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--waiting", type=int, default=1_000_000)
    parser.add_argument("--due", type=int, default=100_000)
    parser.add_argument("--accounts", type=int, default=1_000)
    parser.add_argument("--binary")
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    service = Service(find_binary(options.binary), ["--model", "counter"])
    failures = []
    try:
        print(f"{options.accounts} accounts, no timers:", flush=True)
        service.start()
        client = Client(service.port)
        tokens = {}
        for _ in range(options.accounts):
            answer = client.ask("POST", "/accounts")
            tokens[answer["account"]] = answer["token"]
        accounts = sorted(tokens)
        service.stop()
        bare, threads_bare = idle(service)
        service.stop()

        print(f"{options.waiting} timers due in an hour:", flush=True)
        write_timers(service.database, accounts, options.waiting, int(time.time() * 1000) + 3_600_000, 0)
        memory, threads = idle(service)
        late = sorted(lateness(Client(service.port), tokens[accounts[index % len(accounts)]]) for index in range(5))
        print(f"  a timer of one second fires {late[0]:.0f} to {late[-1]:.0f} ms late", flush=True)
        if threads > threads_bare:
            failures.append(f"timers cost threads: {threads_bare} without, {threads} with")
        if options.waiting and memory - bare > max(8 << 20, options.waiting * WAITING_BYTES_MAX):
            failures.append(f"timers that wait cost memory: {(memory - bare) / 2**20:.1f} MiB")
        service.stop()

        print(f"{options.due} timers that fell due while the service was down:", flush=True)
        now = int(time.time() * 1000)
        write_timers(service.database, accounts, options.due, now, 1_000_000)
        service.start()
        fire(service, options.due, now)
        client = Client(service.port)
        fired = sum(client.ask("GET", "/state", token)["state"]["value"] for token in tokens.values()) - len(late)
        if fired != options.due:
            failures.append(f"{options.due} timers fell due, {fired} fired")
        service.stop()
        status, said = service.command("verify")
        print(f"  {said.splitlines()[-1] if said else status}")
        if status != 0:
            failures.append(f"verify: {said}")
    except ServiceError as error:
        failures.append(str(error))
    finally:
        service.remove(options.keep)
    for failure in failures:
        print(f"FAILED: {failure}", file=sys.stderr)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
