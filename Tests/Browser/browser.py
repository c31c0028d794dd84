"""A headless Chromium, driven over the DevTools protocol through its pipe: the standard library is enough, and no port is opened."""

import base64
import json
import os
import shutil
import subprocess
import time


class Browser:
    """One browser with one page; every step waits for what it asks about, with a deadline."""

    step_seconds = 20

    def __init__(self, scratch, dark=False, width=1400, height=900):
        path = shutil.which("chromium") or shutil.which("chromium-browser")
        if path is None:
            raise SystemExit("Tests/Browser: chromium is wanted (Debian's package of that name)")
        to_browser, self._write = os.pipe()
        self._read, from_browser = os.pipe()

        def move():
            os.dup2(to_browser, 3, inheritable=True)
            os.dup2(from_browser, 4, inheritable=True)

        profile = os.path.join(scratch, "profile-dark" if dark else "profile")
        self._process = subprocess.Popen(
            [path, "--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
             "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", f"--user-data-dir={profile}",
             f"--window-size={width},{height}", "about:blank"],
            preexec_fn=move, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self._buffer = b""
        self._number = 0
        self._session = None
        # What the page asked for, and what the browser had to complain about.
        self.requests = []
        self.complaints = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")
        scheme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.call("Emulation.setEmulatedMedia", features=scheme)
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def call(self, method, **parameters):
        """Sends one command and gives its result."""
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]

    def _receive(self):
        while b"\0" not in self._buffer:
            piece = os.read(self._read, 1 << 16)
            if not piece:
                raise RuntimeError("the browser has ended")
            self._buffer += piece
        message, self._buffer = self._buffer.split(b"\0", 1)
        message = json.loads(message)
        parameters = message.get("params", {})
        match message.get("method"):
            case "Network.requestWillBeSent":
                self.requests.append(parameters["request"]["url"])
            case "Runtime.exceptionThrown":
                self.complaints.append(json.dumps(parameters["exceptionDetails"])[:600])
            case "Log.entryAdded":
                entry = parameters["entry"]
                # A refusal is answered with its status; the browser notes each as an error of the network.
                if entry["source"] != "network":
                    self.complaints.append(entry["text"])
        return message

    def open(self, address):
        self.call("Page.navigate", url=address)
        self.wait("document.readyState === 'complete'")

    def evaluate(self, script):
        """The value of an expression in the page; promises are awaited."""
        result = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{script}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def wait(self, condition):
        """Waits until an expression of the page holds, and gives its value."""
        deadline = time.monotonic() + self.step_seconds
        while True:
            value = self.evaluate(condition)
            if value:
                return value
            if time.monotonic() > deadline:
                text = self.evaluate("document.body.innerText.slice(0, 2000)")
                raise AssertionError(f"the page never came to: {condition}\n{text}\n{self.complaints}")
            time.sleep(0.05)

    def click(self, selector):
        """Clicks in the middle of an element, as a pointer does."""
        self.wait(f"!!document.querySelector({json.dumps(selector)})")
        box = self.evaluate(
            f"(() => {{ const e = document.querySelector({json.dumps(selector)}); e.scrollIntoView({{block: 'nearest'}});"
            " const r = e.getBoundingClientRect(); return [r.x + r.width / 2, r.y + r.height / 2, e.disabled === true]; })()")
        if box[2]:
            raise AssertionError(f"{selector} is disabled")
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", type=kind, x=box[0], y=box[1], button="left", clickCount=1)

    def type(self, text):
        """Puts text where the focus is."""
        self.call("Input.insertText", text=text)

    keys = {"Tab": 9, "Enter": 13, "Escape": 27, "Home": 36, "End": 35, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39,
            "ArrowDown": 40, " ": 32}

    def press(self, key, control=False):
        """Presses and releases a key."""
        common = {"key": key, "code": "Space" if key == " " else key, "windowsVirtualKeyCode": self.keys[key],
                  "modifiers": 2 if control else 0}
        text = {"Enter": "\r", " ": " "}.get(key)
        self.call("Input.dispatchKeyEvent", type="keyDown", **common, **({"text": text} if text and not control else {}))
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def screenshot(self, path):
        data = self.call("Page.captureScreenshot", format="png")["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def accessible_names(self):
        """Role and name of everything that can be operated, as a screen reader is told."""
        nodes = self.call("Accessibility.getFullAXTree")["nodes"]
        wanted = {"button", "textbox", "searchbox", "slider", "combobox", "listbox", "option", "tab", "tabpanel"}
        return [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in nodes
                if not node.get("ignored") and node.get("role", {}).get("value") in wanted]

    def close(self):
        try:
            self._session = None
            self.call("Browser.close")
            self._process.wait(10)
        except (RuntimeError, OSError, subprocess.TimeoutExpired):
            self._process.kill()
            self._process.wait()
        os.close(self._write)
        os.close(self._read)
