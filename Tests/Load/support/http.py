"""An HTTP/1.1 client for load: many keep-alive connections in one thread over epoll, one request at a time on each."""
import collections
import select
import socket
import time

from .service import ServiceError

READ_BYTES_MAX = 262_144


class Answer:
    """One answer. Field names are in lower case, as bytes."""

    __slots__ = ("status", "fields", "body", "seconds")

    def __init__(self, status, fields, body, seconds):
        self.status, self.fields, self.body, self.seconds = status, fields, body, seconds


class ConnectionLost(ServiceError):
    """The peer closed, or reset, before the answer was whole."""

    def __init__(self):
        super().__init__("a connection was lost before its answer was whole")


def request(method, target, token=None, fields=(), body=None):
    """The bytes of a request."""
    lines = [f"{method} {target} HTTP/1.1", "Host: 127.0.0.1"]
    if token:
        lines.append(f"Authorization: Bearer {token}")
    lines.extend(f"{name}: {value}" for name, value in fields)
    if body is not None:
        lines.append("Content-Type: application/json")
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + (body or b"")


def parse(buffer):
    """The first answer in `buffer` as (status, fields, body, bytes used), or None where it is not whole.

    The service states a length on every answer that these scripts ask for.
    """
    end = buffer.find(b"\r\n\r\n")
    if end < 0:
        return None
    lines = bytes(buffer[:end]).split(b"\r\n")
    status = int(lines[0][9:12])
    fields = {}
    for line in lines[1:]:
        name, _, value = line.partition(b":")
        fields[name.lower()] = value.strip()
    size = 0 if status in (204, 304) else int(fields[b"content-length"])
    used = end + 4 + size
    if len(buffer) < used:
        return None
    return status, fields, bytes(buffer[end + 4:used]), used


class Connection:
    """One blocking keep-alive connection."""

    def __init__(self, port, host="127.0.0.1"):
        self.socket = socket.create_connection((host, port), timeout=60)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.buffer = bytearray()

    def exchange(self, data):
        """Sends the bytes of a request and waits for its answer."""
        began = time.perf_counter()
        try:
            self.socket.sendall(data)
            while not (found := parse(self.buffer)):
                more = self.socket.recv(READ_BYTES_MAX)
                if not more:
                    raise ConnectionLost
                self.buffer += more
        except OSError:
            raise ConnectionLost from None
        status, fields, body, used = found
        del self.buffer[:used]
        return Answer(status, fields, body, time.perf_counter() - began)

    def close(self):
        self.socket.close()


class Fleet:
    """Keep-alive connections that each send one request, wait for its answer, and send the next.

    `next_request(index)` gives the bytes of connection `index`'s next request, or None where it has no more.
    `on_answer(index, answer)` is told of each answer, `on_loss(index)` of a connection that was lost while it waited.
    """

    def __init__(self, port, count, next_request, on_answer, on_loss):
        self.next_request, self.on_answer, self.on_loss = next_request, on_answer, on_loss
        self.poll = select.epoll()
        self.sockets, self.buffers, self.sent_at = {}, {}, {}
        self.indices = {}
        for index in range(count):
            try:
                connection = socket.create_connection(("127.0.0.1", port), timeout=10)
            except OSError:
                self.on_loss(index)
                continue
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            connection.setblocking(False)
            number = connection.fileno()
            self.sockets[number], self.buffers[number], self.indices[number] = connection, bytearray(), index
            self.poll.register(number, select.EPOLLIN)

    def run(self):
        """Runs until every connection has no more to send, or is lost."""
        ready = collections.deque(list(self.sockets))
        while ready:
            self._send(ready.popleft())
        while self.sent_at:
            for number, _ in self.poll.poll(1.0):
                self._read(number)
        for number in list(self.sockets):
            self._close(number)
        self.poll.close()

    def _send(self, number):
        data = self.next_request(self.indices[number])
        if data is None:
            return
        self.sent_at[number] = time.perf_counter()
        try:
            # One request is far smaller than a socket's send buffer, which is empty here: it goes in one call.
            if self.sockets[number].send(data) != len(data):
                self._lose(number)
        except OSError:
            self._lose(number)

    def _read(self, number):
        buffer = self.buffers[number]
        try:
            more = self.sockets[number].recv(READ_BYTES_MAX)
        except BlockingIOError:
            return
        except OSError:
            more = b""
        if not more:
            self._lose(number)
            return
        buffer += more
        found = parse(buffer)
        if not found:
            return
        status, fields, body, used = found
        del buffer[:used]
        self.on_answer(self.indices[number], Answer(status, fields, body, time.perf_counter() - self.sent_at.pop(number)))
        self._send(number)

    def _lose(self, number):
        waited = self.sent_at.pop(number, None) is not None
        index = self.indices[number]
        self._close(number)
        if waited:
            self.on_loss(index)

    def _close(self, number):
        self.sockets.pop(number).close()
