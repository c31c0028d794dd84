"""Followers of event streams: how long after an action was sent each of them has its event."""
import select
import socket
import time

from .http import READ_BYTES_MAX, Connection, request
from .service import ServiceError


class Followers:
    """`count` streams dealt out over accounts; `deliver` dispatches to each account in turn and times the events."""

    def __init__(self, host, port, tokens, count):
        self.host, self.port, self.tokens = host, port, tokens
        self.poll, self.streams, self.account = select.epoll(), {}, {}
        for index in range(count):
            stream = socket.create_connection((host, port), timeout=30)
            stream.sendall(request("GET", "/events", tokens[index % len(tokens)]))
            self.streams[stream.fileno()], self.account[stream.fileno()] = stream, index % len(tokens)
        for stream in self.streams.values():
            seen = b""
            while b"event: snapshot" not in seen:
                more = stream.recv(READ_BYTES_MAX)
                if not more:
                    raise ServiceError(f"a stream ended: {seen[:200]!r}")
                seen += more
            stream.setblocking(False)
            self.poll.register(stream.fileno(), select.EPOLLIN)

    def deliver(self, seconds):
        """Returns the seconds from sending an action to each of its events."""
        connection, times = Connection(self.port, self.host), []
        body = b'{"type":"catalog/search","payload":{"query":"the books of the sea"}}'
        followers = [sum(1 for owner in self.account.values() if owner == index) for index in range(len(self.tokens))]
        end, turn = time.monotonic() + seconds, 0
        while time.monotonic() < end:
            index = turn % len(self.tokens)
            turn += 1
            began, awaited = time.perf_counter(), followers[index]
            answer = connection.exchange(request("POST", "/actions", self.tokens[index], body=body))
            if answer.status != 200:
                raise ServiceError(f"POST /actions gives {answer.status}")
            while awaited:
                ready = self.poll.poll(10.0)
                if not ready:
                    raise ServiceError(f"{awaited} followers have not heard of an action within 10 s")
                for number, _ in ready:
                    events = self.streams[number].recv(READ_BYTES_MAX).count(b"event: transition")
                    awaited -= events
                    times += [time.perf_counter() - began] * events
        connection.close()
        return times

    def close(self):
        for stream in self.streams.values():
            stream.close()
        self.poll.close()
