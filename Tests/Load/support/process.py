"""What the kernel knows of a process (proc(5))."""
import os
import resource
import time


def resident_bytes(pid):
    """Memory it holds."""
    with open(f"/proc/{pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def settled_bytes(pid, seconds=0.5):
    """Memory it holds once it gives none back any more: hashing passwords, for one, takes some for a moment."""
    before = resident_bytes(pid)
    while True:
        time.sleep(seconds)
        now = resident_bytes(pid)
        if now >= before:
            return now
        before = now


def cpu_seconds(pid):
    """Processor time it has used, in the kernel and outside."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def descriptors(pid):
    """How many descriptors it has open."""
    return len(os.listdir(f"/proc/{pid}/fd"))
