"""The command line and the plugin in this process: exit status, output and files, with the properties of a run."""

from __future__ import annotations

import ast
import contextlib
import io
import os
import sys
import tempfile
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import yaml
from google.protobuf.compiler.plugin_pb2 import CodeGeneratorResponse

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cli.main import main
from protoc_gen_crd.plugin import respond

from .harness import PropertyError

_STATUSES = (0, 1, 2)


class Run(Record):
    """The result of a command: its exit status, its output, and the files that it writes or changes."""

    status: int
    out: str
    err: str
    written: dict[str, bytes]

    def __str__(self) -> str:
        files = "".join(f"{name}: {len(data)}\n" for name, data in self.written.items())
        return f"[{self.status}]\n{self.err}{self.out}{files}"


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """Change to an empty folder during the block."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory(prefix="fuzz-") as path:
        os.chdir(path)
        try:
            yield Path(path)
        finally:
            os.chdir(before)


def command(arguments: Sequence[str], files: Mapping[str, bytes], stdin: bytes = b"") -> Run:
    """Run a command in a folder with some files. Raises PropertyError if it writes only a part of its output."""
    with folder() as root:
        for name, data in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        status, out, err = _printed(arguments, stdin)
        left = {
            path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()
        }
    written = {name: data for name, data in left.items() if files.get(name) != data}
    if status not in _STATUSES:
        raise PropertyError(f"exit status {status}")
    if status and written:
        raise PropertyError(f"files are written in spite of errors: {sorted(written)}\n{err}")
    if status and not err.strip() and not out.strip():
        raise PropertyError(f"exit status {status} without a message")
    return Run(status, out, err, written)


def _printed(arguments: Sequence[str], stdin: bytes) -> tuple[int, str, str]:
    streams = sys.stdin, sys.stdout, sys.stderr
    out, err = io.BytesIO(), io.BytesIO()
    sys.stdin = io.TextIOWrapper(io.BytesIO(stdin), encoding="utf-8")
    sys.stdout = io.TextIOWrapper(out, encoding="utf-8")
    sys.stderr = io.TextIOWrapper(err, encoding="utf-8", errors="backslashreplace")
    try:
        try:
            status = main(arguments)
        except OSError as error:  # which `__main__` reports in one line
            sys.stderr.write(f"{error}\n")
            status = 2
        sys.stdout.flush()
        sys.stderr.flush()
        return status, out.getvalue().decode(), err.getvalue().decode()
    finally:
        sys.stdin, sys.stdout, sys.stderr = streams


def plugin(request: bytes, files: Mapping[str, bytes] | None = None) -> str:
    """Return the response to a request as a string. Raises PropertyError if it has files in spite of an error."""
    with folder() as root, contextlib.redirect_stderr(io.StringIO()) as stderr:
        for path, data in (files or {}).items():
            (root / path).write_bytes(data)
        response = CodeGeneratorResponse.FromString(b"".join(respond(request)))
        if len(list(root.iterdir())) > len(files or {}):
            raise PropertyError("a plugin run writes files")
    if response.error and response.file:
        raise PropertyError(f"files are written in spite of errors: {response.error}")
    names = [file.name for file in response.file]
    if any(name.startswith("/") or ".." in name.split("/") for name in names) or len(set(names)) < len(names):
        raise PropertyError(f"file names of a response: {names}")
    for file in response.file:
        _check_content(file.name, file.content)
    content = "".join(f"{file.name}\n{file.content}" for file in response.file)
    return f"{response.error}\n{stderr.getvalue()}\n{content}"


class _YamlLoader(yaml.CSafeLoader):
    """A loader that reads timestamps and integers as strings.

    Unlike Go's, PyYAML's fails for February 30, and Python's integers are limited to 4,300 digits.
    """


def _read_scalar(loader: _YamlLoader, node: yaml.ScalarNode) -> str:
    return str(loader.construct_scalar(node))


for _tag in ("timestamp", "int"):
    _YamlLoader.add_constructor(f"tag:yaml.org,2002:{_tag}", _read_scalar)


def _check_content(name: str, content: str) -> None:
    """Raise an error for a file that its readers cannot read."""
    if name.endswith(".py"):
        ast.parse(content)
    elif name.endswith(".yaml"):
        deque(yaml.load_all(content, _YamlLoader), 0)
