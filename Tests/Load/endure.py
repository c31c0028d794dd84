#!/usr/bin/env python3
"""Treats the service badly, one way after another, and looks whether it stays up and keeps nothing.

usage: endure.py [--binary FILE] [--only NAME] [--idle N] [--seconds N] [--slowhttptest]

Scenarios: slow heads, slow bodies, readers that stop reading, idle connections by the thousand, floods of connections, resets at every
point, half-closed clients, clients that vanish during a long poll or a stream, being stopped and continued, and running out of descriptors. After each, a request is
served at once, the count of descriptors is what it was, and memory has stayed bounded. With --slowhttptest, that program's four attacks,
too (Debian's package). Standard library only; Linux only, since it looks into /proc. Exit status 1 where anything fails.
"""
import argparse
import contextlib
import json
import os
import resource
import shutil
import signal
import socket
import struct
import subprocess
import sys
import time

from support.process import cpu_seconds, descriptors, resident_bytes
from support.service import Service, find_binary

SETTLE_SECONDS_MAX = 20
MEMORY_GROWTH_BYTES_MAX = 192 << 20


class Bench:
    """The service, and what is asked of it between two scenarios."""

    def __init__(self, service, seconds, idle):
        self.service, self.seconds, self.idle_count = service, seconds, idle
        status, body = self.request("POST", "/accounts")
        assert status == 201, (status, body)
        self.token = json.loads(body)["token"]

    def connect(self, receive_buffer=None):
        client = socket.socket()
        if receive_buffer:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        client.settimeout(10)
        client.connect(("127.0.0.1", self.service.port))
        return client

    def head(self, method="GET", target="/state", fields=""):
        return (f"{method} {target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {self.token}\r\n{fields}\r\n").encode()

    def request(self, method, target, fields=""):
        """One request over a connection of its own. Returns its status and body."""
        with contextlib.closing(self.connect()) as client:
            token = getattr(self, "token", None)
            authorization = f"Authorization: Bearer {token}\r\n" if token else ""
            client.sendall(
                f"{method} {target} HTTP/1.1\r\nHost: localhost\r\n{authorization}{fields}Connection: close\r\n\r\n".encode())
            answer = b""
            while piece := client.recv(65536):
                answer += piece
        head, _, body = answer.partition(b"\r\n\r\n")
        return int(head.split(b" ")[1]), body

    def descriptors(self):
        return descriptors(self.service.process.pid)

    def memory(self):
        return resident_bytes(self.service.process.pid)

    def cpu_seconds(self):
        return cpu_seconds(self.service.process.pid)


def slow_heads(bench):
    """A few hundred clients send a byte of a head now and then; others are served meanwhile."""
    clients = [bench.connect() for _ in range(300)]
    deadline = time.monotonic() + bench.seconds
    line, position = bench.head(), 0
    slowest = 0
    while time.monotonic() < deadline:
        for client in clients:
            with contextlib.suppress(OSError):
                client.send(line[position % 20:position % 20 + 1])
        position += 1
        began = time.monotonic()
        assert bench.request("GET", "/state")[0] == 200
        slowest = max(slowest, time.monotonic() - began)
        time.sleep(0.2)
    for client in clients:
        client.close()
    return f"300 clients; the slowest request beside them took {slowest * 1000:.0f} ms"


def slow_bodies(bench):
    """Clients announce a body and drip it."""
    clients = [bench.connect() for _ in range(200)]
    for client in clients:
        client.sendall(bench.head("POST", "/actions", "Content-Type: application/json\r\nContent-Length: 100000\r\n"))
    deadline = time.monotonic() + bench.seconds
    while time.monotonic() < deadline:
        for client in clients:
            with contextlib.suppress(OSError):
                client.send(b" ")
        assert bench.request("GET", "/state")[0] == 200
        time.sleep(0.2)
    for client in clients:
        client.close()
    return "200 clients"


def readers_that_stop(bench):
    """Clients pipeline requests without end and read nothing: they are read no further, and memory stays bounded."""
    clients = [bench.connect(receive_buffer=4096) for _ in range(50)]
    request = bench.head() * 50
    taken = 0
    deadline = time.monotonic() + bench.seconds
    for client in clients:
        client.setblocking(False)
    while time.monotonic() < deadline:
        for client in clients:
            with contextlib.suppress(OSError):
                taken += client.send(request)
        time.sleep(0.01)
    for client in clients:
        client.close()
    assert taken < 50 * (16 << 20), "the service goes on reading clients that take nothing"
    return f"50 clients; {taken / 50 / 1024:.0f} KiB of requests taken from each"


def idle_connections(bench):
    """Thousands of connections that say nothing."""
    clients = [bench.connect() for _ in range(bench.idle_count)]
    before = bench.memory()
    assert bench.request("GET", "/state")[0] == 200
    cpu = bench.cpu_seconds()
    time.sleep(2)
    cpu = bench.cpu_seconds() - cpu
    for client in clients:
        client.close()
    assert cpu < 0.5, f"idle connections cost {cpu} s of processor time in 2 s"
    return f"{bench.idle_count} connections; {before >> 20} MiB in all; {cpu * 1000:.0f} ms of processor time in 2 s"


def connection_flood(bench):
    """Connections opened and closed as fast as one client can."""
    count, deadline = 0, time.monotonic() + bench.seconds
    while time.monotonic() < deadline:
        bench.connect().close()
        count += 1
    return f"{count} connections"


def resets(bench):
    """Connections reset at every point of a request and its answer."""
    line, count = bench.head() + bench.head("POST", "/actions", "Content-Length: 5\r\n") + b"12345", 0
    for length in range(0, len(line), 7):
        for wait in (0, 0.002):
            client = bench.connect()
            client.sendall(line[:length])
            time.sleep(wait)
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            client.close()
            count += 1
    return f"{count} resets"


def half_closed(bench):
    """Clients that end their side and still want their answers."""
    for _ in range(100):
        with contextlib.closing(bench.connect()) as client:
            client.sendall(bench.head() * 3)
            client.shutdown(socket.SHUT_WR)
            answer = b""
            while piece := client.recv(65536):
                answer += piece
            assert answer.count(b"HTTP/1.1 200") == 3, answer[:200]
    return "100 clients, 3 answers each"


def vanishing_followers(bench):
    """Clients that leave, politely or not, in the middle of a long poll or a stream."""
    tag = None
    with contextlib.closing(bench.connect()) as client:
        client.sendall(bench.head())
        for line in client.recv(65536).split(b"\r\n"):
            if line.lower().startswith(b"etag:"):
                tag = line.split(b":", 1)[1].strip().decode()
    count = 0
    for abrupt in (False, True):
        for target, fields in (("/state", f"If-None-Match: {tag}\r\nPrefer: wait=30\r\n"), ("/events", "")):
            for _ in range(50):
                client = bench.connect()
                client.sendall(bench.head("GET", target, fields))
                time.sleep(0.002)
                if abrupt:
                    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                client.close()
                count += 1
    return f"{count} clients"


def no_descriptors(bench):
    """The service's descriptor limit is reached: accepting pauses without spinning, and goes on when there is room."""
    pid, (soft, hard) = bench.service.process.pid, resource.prlimit(bench.service.process.pid, resource.RLIMIT_NOFILE)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (bench.descriptors() + 40, hard))
    clients = [bench.connect() for _ in range(200)]
    time.sleep(0.5)
    cpu = bench.cpu_seconds()
    time.sleep(2)
    cpu = bench.cpu_seconds() - cpu
    for client in clients:
        client.close()
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (soft, hard))
    assert cpu < 0.5, f"it spins: {cpu} s of processor time in 2 s"
    return f"200 clients for 40 descriptors; {cpu * 1000:.0f} ms of processor time in 2 s"


def interrupted_calls(bench):
    """The process is stopped and continued again and again in the middle of its work: every system call that waits returns EINTR (signal(7))."""
    count, deadline = 0, time.monotonic() + bench.seconds
    with contextlib.closing(bench.connect()) as client:
        while time.monotonic() < deadline:
            client.sendall(bench.head("POST", "/accounts") + bench.head() * 3)
            os.kill(bench.service.process.pid, signal.SIGSTOP)
            time.sleep(0.002)
            os.kill(bench.service.process.pid, signal.SIGCONT)
            answer = b""
            while answer.count(b"HTTP/1.1 ") < 4 or not answer.endswith(b"}"):
                piece = client.recv(65536)
                assert piece, "the connection was closed"
                answer += piece
            assert answer.count(b"HTTP/1.1 20") == 4, answer[:200]
            count += 1
            time.sleep(0.002)
            # Idle, too: waiting for a socket, a timer, a job.
            os.kill(bench.service.process.pid, signal.SIGSTOP)
            os.kill(bench.service.process.pid, signal.SIGCONT)
    return f"stopped {2 * count} times"


SCENARIOS = [slow_heads, slow_bodies, readers_that_stop, idle_connections, connection_flood, resets, half_closed, vanishing_followers,
             interrupted_calls, no_descriptors]


def slowhttptest(bench):
    """The attacks of the program of that name; each must leave the service available."""
    if not shutil.which("slowhttptest"):
        subprocess.run(["apt-get", "install", "-y", "-q", "slowhttptest"], check=True, stdout=subprocess.DEVNULL)
    for name, options in {"slow headers": "-H", "slow bodies": "-B", "ranges": "-R", "slow reading": "-X"}.items():
        said = subprocess.run(
            ["slowhttptest", options, "-c", "500", "-i", "2", "-r", "200", "-l", str(bench.seconds + 5), "-p", "3",
             "-u", f"http://127.0.0.1:{bench.service.port}/state"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False).stdout.decode("utf-8", "replace")
        assert "service available:   NO" not in said and "service available: NO" not in said, f"{name}: the service was away"
        settle(bench, 0)
    return "headers, bodies, ranges, reading: available throughout"


def settle(bench, before):
    """Waits until the descriptors are no more than they were."""
    deadline = time.monotonic() + SETTLE_SECONDS_MAX
    while before and bench.descriptors() > before and time.monotonic() < deadline:
        time.sleep(0.1)
    return bench.descriptors()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--binary", help="the program; else STOREHOUSE_BINARY, else this checkout's release build")
    parser.add_argument("--only", default="", help="scenarios whose name begins so")
    parser.add_argument("--idle", type=int, default=10_000, help="idle connections")
    parser.add_argument("--seconds", type=int, default=5, help="how long each lasting scenario goes on")
    parser.add_argument("--slowhttptest", action="store_true", help="run that program's attacks, too")
    options = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 65_536), hard))
    service = Service(find_binary(options.binary))
    service.start()
    failed = 0
    try:
        bench = Bench(service, options.seconds, min(options.idle, hard - 200))
        for scenario in SCENARIOS + ([slowhttptest] if options.slowhttptest else []):
            if not scenario.__name__.startswith(options.only):
                continue
            before, memory = bench.descriptors(), bench.memory()
            try:
                said = scenario(bench)
                began = time.monotonic()
                assert bench.request("GET", "/state")[0] == 200, "it does not answer any more"
                waited = time.monotonic() - began
                left, grown = settle(bench, before), bench.memory() - memory
                assert left <= before, f"{left - before} descriptors are left open"
                assert grown < MEMORY_GROWTH_BYTES_MAX, f"memory has grown by {grown >> 20} MiB"
                print(f"ok   {scenario.__name__}: {said}; answers in {waited * 1000:.0f} ms; {grown >> 20:+d} MiB")
            except (AssertionError, OSError) as fault:
                failed += 1
                print(f"FAIL {scenario.__name__}: {fault!r}")
        service.stop()
    finally:
        service.kill()
        shutil.rmtree(service.folder, ignore_errors=True)
    print("stays up" if not failed else f"{failed} scenarios failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
