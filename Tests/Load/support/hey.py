"""Runs hey, and reads its summary."""
import re
import subprocess

from .service import ServiceError
from .wrk import Run


def command(url, connections, seconds, token=None, method="GET", body=None):
    """The command line of a run."""
    made = ["hey", "-z", f"{seconds}s", "-c", str(connections), "-m", method]
    if token:
        made += ["-H", f"Authorization: Bearer {token}"]
    if body is not None:
        made += ["-T", "application/json", "-d", body]
    return [*made, url]


def read(text):
    """What a run's summary says. `failures` are answers of other than 2xx, and requests without an answer."""
    rate = re.search(r"Requests/sec:\s+([\d.]+)", text)
    if not rate:
        raise ServiceError(f"hey failed: {text[-500:]}")
    p99 = re.search(r"99%+ in ([\d.]+) secs", text)
    counts = {int(status): int(count) for status, count in re.findall(r"\[(\d{3})\]\s+(\d+) responses", text)}
    errors = sum(int(count) for count in re.findall(r"^\s+\[(\d+)\]\s+\w+ \"", text, re.MULTILINE))
    run = Run(float(rate[1]), float(p99[1]) * 1000 if p99 else 0.0,
              errors + sum(count for status, count in counts.items() if not 200 <= status < 300))
    run.counts = counts
    return run


def run(url, connections, seconds, **options):
    """One run."""
    done = subprocess.run(command(url, connections, seconds, **options), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          check=False)
    if done.returncode != 0:
        raise ServiceError(f"hey failed: {done.stdout[-300:]} {done.stderr[-300:]}")
    return read(done.stdout)
