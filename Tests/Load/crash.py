#!/usr/bin/env python3
"""Loads the service with a shop's customers, kills it with -9 at random instants, and counts what it had acknowledged.

usage: Tests/Load/crash.py [--accounts 1000] [--actions 100000 | --seconds S] [--connections 64] [--cycles 1] [--seed N]
                           [--binary FILE] [--keep]

Serves a fresh database, opens the accounts, sends a mix of shop actions over keep-alive connections while states are read, kills
the service (kill -9) and starts it again on the same file. A request that had no answer is sent again under its Idempotency-Key.
Then, for every account:
  - each acknowledged action is in the log at its revision, with its type and payload, and nothing is there that nobody sent;
  - revisions are gapless from 1, and an action sent after an acknowledgement stands behind it;
  - favourites and cart in the state are those that the log's actions give, by the rules alone;
  - the state's bytes and tag are the same before and after another kill -9, and before and after a clean stop;
  - `storehouse verify` finds the state equal to the fold of the log.
`--seconds 10 --accounts 300 --cycles 10` is the short form that the tests run, `--cycles 200 --seconds 200` the long one.
Prints throughput and latencies. Exit status 1 where anything differs. The mix depends on the seed alone, the interleaving does not.
"""
import argparse
import multiprocessing
import random
import sys
import time

from support.catalog import stocked_products
from support.figures import latencies
from support.service import Service, ServiceError, find_binary
from support.worker import serve

FAULTS_SHOWN_MAX = 20
CYCLES_TOLD_MAX = 12
CYCLES_TOLD_EVERY = 20
QUIET_SECONDS_MAX = 30


class Crew:
    """The worker processes, commanded together."""

    def __init__(self, count, seed, connections):
        self.progress = multiprocessing.Value("q", 0)
        self.pipes, self.processes = [], []
        for index in range(count):
            here, there = multiprocessing.Pipe()
            share = connections // count + (index < connections % count)
            process = multiprocessing.Process(target=serve, args=(there, index, seed, share, self.progress), daemon=True)
            process.start()
            self.pipes.append(here)
            self.processes.append(process)

    def begin(self, name, *arguments):
        """Sends a command to each worker; an argument that is a list has one element for each."""
        for index, pipe in enumerate(self.pipes):
            pipe.send((name, [argument[index] if isinstance(argument, list) else argument for argument in arguments]))

    def results(self):
        answers = [pipe.recv() for pipe in self.pipes]
        for _, error in answers:
            if error:
                raise ServiceError(f"a worker failed: {error}")
        return [result for result, _ in answers]

    def ask(self, name, *arguments):
        self.begin(name, *arguments)
        return self.results()

    def end(self):
        for pipe, process in zip(self.pipes, self.processes):
            try:
                pipe.send(None)
            except OSError:
                pass
            process.join(2)
            process.kill()


def shares(total, count):
    """`total` in `count` parts as equal as can be."""
    return [total // count + (index < total % count) for index in range(count)]


def quiet_states(crew, port):
    """Every account's state once none moves any more: effects asked for under load report a little later."""
    deadline = time.monotonic() + QUIET_SECONDS_MAX
    last = None
    while time.monotonic() < deadline:
        found = {number: state for part in crew.ask("states", port) for number, state in part.items()}
        if found == last:
            return found
        last = found
        time.sleep(0.5)
    raise ServiceError(f"states still moved after {QUIET_SECONDS_MAX} s without a client")


def differences(before, after, when):
    return [
        f"account {number}: state {before[number]} became {after.get(number)} {when}" for number in before
        if before[number] != after.get(number)
    ]


def load(options, service, crew):
    """The loaded phases with a kill -9 between each two. Returns (seconds under load, write times, read times)."""
    count, kills = len(crew.pipes), options.cycles
    instants = random.Random(options.seed)
    # Each of many cycles is not worth three lines.
    is_told = kills <= CYCLES_TOLD_MAX
    totals = {"unknown": 0, "sent": 0, "replayed": 0}
    slowest = 0.0
    quotas = None if options.seconds else shares(options.actions, count)
    span = options.seconds / (kills + 1) if options.seconds else None
    seconds, writes, reads = 0.0, [], []
    for phase in range(kills + 1):
        is_last = phase == kills
        began = time.monotonic()
        # A kill comes somewhere between a tenth and twice of its share of the time.
        due = began + (span if is_last else span * instants.uniform(0.1, 1.9)) if span else None
        crew.begin("load", service.port, quotas if phase == 0 else None, due + (0 if is_last else 600) if span else None)
        if not is_last:
            goal = options.actions * (phase + 1) // (kills + 1)
            while (time.monotonic() < due) if span else (crew.progress.value < goal):
                if all(pipe.poll() for pipe in crew.pipes):
                    raise ServiceError(f"the workers ended early: {crew.results()}, {crew.ask('take_faults')}"[:2_000])
                time.sleep(0.005)
                if service.process.poll() is not None:
                    raise ServiceError(f"the service died by itself; it said:\n{service.said}")
            service.kill()
            seconds += time.monotonic() - began
        results = crew.results()
        if is_last:
            seconds += time.monotonic() - began
        for result in results:
            writes += result["writes"]
            reads += result["reads"]
        if phase > 0:
            sent = sum(result["resent"][0] for result in results)
            replayed = sum(result["resent"][1] for result in results)
            totals["sent"] += sent
            totals["replayed"] += replayed
            if is_told:
                print(f"sent again after kill {phase}: {sent} requests without an answer, of which {replayed} had been done", flush=True)
        if not is_last:
            unknown = sum(result["unknown"] for result in results)
            totals["unknown"] += unknown
            ready = service.start()
            slowest = max(slowest, ready)
            if is_told:
                print(f"kill -9 after {crew.progress.value} acknowledged actions, {unknown} requests unanswered; "
                      f"ready again after {ready:.2f} s", flush=True)
            elif (phase + 1) % CYCLES_TOLD_EVERY == 0:
                print(f"{phase + 1} cycles, {crew.progress.value} acknowledged actions", flush=True)
    print(f"{kills} times killed with -9: {totals['unknown']} requests unanswered, {totals['sent']} sent again, of which "
          f"{totals['replayed']} had been done; ready again after {slowest:.2f} s at most", flush=True)
    return seconds, writes, reads


def run(options, service, crew):
    print(f"{service.binary}, {options.accounts} accounts, {options.connections} connections, seed {options.seed}", flush=True)
    print(f"ready after {service.start():.2f} s", flush=True)
    products, categories = stocked_products(service.port)
    began = time.monotonic()
    opened = sum(crew.ask("open_accounts", service.port, shares(options.accounts, len(crew.pipes)), tuple(products), tuple(categories)))
    print(f"opened {opened} accounts in {time.monotonic() - began:.2f} s", flush=True)

    seconds, writes, reads = load(options, service, crew)
    # Whatever was shed or unknown in the last phase is asked for once more.
    crew.ask("load", service.port, [0] * len(crew.pipes), None)
    acknowledged, refusals = 0, {}
    for count, part in crew.ask("acknowledged"):
        acknowledged += count
        for kind, times in part.items():
            refusals[kind] = refusals.get(kind, 0) + times
    print(f"acknowledged {acknowledged} actions in {seconds:.2f} s: {acknowledged / seconds:.0f} actions/s, "
          f"beside {len(reads) / seconds:.0f} reads/s; refused: {refusals or 'none'}")
    print(f"actions: {latencies(writes)}")
    print(f"reads:   {latencies(reads)}", flush=True)

    faults = []
    if opened != options.accounts:
        faults.append(f"{opened} of {options.accounts} accounts were opened")
    before = quiet_states(crew, service.port)
    service.kill()
    service.start()
    faults += differences(before, quiet_states(crew, service.port), "over a kill -9 at rest")
    counts = {}
    for part in crew.ask("check", service.port):
        for name, count in part.items():
            counts[name] = counts.get(name, 0) + count
    service.stop()
    status, said = service.command("verify")
    print(f"storehouse verify: status {status}: {said.splitlines()[-1] if said else ''}")
    if status != 0:
        faults.append(f"storehouse verify ended with status {status}: {said[-500:]}")
    service.start()
    faults += differences(before, quiet_states(crew, service.port), "over a clean stop")
    service.stop()

    for part in crew.ask("take_faults"):
        faults += part
    for fault in faults[:FAULTS_SHOWN_MAX]:
        print(f"FAULT {fault}")
    print(f"checked {counts['entries']} log entries of {counts['accounts']} accounts: {acknowledged} acknowledged actions, "
          f"{counts['facts']} facts of the service, {counts['carts']} carts and all favourites folded anew: "
          + (f"{len(faults)} faults" if faults else "all there, in order"))
    return 1 if faults else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--accounts", type=int, default=1_000)
    parser.add_argument("--actions", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, help="load for this long, instead of a number of actions")
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--cycles", type=int, default=1, help="how often the service is killed under load, and started again")
    parser.add_argument("--workers", type=int, default=2, help="processes that send")
    parser.add_argument("--seed", type=int, default=20260101)
    parser.add_argument("--binary")
    parser.add_argument("--keep", action="store_true", help="leave the database in its temporary folder")
    options = parser.parse_args()

    # The workers are forked before any thread is started.
    crew = Crew(options.workers, options.seed, options.connections)
    service = None
    try:
        service = Service(find_binary(options.binary))
        return run(options, service, crew)
    except ServiceError as error:
        print(f"crash.py: {error}", file=sys.stderr)
        return 1
    finally:
        crew.end()
        if service:
            if options.keep:
                print(f"the database is {service.database}")
            service.remove(keep=options.keep)


if __name__ == "__main__":
    sys.exit(main())
