"""The service as a child process: started on a free port, killed or drained, started again on the same database."""
import os
import re
import shutil
import signal
import subprocess
import tempfile
import threading
import time

CHECKOUT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
READY_SECONDS_MAX = 60
DRAIN_SECONDS_MAX = 60


class ServiceError(Exception):
    """The service did not do what a script needs of it; the message says what it said."""


def find_binary(given=None):
    """The binary to run: the one given, else what STOREHOUSE_BINARY names, else this checkout's release build."""
    path = given or os.environ.get("STOREHOUSE_BINARY") or os.path.join(CHECKOUT, ".build", "release", "storehouse")
    if not os.access(path, os.X_OK):
        raise ServiceError(f"no binary at {path}: run `swift build -c release`, or name one by --binary or STOREHOUSE_BINARY")
    return os.path.abspath(path)


class Service:
    """One database in a folder of its own, and the process that serves it."""

    def __init__(self, binary, arguments=(), folder=None):
        self.binary, self.arguments = binary, list(arguments)
        self.folder = folder or tempfile.mkdtemp(prefix="storehouse-load-")
        self.database = os.path.join(self.folder, "storehouse.sqlite")
        self.process, self.port, self._said = None, None, []
        # Variables for the process beside those of this one.
        self.environment = {}

    def start(self):
        """Starts the process and waits for its ready line. Returns the seconds that took."""
        began = time.monotonic()
        self._said = []
        self.process = subprocess.Popen(
            [self.binary, "serve", "--host", "127.0.0.1", "--port", "0", "--database", self.database, *self.arguments],
            cwd=CHECKOUT, env={**os.environ, **self.environment}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE)
        ready = threading.Event()
        self._reader = threading.Thread(target=self._listen, args=(self.process.stderr, ready), daemon=True)
        self._reader.start()
        while not ready.wait(0.05):
            if self.process.poll() is not None or time.monotonic() - began > READY_SECONDS_MAX:
                self.kill()
                raise ServiceError(f"the service was not ready; it said:\n{self.said}")
        return time.monotonic() - began

    def _listen(self, stream, ready):
        for line in stream:
            line = line.decode("utf-8", "replace")
            self._said.append(line)
            del self._said[:-200]
            match = re.search(r"http://[\w.\[\]:]*:(\d+)", line)
            if match and not ready.is_set():
                self.port = int(match[1])
                ready.set()

    @property
    def said(self):
        """The last lines of its standard error."""
        return "".join(self._said)

    def kill(self):
        """Kill -9, and wait until it is gone."""
        if self.process and self.process.poll() is None:
            self.process.send_signal(signal.SIGKILL)
        if self.process:
            self.process.wait()

    def stop(self):
        """SIGTERM; it must drain and exit 0."""
        self.process.send_signal(signal.SIGTERM)
        try:
            status = self.process.wait(DRAIN_SECONDS_MAX)
        except subprocess.TimeoutExpired:
            self.kill()
            raise ServiceError(f"the service did not drain within {DRAIN_SECONDS_MAX} s; it said:\n{self.said}") from None
        if status != 0:
            raise ServiceError(f"the service drained with status {status}; it said:\n{self.said}")

    def command(self, name, *arguments):
        """Runs another command of the binary on the database. Returns its status and what it said."""
        done = subprocess.run(
            [self.binary, name, "--database", self.database, *arguments], cwd=CHECKOUT, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return done.returncode, done.stdout.decode("utf-8", "replace").strip()

    def remove(self, keep=False):
        """Leaves no process behind, and no file unless `keep`."""
        self.kill()
        if not keep:
            shutil.rmtree(self.folder, ignore_errors=True)
