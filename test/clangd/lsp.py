"""A language client, as small as clangd lets it be: one server, its diagnostics, code actions and edits."""
import json
import pathlib
import queue
import subprocess
import threading
import time


class ServerDied(Exception):
    pass


class Client:
    def __init__(self, command, root, options=None, log=None):
        """`log`: what the server says of its work goes there."""
        errors = open(log, "wb") if log else subprocess.DEVNULL
        self.server = subprocess.Popen(command, cwd=root, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors)
        if log:
            errors.close()
        self.messages = queue.Queue()
        self.last_id = 0
        self.versions, self.texts = {}, {}
        self.diagnostics = {}  # (uri, version) -> list
        self.reader = threading.Thread(target=self._read, daemon=True)
        self.reader.start()
        self.request("initialize", {
            "processId": None, "rootUri": pathlib.Path(root).as_uri(), "initializationOptions": options or {},
            "capabilities": {"textDocument": {
                "publishDiagnostics": {"relatedInformation": True, "codeDescriptionSupport": True, "codeActionsInline": False},
                "codeAction": {"codeActionLiteralSupport": {"codeActionKind": {"valueSet": ["quickfix"]}}}}}})
        self.notify("initialized", {})

    def _read(self):
        stream = self.server.stdout
        while True:
            length = 0
            while True:
                line = stream.readline()
                if not line:
                    self.messages.put(None)
                    return
                if line in (b"\r\n", b"\n"):
                    break
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            self.messages.put(json.loads(stream.read(length)))

    def _send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        try:
            self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
            self.server.stdin.flush()
        except BrokenPipeError as error:
            raise ServerDied(self.server.wait()) from error

    def _take(self, deadline):
        """The next message, or None when there was none in time."""
        try:
            message = self.messages.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            return None
        if message is None:
            raise ServerDied(self.server.wait())
        if message.get("method") == "textDocument/publishDiagnostics":
            params = message["params"]
            self.diagnostics[params["uri"], params.get("version")] = params["diagnostics"]
        elif "method" in message and "id" in message:  # the server asks; nothing is granted
            self._send({"id": message["id"], "result": None})
        return message

    def request(self, method, params, timeout=60):
        self.last_id += 1
        self._send({"id": self.last_id, "method": method, "params": params})
        deadline = time.monotonic() + timeout
        while (message := self._take(deadline)) is not None:
            if message.get("id") == self.last_id and "method" not in message:
                return message.get("result")
        raise TimeoutError(method)

    def notify(self, method, params):
        self._send({"method": method, "params": params})

    def open(self, path, text=None):
        path = pathlib.Path(path)
        uri = path.as_uri()
        self.texts[uri] = path.read_text() if text is None else text
        self.versions[uri] = 1
        self.notify("textDocument/didOpen", {"textDocument": {
            "uri": uri, "languageId": "cuda" if path.suffix in (".cu", ".cuh") else "cpp", "version": 1,
            "text": self.texts[uri]}})
        return uri

    def change(self, uri, text):
        self.texts[uri] = text
        self.versions[uri] += 1
        self.notify("textDocument/didChange", {
            "textDocument": {"uri": uri, "version": self.versions[uri]}, "contentChanges": [{"text": text}],
            "wantDiagnostics": True})  # at once: clangd waits whether more keys come

    def save(self, uri):
        pathlib.Path(uri.removeprefix("file://")).write_text(self.texts[uri])
        self.notify("textDocument/didSave", {"textDocument": {"uri": uri}})

    def wait_until(self, uri, condition, timeout=60):
        """Diagnostics of the text as it is that are as they should be; the last ones, where none come."""
        deadline = time.monotonic() + timeout
        key = uri, self.versions[uri]
        while not (key in self.diagnostics and condition(self.diagnostics[key])):
            if self._take(deadline) is None:
                break
        return self.diagnostics.get(key)

    def forget(self, uri):
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def wait(self, uri, timeout=120):
        """The diagnostics of the text as it is now."""
        deadline = time.monotonic() + timeout
        while (uri, self.versions[uri]) not in self.diagnostics:
            if self._take(deadline) is None:
                raise TimeoutError(f"no diagnostics of {uri}, version {self.versions[uri]}")
        return self.diagnostics[uri, self.versions[uri]]

    def actions(self, uri, diagnostic):
        return self.request("textDocument/codeAction", {
            "textDocument": {"uri": uri}, "range": diagnostic["range"], "context": {"diagnostics": [diagnostic]}}) or []

    def apply(self, uri, action):
        """As an editor does: to the text that is open."""
        edit = action["edit"]
        edits = edit.get("changes", {}).get(uri) or [
            one for change in edit.get("documentChanges", []) for one in change["edits"]]
        text = self.texts[uri]
        for one in sorted(edits, key=lambda e: (e["range"]["start"]["line"], e["range"]["start"]["character"]), reverse=True):
            text = text[:offset(text, one["range"]["start"])] + one["newText"] + text[offset(text, one["range"]["end"]):]
        self.change(uri, text)

    def stop(self):
        try:
            self.request("shutdown", None)
            self.notify("exit", None)
            return self.server.wait(timeout=30)
        finally:
            self.close()

    def close(self):
        self.server.kill()
        self.server.wait()
        self.reader.join()
        for stream in (self.server.stdin, self.server.stdout):
            try:
                stream.close()
            except BrokenPipeError:
                pass


def offset(text, position):
    """Of a place as clangd counts it, in UTF-16, in a text."""
    lines = text.split("\n")
    line = lines[position["line"]].encode("utf-16-le")[:2 * position["character"]].decode("utf-16-le")
    return sum(len(before) + 1 for before in lines[:position["line"]]) + len(line)


def ours(diagnostics):
    return [one for one in diagnostics if str(one.get("code", "")).startswith("device-")]
