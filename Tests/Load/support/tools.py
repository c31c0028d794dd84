"""Programs the comparisons need, installed from Debian's packages where they are missing."""
import contextlib
import os
import shutil
import socket
import subprocess

from .service import ServiceError

POLICY = "/usr/sbin/policy-rc.d"


@contextlib.contextmanager
def no_daemons():
    """While packages are installed, keeps Debian from starting what they bring: the scripts start their own, and end them."""
    if os.getuid() != 0 or os.path.exists(POLICY):
        yield
        return
    with open(POLICY, "w", encoding="ascii") as file:
        file.write("#!/bin/sh\nexit 101\n")
    os.chmod(POLICY, 0o755)
    try:
        yield
    finally:
        os.remove(POLICY)


def need(**packages):
    """Makes sure that each program (name = its package) can be run."""
    missing = sorted({package for program, package in packages.items() if not find(program.replace("_", "-"))})
    if not missing:
        return
    as_root = [] if os.getuid() == 0 else [shutil.which("sudo") or ""]
    if not shutil.which("apt-get") or as_root == [""]:
        raise ServiceError(f"needs the programs of {', '.join(missing)} (Debian's names), and cannot install them here")
    with no_daemons():
        for command in (["apt-get", "update", "-q"], ["apt-get", "install", "-q", "-y", "--no-install-recommends", *missing]):
            done = subprocess.run([*as_root, *command], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
            if done.returncode != 0:
                raise ServiceError(f"{' '.join(command)} failed: {done.stderr[-500:]}")


def find(program):
    """The path of a program, also of those outside a user's PATH; None where there is none."""
    return shutil.which(program) or shutil.which(program, path="/usr/sbin:/sbin:/usr/local/sbin")


def free_port():
    """A port nobody listens on now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
