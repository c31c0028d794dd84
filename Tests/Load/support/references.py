"""What the service is measured beside, each started on a free port in a folder of its own: nginx for reads, Redis for durable writes."""
import csv
import io
import os
import socket
import subprocess
import time

from .http import Connection, request
from .service import ServiceError
from .tools import find, free_port

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
        """SETs of 120 bytes a second, and the 99th percentile in ms."""
        done = subprocess.run(
            ["redis-benchmark", "-p", str(self.port), "-t", "set", "-c", str(connections), "-n", str(requests), "-d", str(VALUE_BYTES),
             "-r", "100000", "--csv"],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True)
        row = next(row for row in csv.DictReader(io.StringIO(done.stdout)) if row["test"] == "SET")
        return float(row["rps"]), float(row["p99_latency_ms"])

    def stop(self):
        self.process.kill()
        self.process.wait()


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
