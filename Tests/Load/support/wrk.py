"""Runs wrk, and reads what it measured."""
import os
import re
import subprocess

from .service import ServiceError

HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Run:
    """What one run of wrk measured: requests a second, the median and the 99th percentile in ms, answers that were no success."""

    def __init__(self, rate, p99, failures, p50=0.0):
        self.rate, self.p99, self.failures, self.p50 = rate, p99, failures, p50


def run(url, script, connections, seconds, arguments=()):
    """One run of wrk with the Lua script of that name; the arguments go to the script."""
    command = ["wrk", "-t", "1", "-c", str(connections), "-d", f"{seconds}s", "-s", os.path.join(HERE, script), url, "--", *arguments]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    found = re.search(r"RESULT ([\d.]+) ([\d.]+) (\d+) ([\d.]+)", done.stdout)
    if done.returncode != 0 or not found:
        raise ServiceError(f"wrk failed: {done.stdout[-500:]} {done.stderr[-500:]}")
    return Run(float(found[1]), float(found[2]), int(found[3]), float(found[4]))
