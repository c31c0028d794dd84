"""Accounts for load, and the simplest action on them."""
import json

from .http import Fleet, request
from .service import ServiceError

CONNECTIONS_MAX = 64


def every(port, requests, status):
    """Sends requests over several connections. Returns the answers' bodies, in the order they came."""
    bodies, remaining = [], iter(requests)

    def answered(_, answer):
        if answer.status != status:
            raise ServiceError(f"the service answers {answer.status} {answer.body[:200]!r}")
        bodies.append(answer.body)

    def lost(_):
        raise ServiceError("a connection was lost")

    Fleet(port, min(CONNECTIONS_MAX, len(requests)), lambda _: next(remaining, None), answered, lost).run()
    return bodies


def open_accounts(port, count):
    """Opens accounts. Returns their tokens."""
    return [json.loads(body)["token"] for body in every(port, [request("POST", "/accounts")] * count, 201)]


def dispatching(token, action, **payload):
    """The bytes of a request that dispatches one action."""
    return request("POST", "/actions", token, body=json.dumps({"type": action, "payload": payload}).encode())


def toggling(token, product):
    """The bytes of a request that toggles a favourite."""
    return dispatching(token, "favorites/toggle", productID=product)


def toggle_all(port, tokens, product):
    """Toggles a favourite of each account, and waits for the commits."""
    every(port, [toggling(token, product) for token in tokens], 200)


def toggle(connection, token, product):
    """Toggles a favourite and waits for its commit."""
    dispatch(connection, toggling(token, product))


def dispatch(connection, data):
    """Sends the bytes of such a request and waits for the commit."""
    answer = connection.exchange(data)
    if answer.status != 200:
        raise ServiceError(f"POST /actions gives {answer.status} {answer.body[:200]!r}")
