"""A client of a language server: the messages that an editor sends over standard input and output."""

import json
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

Message = dict[str, Any]


class ServerExitError(Exception):
    """The language server has exited before it answered."""


class LanguageServer:
    """A running language server. Requests of the server are answered with null."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._input: IO[bytes] = process.stdin
        self._output: IO[bytes] = process.stdout
        self._last = 0
        self._diagnostics: dict[str, list[Message]] = {}

    def request(self, method: str, **params: Any) -> Any:
        """Send a request and return its result."""
        self._last += 1
        self._send({"id": self._last, "method": method, "params": params})
        while (message := self._receive()).get("id") != self._last or "method" in message:
            self._handle(message)
        assert "error" not in message, message
        return message["result"]

    def notify(self, method: str, **params: Any) -> None:
        """Send a notification."""
        self._send({"method": method, "params": params})

    def open(self, path: Path, language: str = "yaml") -> list[Message]:
        """Open a file and return its diagnostics."""
        document = {"uri": path.as_uri(), "languageId": language, "version": 1, "text": path.read_text()}
        self._diagnostics.pop(path.as_uri(), None)
        self.notify("textDocument/didOpen", textDocument=document)
        while path.as_uri() not in self._diagnostics:
            self._handle(self._receive())
        return self._diagnostics[path.as_uri()]

    def ask_at(self, method: str, path: Path, text: str) -> Any:
        """Send a request about the end of a text that the file contains once."""
        content = path.read_text()
        assert content.count(text) == 1, content
        before = content[: content.index(text) + len(text)].split("\n")
        position = {"line": len(before) - 1, "character": len(before[-1])}
        return self.request(f"textDocument/{method}", textDocument={"uri": path.as_uri()}, position=position)

    def close(self) -> None:
        """Close the input of the server. Raises BrokenPipeError if a message was not sent."""
        self._input.close()

    def _handle(self, message: Message) -> None:
        if message.get("method") == "textDocument/publishDiagnostics":
            self._diagnostics[message["params"]["uri"]] = message["params"]["diagnostics"]
        elif "method" in message and "id" in message:
            self._send({"id": message["id"], "result": None})

    def _send(self, message: Message) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        try:
            self._input.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
            self._input.flush()
        except BrokenPipeError as error:
            raise ServerExitError from error

    def _receive(self) -> Message:
        length = 0
        while (line := self._output.readline().strip()) or not length:
            if not line:
                raise ServerExitError
            name, _, value = line.partition(b": ")
            length = int(value) if name.lower() == b"content-length" else length
        body = self._output.read(length)
        if len(body) < length:
            raise ServerExitError
        message: Message = json.loads(body)
        return message


@contextmanager
def start_server(command: Sequence[str], folder: Path) -> Iterator[LanguageServer]:
    """Start a language server for a workspace, without access to remote schemas."""
    with subprocess.Popen(
        command, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        server = LanguageServer(process)
        try:
            server.request(
                "initialize",
                processId=None,
                rootUri=folder.as_uri(),
                capabilities={"textDocument": {"hover": {"contentFormat": ["markdown"]}}},
                initializationOptions={},
            )
            server.notify("initialized")
            settings = {"yaml": {"schemaStore": {"enable": False}, "validate": True, "hover": True, "completion": True}}
            server.notify("workspace/didChangeConfiguration", settings=settings)
            yield server
        finally:
            process.kill()
            with suppress(BrokenPipeError):
                server.close()
