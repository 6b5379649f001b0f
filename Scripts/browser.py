"""Headless Chromium, and programs that print the address of a page, for the checks of pages."""

import base64, json, os, re, shutil, signal, socket, struct, subprocess, tempfile, time, urllib.request


class Browser:
    """Chromium by its DevTools protocol, over a WebSocket (RFC 6455)."""

    def __init__(self, program, *options):
        self.folder = tempfile.mkdtemp(prefix="view-check-")
        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--enable-unsafe-swiftshader", "--remote-debugging-port=0", "--no-first-run",
             f"--user-data-dir={self.folder}", "--hide-scrollbars", "--mute-audio", *options, "about:blank"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        port_file = os.path.join(self.folder, "DevToolsActivePort")
        for _ in range(600):
            if os.path.exists(port_file) and open(port_file).read().count("\n") >= 1:
                break
            time.sleep(0.1)
        port = int(open(port_file).readline())
        targets = json.load(urllib.request.urlopen(f"http://127.0.0.1:{port}/json/list"))
        path = next(t["webSocketDebuggerUrl"] for t in targets if t["type"] == "page").split(str(port), 1)[1]
        self.socket = socket.create_connection(("127.0.0.1", port))
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        self.file = self.socket.makefile("rb")
        while self.file.readline() not in (b"\r\n", b""):
            pass
        self.number, self.console = 0, []
        # Not Network: it sends every frame of a WebSocket once more, which costs the page as much as to draw it.
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        self.number += 1
        number = self.number
        data = json.dumps({"id": number, "method": method, "params": parameters}).encode()
        length = struct.pack(">BH", 0xFE, len(data)) if 125 < len(data) < 65536 else struct.pack(">B", 0x80 | len(data)) if len(data) < 126 else struct.pack(">BQ", 0xFF, len(data))
        self.socket.sendall(b"\x81" + length + b"\0\0\0\0" + data)
        while True:
            message = self.receive()
            if message.get("id") == number:
                if "error" in message:
                    raise RuntimeError(f"{method}: {message['error']}")
                return message["result"]
            self.note(message)

    def receive(self):
        data = b""
        while True:
            first, second = self.file.read(2)
            length = second & 127
            if length > 125:
                length = int.from_bytes(self.file.read(2 if length == 126 else 8), "big")
            data += self.file.read(length)
            if first & 0x80:
                return json.loads(data)

    def note(self, message):
        parameters = message.get("params", {})
        if message.get("method") == "Runtime.consoleAPICalled":
            self.console.append(f"{parameters['type']}: {[a.get('value', a.get('description')) for a in parameters['args']]}")
        elif message.get("method") == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.console.append(f"exception: {details.get('exception', {}).get('description', details['text'])}")
        # What taking a picture costs a browser without graphics hardware.
        elif message.get("method") == "Log.entryAdded" and "GPU stall due to ReadPixels" not in parameters["entry"]["text"]:
            self.console.append(f"{parameters['entry']['level']}: {parameters['entry']['text']}")

    def value(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True, userGesture=True)
        if "exceptionDetails" in answer:
            raise RuntimeError(answer["exceptionDetails"].get("exception", {}).get("description", "exception"))
        return answer["result"].get("value")

    def wait(self, expression, seconds=60):
        end = time.time() + seconds
        while time.time() < end:
            if self.value(expression):
                return True
            time.sleep(0.1)
        return False

    def look(self, width, height, scheme):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 500)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def picture(self, path, whole=False):
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        clip = {"x": 0, "y": 0, "width": size["width"], "height": size["height"], "scale": 1}
        options = {"clip": clip, "captureBeyondViewport": True} if whole else {}
        data = self.call("Page.captureScreenshot", format="png", **options)["data"]
        open(path, "wb").write(base64.b64decode(data))

    def key(self, name, code=None):
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=name, code=code or name, windowsVirtualKeyCode={"Tab": 9, "Enter": 13, " ": 32}.get(name, 0), **({"text": " "} if name == " " and kind == "keyDown" else {"text": "\r"} if name == "Enter" and kind == "keyDown" else {}))

    def close(self):
        # Debian's command is a script that waits for the browser: the signal is for all of them.
        os.killpg(self.process.pid, signal.SIGTERM)
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class Program:
    """What is looked at, and the address that it prints."""

    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.address = None
        for line in self.process.stdout:
            found = re.search(r"http://127\.0\.0\.1:\d+/[0-9a-f]{32}/", line)
            if found:
                self.address = found.group(0)
                break
        if not self.address:
            raise RuntimeError(f"{command}: no address; {self.process.stderr.read()}")

    def close(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise RuntimeError("the program does not end")
