#!/usr/bin/env python3
"""Makes the golden databases of this build's schema; to be run once for each schema or model version, and kept for good.

usage: Tests/Golden/make.py NAME [--binary FILE]

Writes Tests/Golden/NAME/{counter,shop,crash}: a database and its mark as a clean stop leaves them, and for `crash` (a shop, too) also the
write-ahead log with what was in it at a kill -9. Beside them expected.json: the model, and for each account its number, the body of
`GET /state` byte for byte, and a guest's token, which never ends, or how its owner signs in. What is there is not replaced.
"""
import argparse
import json
import os
import shutil
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "Load"))

from support.http import Connection, request  # noqa: E402
from support.service import Service, ServiceError, find_binary  # noqa: E402

QUIET_SECONDS_MAX = 15
OWNER = {"email": "ada@example.com", "password": "correct horse", "name": "Ada"}


class Client:
    """What a client does, each step checked."""

    def __init__(self, port):
        self.connection = Connection(port)

    def send(self, method, target, token=None, value=None, expect=(200, 201)):
        body = None if value is None else json.dumps(value).encode()
        answer = self.connection.exchange(request(method, target, token, body=body))
        if answer.status not in expect:
            raise ServiceError(f"{method} {target}: {answer.status} {answer.body[:300]!r}")
        return answer.body

    def open(self, owner=None):
        opened = json.loads(self.send("POST", "/accounts", value=owner))
        return opened["account"], opened["token"], owner

    def act(self, token, *actions):
        for kind, payload in actions:
            self.send("POST", "/actions", token, {"type": kind, "payload": payload})

    def state(self, token):
        return self.send("GET", "/state", token).decode()


def counters(client):
    """One that was never used, one with a few actions, one that is long past its first stored state."""
    accounts = [client.open() for _ in range(3)]
    client.act(accounts[1][1], ("counter/increase", {}), ("counter/increase", {}), ("counter/decrease", {}))
    client.act(accounts[1][1], ("counter/asyncIncrease", {}))
    client.act(accounts[2][1], *[("counter/increase", {})] * 150)
    return accounts


def shops(client):
    """A guest with a cart, a registered owner with an order, and one with something in every slice."""
    products = [product["productID"] for product in json.loads(client.send("GET", "/catalog?inStock=true&limit=5"))["products"]]
    guest, buyer, other = client.open(), client.open(OWNER), client.open()
    client.act(guest[1], ("cart/addItem", {"productID": products[0], "quantity": 2}), ("favorites/toggle", {"productID": products[1]}))
    client.act(buyer[1], ("cart/addItem", {"productID": products[1], "quantity": 1}), ("cart/checkout", {}))
    client.act(
        other[1], ("catalog/search", {"query": "sea"}), ("ui/setTab", {"tab": "cart"}),
        ("cart/addItem", {"productID": products[2], "quantity": 3}), ("history/undo", {}))
    return [guest, buyer, other]


def quiet(client, accounts):
    """Every account's state, once what was asked for has been done."""
    deadline, last = time.monotonic() + QUIET_SECONDS_MAX, None
    while time.monotonic() < deadline:
        time.sleep(1.5)
        found = [client.state(token) for _, token, _ in accounts]
        if found == last:
            return found
        last = found
    raise ServiceError("the states still move")


def make(binary, folder, model, fill, crash):
    service = Service(binary, ["--model", model])
    try:
        service.start()
        client = Client(service.port)
        accounts = fill(client)
        states = quiet(client, accounts)
        if crash:
            service.kill()
        else:
            service.stop()
        os.makedirs(folder)
        for suffix in ("", ".mark") + (("-wal",) if crash else ()):
            shutil.copyfile(service.database + suffix, os.path.join(folder, "database" + suffix))
        with open(os.path.join(folder, "expected.json"), "w", encoding="utf-8") as file:
            json.dump(
                {"model": model, "accounts": [
                    {"account": number, "state": state, **(owner or {"token": token})}
                    for (number, token, owner), state in zip(accounts, states)
                ]}, file, indent=1, ensure_ascii=False)
            file.write("\n")
        print(f"{folder}: {sum(os.path.getsize(os.path.join(folder, name)) for name in os.listdir(folder))} bytes")
    finally:
        service.remove()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name")
    parser.add_argument("--binary")
    options = parser.parse_args()
    target = os.path.join(HERE, options.name)
    if os.path.exists(target):
        print(f"make.py: {target} is there, and stays as it is", file=sys.stderr)
        return 1
    try:
        binary = find_binary(options.binary)
        make(binary, os.path.join(target, "counter"), "counter", counters, crash=False)
        make(binary, os.path.join(target, "shop"), "shop", shops, crash=False)
        make(binary, os.path.join(target, "crash"), "shop", shops, crash=True)
    except ServiceError as error:
        print(f"make.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
