#!/usr/bin/env python3
"""Uses the developer page and event streams in a real browser: a headless Chromium against the service, on loopback only.

    devtools.py BINARY [SHOTS]   BINARY is the storehouse program; SHOTS a folder for the screenshots
"""

import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import urllib.request

from browser import Browser

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Service:
    """The service on a free port, over a database of its own."""

    def __init__(self, binary, scratch):
        self.process = subprocess.Popen(
            [binary, "serve", "--port", "0", "--database", os.path.join(scratch, "db.sqlite"), "--devtools-enabled",
             "--shop-simulation-favorites-delay", "30000"],
            cwd=ROOT, stderr=subprocess.PIPE, text=True)
        self.base = None
        for line in self.process.stderr:
            if found := re.search(r"http://127\.0\.0\.1:\d+", line):
                self.base = found.group()
                break
        if self.base is None:
            raise SystemExit("the service did not start")

    def request(self, method, path, token=None, body=None):
        """What curl would do: another client of the same account."""
        headers = {"Content-Type": "application/json"} if body is not None else {}
        if token:
            headers["Authorization"] = f"Bearer {token}"
        request = urllib.request.Request(self.base + path, method=method, headers=headers,
                                         data=None if body is None else json.dumps(body).encode())
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.load(answer)

    def close(self):
        self.process.terminate()
        self.process.wait(20)
        self.process.stderr.close()


def act(service, token, kind, payload=None):
    action = {"type": kind} | ({} if payload is None else {"payload": payload})
    return service.request("POST", "/actions", token, action)


def check(what, holds):
    if not holds:
        raise AssertionError(what)
    print(f"ok  {what}", flush=True)


def sign_in(page, service, token):
    page.open(service.base + "/devtools")
    page.wait("document.activeElement.id === 'token'")
    page.type(token)
    page.press("Enter")
    page.wait("!document.getElementById('tools').hidden")
    page.wait("document.getElementById('live').dataset.state === 'live'")


def fill(page, kind, payload=None):
    """Chooses an action, and replaces its template where a payload is given."""
    page.evaluate(f"(() => {{ const s = document.getElementById('type'); s.value = {json.dumps(kind)};"
                  " s.dispatchEvent(new Event('change', {bubbles: true})); })()")
    if payload is not None:
        page.evaluate("document.getElementById('payload').select()")
        page.click("#payload")
        page.evaluate("document.getElementById('payload').select()")
        page.type(payload)


REVISION = "Number(document.getElementById('slider').max)"


def use_the_page(page, service, shots):
    token = service.request("POST", "/accounts")["token"]
    act(service, token, "cart/addItem", {"productID": "dune", "quantity": 2})
    sign_in(page, service, token)
    check("the page signs in and shows what was there", page.evaluate(REVISION) == 1)

    fill(page, "cart/addItem")
    template = page.evaluate("document.getElementById('payload').value")
    check("an action comes with a template", "productID" in json.loads(template))
    fill(page, "cart/addItem", '{"productID": "solaris", "quantity": 3}')
    page.press("Enter", control=True)
    page.wait(f"{REVISION} === 2")
    page.wait("document.getElementById('answer').textContent.includes('cart/addItem is revision 2')")
    check("dispatching in the page", page.evaluate("document.getElementById('tree').textContent.includes('cart')"))

    act(service, token, "favorites/toggle", {"productID": "kindred"})
    page.wait(f"{REVISION} >= 3")
    page.wait("document.getElementById('actions').textContent.includes('favorites/toggle')")
    page.wait("document.getElementById('effects').textContent.includes('running')")
    check("a dispatch from elsewhere appears by itself, with what it asked for running", True)
    page.click("#tab-diff")
    page.wait("document.querySelectorAll('#diff .op').length > 0")
    page.screenshot(os.path.join(shots, "1-live.png"))

    head = page.evaluate(REVISION)
    page.evaluate("document.getElementById('actions').focus()")
    page.press("End")
    page.wait("document.getElementById('place').textContent.startsWith('revision 1 of')")
    page.click("#tab-tree")
    page.evaluate("[...document.querySelectorAll('#tree details')].find(d => d.firstChild.textContent.startsWith('cart')).open = true")
    page.wait("[...document.querySelectorAll('#tree details')].some(d => d.firstChild.textContent.startsWith('lines [1]'))")
    check("travelling back by the keyboard shows one line in the cart", True)
    page.screenshot(os.path.join(shots, "2-past.png"))
    page.evaluate("document.getElementById('slider').focus()")
    page.press("ArrowRight")
    page.wait("document.getElementById('place').textContent.startsWith('revision 2 of')")
    page.wait("[...document.querySelectorAll('#tree details')].some(d => d.firstChild.textContent.startsWith('lines [2]'))")
    check("the slider goes on by one", True)
    page.press("Escape")
    page.wait("document.getElementById('place').textContent.startsWith('live')")
    check("Escape is back to live", True)

    fill(page, "cart/addItem", '{"productID": "solaris", "quantity": 0}')
    page.click("#dispatch-form button[type=submit]")
    page.wait("document.getElementById('answer').className === 'problem'")
    refusal = page.evaluate("document.getElementById('answer').textContent")
    check("a refusal says what and where", "409" in refusal and "invalid-quantity" in refusal)
    page.screenshot(os.path.join(shots, "3-refusal.png"))
    fill(page, "cart/addItem", '{"productID": ')
    page.click("#dispatch-form button[type=submit]")
    page.wait("document.getElementById('answer').textContent.includes('malformed-json')")
    check("JSON that is none is refused by the service, in its words", True)

    fill(page, "cart/clear")
    page.click("#dry-run")
    page.wait("document.getElementById('answer').textContent.includes('nothing was kept')")
    check("a dry run keeps nothing", page.evaluate(REVISION) == head)
    page.click("#undo")
    page.wait(f"{REVISION} > {head}")
    page.wait("document.getElementById('answer').textContent.includes('history/undo')")
    check("undo", service.request("GET", "/state", token)["state"]["favorites"]["productIDs"] == [])

    page.evaluate("document.getElementById('search').focus()")
    page.type("kindred toggle")
    page.wait("document.querySelectorAll('#actions [role=option]').length === 1")
    check("the search finds types and payloads", True)
    page.evaluate("(() => { const s = document.getElementById('search'); s.value = ''; s.dispatchEvent(new Event('input')); })()")

    page.evaluate("document.getElementById('actions').focus()")
    page.press("End")
    page.wait("document.getElementById('place').textContent.startsWith('revision 1 of')")
    page.click("#restore")
    page.wait("document.getElementById('answer').textContent.includes('history/restore')")
    lines = service.request("GET", "/state", token)["state"]["cart"]["lines"]
    check("restoring brings the cart back", [line["productID"] for line in lines] == ["dune"])
    page.click("#fork")
    page.wait("document.getElementById('answer').textContent.includes('is a copy')")
    page.click("#answer button")
    page.wait("document.getElementById('who').textContent === 'Account 2'")
    page.wait("document.getElementById('live').dataset.state === 'live'")
    check("a fork is gone to", True)

    names = page.accessible_names()
    check("everything that can be operated has a name", all(name for role, name in names) and len(names) > 12)
    page.evaluate("document.getElementById('tab-tree').focus()")
    page.press("ArrowRight")
    check("tabs move by arrows", page.evaluate("document.activeElement.id") == "tab-diff")
    reach = set()
    page.evaluate("document.activeElement.blur()")
    for _ in range(40):
        page.press("Tab")
        reach.add(page.evaluate("document.activeElement.id"))
    wanted = {"undo", "sign-out", "slider", "search", "actions", "type", "payload", "dry-run", "fork"}
    check("the tabulator reaches all of it", wanted <= reach)
    kept = page.evaluate("localStorage.length + sessionStorage.length + document.cookie.length + location.search.length")
    check("the token is kept nowhere", kept == 0)
    page.click("#sign-out")
    page.wait("!document.getElementById('sign-in').hidden")
    page.type("not a token")
    page.press("Enter")
    page.wait("document.getElementById('sign-in-problem').textContent !== ''")
    check("a token that counts for nothing is refused", True)
    outside = [url for url in page.requests if not url.startswith((service.base, "about:", "data:"))]
    check("nothing is asked for elsewhere", outside == [])
    check("no token is in an address", not any(token in url for url in page.requests))
    check(f"the browser has no complaints {page.complaints}", page.complaints == [])


def event_source(page, service):
    """A browser's EventSource with a stream ticket (it cannot send header fields), cut off and resumed."""
    token = service.request("POST", "/accounts")["token"]
    ticket = service.request("POST", "/events/tickets", token)["ticket"]
    with Relay(service.base) as relay:
        page.open(relay.base + "/healthz")
        page.evaluate(f"""(() => {{
            window.seen = [];
            window.opened = 0;
            const source = new EventSource('/events?ticket={ticket}');
            source.addEventListener('open', () => opened++);
            for (const name of ['snapshot', 'transition'])
                source.addEventListener(name, (event) => seen.push(JSON.parse(event.data).revision));
        }})()""")
        page.wait("seen.length === 1")
        for number in range(1, 4):
            act(service, token, "catalog/search", {"query": f"word {number}"})
        page.wait("seen.length === 4")
        check("an EventSource follows with a ticket", page.evaluate("seen") == [0, 1, 2, 3])
        relay.cut()
        for number in range(4, 6):
            act(service, token, "catalog/search", {"query": f"word {number}"})
        page.wait("opened === 2 && seen.length >= 6")
        check("cut off, it reconnects and goes on without gap or repeat", page.evaluate("seen") == [0, 1, 2, 3, 4, 5])


class Relay:
    """Passes bytes on to the service, until it is told to cut every connection."""

    def __init__(self, base):
        self._port = int(base.rsplit(":", 1)[1])
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.base = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        self._open = []
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._listener.close()
        self.cut()

    def _accept(self):
        try:
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection(("127.0.0.1", self._port))
                self._open += [client, server]
                for pair in ((client, server), (server, client)):
                    threading.Thread(target=self._pass, args=pair, daemon=True).start()
        except OSError:
            pass  # closed

    @staticmethod
    def _pass(source, sink):
        try:
            while piece := source.recv(65536):
                sink.sendall(piece)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # cut

    def cut(self):
        for one in self._open:
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # gone already
            one.close()
        self._open = []


def main():
    binary = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as scratch:
        shots = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else scratch
        os.makedirs(shots, exist_ok=True)
        service = Service(binary, scratch)
        try:
            for dark in (False, True):
                page = Browser(scratch, dark=dark)
                try:
                    if not dark:
                        use_the_page(page, service, shots)
                        event_source(page, service)
                        continue
                    token = service.request("POST", "/accounts")["token"]
                    for product in ("dune", "solaris"):
                        act(service, token, "cart/addItem", {"productID": product})
                    sign_in(page, service, token)
                    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
                    check(f"dark where the system is: {background}", sum(map(int, re.findall(r"\d+", background)[:3])) < 150)
                    page.screenshot(os.path.join(shots, "4-dark.png"))
                    page.call("Emulation.setDeviceMetricsOverride", width=420, height=900, deviceScaleFactor=1, mobile=False)
                    narrow = page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
                    page.screenshot(os.path.join(shots, "5-narrow.png"))
                    check("it fits a narrow window", narrow)
                finally:
                    page.close()
        finally:
            service.close()
    print("all is well")


if __name__ == "__main__":
    main()
