"""One process of a crash run: its own accounts, their customers, and the record of what the service acknowledged to them."""
import hashlib
import json
import random
import time

from .http import Connection, ConnectionLost, Fleet, request
from .shopper import INTENTIONS, Shopper, encode, fold, same_payload

BATCH_SHARE = 0.04
READ_SHARE = 0.20
LOG_PAGE = 1000


class Account:
    """What the outside knows of an account."""

    def __init__(self, number, token, shopper):
        self.number, self.token, self.shopper = number, token, shopper
        # The highest acknowledged revision: whatever is sent from now on must come out above it.
        self.head = 0
        # From each acknowledged revision to (type, payload).
        self.acknowledged = {}
        self.tag = None


class Sending:
    """A request that has no answer yet."""

    __slots__ = ("account", "actions", "key", "floor", "data")

    def __init__(self, account, actions, key, data):
        self.account, self.actions, self.key, self.data = account, actions, key, data
        self.floor = account.head


class Worker:
    """Runs in a process of its own; `serve` answers the parent's commands."""

    def __init__(self, index, seed, connections, progress):
        self.index, self.connections, self.progress = index, connections, progress
        self.random = random.Random(f"{seed}/{index}")
        self.prefix = f"{seed}-{index}"
        self.accounts, self.waiting, self.unknown = [], {}, []
        self.keys = 0
        self.faults, self.refusals = [], {}
        self.write_seconds, self.read_seconds = [], []
        self.unsent, self.deadline = 0, None

    def fault(self, text):
        self.faults.append(text)

    # The commands.

    def open_accounts(self, port, count, products, categories):
        """Opens `count` anonymous accounts."""
        left = count

        def next_request(_):
            nonlocal left
            left -= 1
            return request("POST", "/accounts") if left >= 0 else None

        def on_answer(_, answer):
            if answer.status != 201:
                self.fault(f"POST /accounts: {answer.status} {answer.body[:200]!r}")
                return
            opened = json.loads(answer.body)
            shopper = Shopper(self.random, products, categories)
            self.accounts.append(Account(opened["account"], opened["token"], shopper))

        Fleet(port, self.connections, next_request, on_answer, lambda index: self.fault(f"connection {index} lost")).run()
        return len(self.accounts)

    def load(self, port, quota, deadline):
        """Sends what is still unknown, then up to `quota` actions until `deadline`; ends early where the service dies."""
        resent = self._send_again(port)
        if quota is not None:
            self.unsent = quota
        self.deadline = deadline
        self.write_seconds, self.read_seconds = [], []
        Fleet(port, self.connections, self._next, self._on_answer, self._on_loss).run()
        return {
            "resent": resent, "unknown": len(self.unknown), "unsent": self.unsent, "writes": self.write_seconds,
            "reads": self.read_seconds,
        }

    def acknowledged(self):
        """How many actions were acknowledged, and what was refused."""
        return sum(len(account.acknowledged) for account in self.accounts), self.refusals

    def states(self, port):
        """From each account to its revision, a digest of its state's bytes, and its tag."""
        connection, found = Connection(port), {}
        for account in self.accounts:
            answer = connection.exchange(request("GET", "/state", account.token))
            if answer.status != 200:
                self.fault(f"account {account.number}: GET /state gives {answer.status} {answer.body[:200]!r}")
                continue
            revision = json.loads(answer.body)["revision"]
            found[account.number] = (revision, hashlib.sha256(answer.body).hexdigest(), answer.fields.get(b"etag"))
        connection.close()
        return found

    def check(self, port):
        """Compares every account's log with what was acknowledged, and its state with the fold of that log."""
        connection = Connection(port)
        counts = {"accounts": 0, "entries": 0, "facts": 0, "carts": 0}
        for account in self.accounts:
            log = self._log(connection, account)
            state = json.loads(connection.exchange(request("GET", "/state", account.token)).body)
            counts["accounts"] += 1
            counts["entries"] += len(log)
            self._check_log(account, log, counts)
            self._check_state(account, log, state, counts)
        connection.close()
        return counts

    def take_faults(self):
        found, self.faults = self.faults, []
        return found

    # Sending.

    def _next(self, index):
        if self.unsent <= 0 if self.deadline is None else time.monotonic() >= self.deadline:
            return None
        account = self.random.choice(self.accounts)
        if self.random.random() < READ_SHARE:
            fields = [("If-None-Match", account.tag)] if account.tag and self.random.random() < 0.5 else []
            self.waiting[index] = (account, account.head)
            return request("GET", "/state", account.token, fields)
        size = self.random.randint(2, 4) if self.random.random() < BATCH_SHARE else 1
        actions = [account.shopper.action() for _ in range(size)]
        self.unsent -= size
        self.keys += 1
        key = f"{self.prefix}-{self.keys}"
        data = request("POST", "/actions", account.token, [("Idempotency-Key", key)], encode(actions))
        self.waiting[index] = Sending(account, actions, key, data)
        return data

    def _on_answer(self, index, answer):
        waited = self.waiting.pop(index)
        if isinstance(waited, Sending):
            self.write_seconds.append(answer.seconds)
            self._settle(waited, answer)
            return
        self.read_seconds.append(answer.seconds)
        account, floor = waited
        if answer.status == 200:
            # A client reads its own writes.
            if json.loads(answer.body)["revision"] < floor:
                self.fault(f"account {account.number}: a read gave less than the acknowledged revision {floor}")
            account.tag = answer.fields[b"etag"].decode()
        elif answer.status == 304:
            # A tag is "EPOCH.REVISION".
            if int(answer.fields[b"etag"].strip(b'"').rsplit(b".", 1)[-1]) < floor:
                self.fault(f"account {account.number}: 304 for a state older than revision {floor}")
        else:
            self.fault(f"account {account.number}: GET /state gives {answer.status} {answer.body[:200]!r}")

    def _on_loss(self, index):
        waited = self.waiting.pop(index, None)
        if isinstance(waited, Sending):
            self.unknown.append(waited)

    def _settle(self, sending, answer):
        """Records what an answer says about a sent request."""
        account = sending.account
        if answer.status == 200:
            # A fact that the service had to log with them (store/recovered) is listed beside the actions that were sent.
            accepted = [entry for entry in json.loads(answer.body)["actions"] if entry["type"] in INTENTIONS]
            revisions = [entry["revision"] for entry in accepted]
            if len(revisions) != len(sending.actions) or revisions != list(range(revisions[0], revisions[0] + len(revisions))):
                self.fault(f"account {account.number}: {len(sending.actions)} actions were given the revisions {revisions}")
            if revisions[0] <= sending.floor:
                self.fault(f"account {account.number}: revision {revisions[0]} for an action sent after {sending.floor}")
            for revision, action in zip(revisions, sending.actions):
                if revision in account.acknowledged:
                    self.fault(f"account {account.number}: revision {revision} was given twice")
                account.acknowledged[revision] = action
            account.head = max(account.head, revisions[-1])
            with self.progress.get_lock():
                self.progress.value += len(revisions)
        elif answer.status >= 500 or answer.status == 429:
            # Shed, or unknown: the key makes it safe to ask again.
            self.unknown.append(sending)
        elif answer.status == 409:
            kind = json.loads(answer.body).get("type", "").rsplit("/", 1)[-1]
            self.refusals[kind] = self.refusals.get(kind, 0) + 1
        else:
            self.fault(f"account {account.number}: {sending.data!r} was answered {answer.status} {answer.body[:300]!r}")

    def _send_again(self, port):
        """Sends each request whose outcome is unknown again, under its own key. Returns (sent, replayed)."""
        if not self.unknown:
            return 0, 0
        waiting, replayed, sent = self.unknown, 0, 0
        self.unknown = []
        try:
            connection = Connection(port)
            for sending in waiting:
                answer = connection.exchange(sending.data)
                sent += 1
                replayed += answer.fields.get(b"idempotency-replayed") == b"true"
                # What the first attempt reached is below any revision acknowledged since: only what was known when it was sent counts.
                self._settle(sending, answer)
            connection.close()
        except (ConnectionLost, OSError):
            # Killed again: what had no answer this time either is sent the next time.
            pass
        self.unknown = waiting[sent:] + self.unknown
        return sent, replayed

    # Checking.

    def _log(self, connection, account):
        log, after = [], 0
        while True:
            answer = connection.exchange(request("GET", f"/actions?after={after}&limit={LOG_PAGE}", account.token))
            if answer.status != 200:
                self.fault(f"account {account.number}: GET /actions gives {answer.status} {answer.body[:200]!r}")
                return log
            page = json.loads(answer.body)["actions"]
            log += page
            if len(page) < LOG_PAGE:
                return log
            after = page[-1]["revision"]

    def _check_log(self, account, log, counts):
        revisions = [entry["revision"] for entry in log]
        if revisions != list(range(1, len(log) + 1)):
            self.fault(f"account {account.number}: the log's revisions are not 1 to {len(log)}")
        if any(later["at"] < earlier["at"] for earlier, later in zip(log, log[1:])):
            self.fault(f"account {account.number}: a stamp's time runs backwards")
        if len({entry["id"] for entry in log}) != len(log):
            self.fault(f"account {account.number}: two entries share an id")
        entries = {entry["revision"]: entry for entry in log}
        for revision, (kind, payload) in account.acknowledged.items():
            entry = entries.get(revision)
            if entry is None:
                self.fault(f"account {account.number}: LOST: revision {revision} ({kind}) was acknowledged")
            elif entry["type"] != kind or not same_payload(payload, entry.get("payload")):
                self.fault(f"account {account.number}: revision {revision} is {entry['type']}, acknowledged was {kind} {payload}")
        for revision, entry in entries.items():
            if revision not in account.acknowledged:
                counts["facts"] += 1
                if entry["type"] in INTENTIONS:
                    self.fault(f"account {account.number}: INVENTED: revision {revision} ({entry['type']}) was never acknowledged")

    def _check_state(self, account, log, answer, counts):
        if answer["revision"] != len(log):
            self.fault(f"account {account.number}: the state is at {answer['revision']}, the log at {len(log)}")
            return
        favorites, cart = fold(log)
        state = answer["state"]
        if state["favorites"]["productIDs"] != favorites:
            self.fault(f"account {account.number}: favourites {state['favorites']['productIDs']}, the log says {favorites}")
        found = {line["productID"]: line["quantity"] for line in state["cart"]["lines"]}
        if cart is not None:
            counts["carts"] += 1
            if found != cart:
                self.fault(f"account {account.number}: the cart has {found}, the log says {cart}")


def serve(pipe, *arguments):
    """The worker process: runs the parent's commands, (name, arguments) in, (result, error) out, until None comes."""
    worker = Worker(*arguments)
    while (command := pipe.recv()) is not None:
        name, parameters = command
        try:
            pipe.send((getattr(worker, name)(*parameters), None))
        except Exception as error:  # told to the parent, which ends the run
            pipe.send((None, f"{type(error).__name__}: {error}"))
