"""What the kernel knows of a process (proc(5))."""
import os
import resource


def resident_bytes(pid):
    """Memory it holds."""
    with open(f"/proc/{pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * resource.getpagesize()


def cpu_seconds(pid):
    """Processor time it has used, in the kernel and outside."""
    with open(f"/proc/{pid}/stat", encoding="ascii") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def descriptors(pid):
    """How many descriptors it has open."""
    return len(os.listdir(f"/proc/{pid}/fd"))
