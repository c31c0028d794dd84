"""The frame of a load script: its arguments, a service of its own in a folder of its own, and nothing left behind."""
import argparse
import os
import sys

from .service import Service, ServiceError, find_binary


def parser(documentation, **defaults):
    """A parser with an integer option for each default, and --binary."""
    made = argparse.ArgumentParser(description=documentation, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, value in defaults.items():
        made.add_argument(f"--{name}", type=int, default=value)
    made.add_argument("--binary")
    return made


def main(options, run, arguments=()):
    """Calls `run(options, service)`, which gives the exit status; the service is not started yet."""
    name, service = os.path.basename(sys.argv[0]), None
    try:
        folder = getattr(options, "folder", None) and os.path.join(options.folder, f"storehouse-load-{os.getpid()}")
        if folder:
            os.mkdir(folder)
        service = Service(find_binary(options.binary), arguments, folder=folder)
        return run(options, service)
    except ServiceError as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 1
    finally:
        if service:
            service.remove()


def table(header, rows):
    """Lines of a table with aligned columns; the first is for names, the others for figures."""
    cells = [header, *rows]
    widths = [max(len(row[column]) for row in cells) for column in range(len(header))]
    lines = ["  ".join(text.ljust(width) if column == 0 else text.rjust(width)
                       for column, (text, width) in enumerate(zip(row, widths))) for row in cells]
    return [lines[0], "  ".join("-" * width for width in widths), *lines[1:]]
