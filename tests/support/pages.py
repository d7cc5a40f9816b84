"""Markdown pages as scripts: each block of a page runs in one folder, and its output is compared byte for byte.

A comment on the line above a fenced block specifies its kind:

    <!-- file NAME -->       the content of a file, which is written
    <!-- shows NAME -->      the content of a file, which must exist
    <!-- part of NAME -->    consecutive lines of a file, with any indentation there
    <!-- ends with N -->     the exit status of the last command; without it all commands must succeed
    <!-- settings -->       part of a settings file, in which nothing may be reported
    <!-- run -->            a Python program, which must succeed
    <!-- run by TEST -->    nothing; another test runs the block
    <!-- not run: REASON --> nothing

Blocks of `console` contain commands after "$ " and their output below; blocks of `sh` contain only commands. Comments
without a block change the environment: `<!-- in FOLDER -->` enters a folder, which is created if required, and
`<!-- change NAME: OLD -> NEW -->` edits a file; `\\n` in NEW is a line break.
"""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import dedent

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.settings.settings_file import read_settings
from tests.support.commands import run_command, run_in_shell

_BLOCK = re.compile(
    r"^(?:<!-- (?P<comment>[^\n]*) -->\n)?```(?P<language>\w*)\n(?P<text>.*?)^```$"
    r"|^<!-- (?P<alone>(?:in|change) [^\n]*) -->$",
    re.MULTILINE | re.DOTALL,
)
_CHANGE = re.compile("change (.+?): (.+) -> (.*)")


class PageError(Exception):
    """A page whose content is wrong or never checked."""


@dataclass(frozen=True)
class Block:
    """A block of a page, at the offset `start`; `comment` is its comment, `alone` a comment without a block."""

    start: int
    line: int
    language: str
    text: str
    comment: str
    alone: str


def blocks_of(page: str) -> Iterator[Block]:
    """Iterate over the blocks of a page in order."""
    for match in _BLOCK.finditer(page):
        line = page.count("\n", 0, match.start()) + 1
        language, text, comment, alone = (match[name] or "" for name in ("language", "text", "comment", "alone"))
        yield Block(match.start("text"), line, language, text, comment, alone)


def is_skipped(block: Block) -> bool:
    """Return whether a page does not run a block: another test does, or the comment has the reason."""
    return block.comment.startswith(("run by ", "not run: "))


def _check_settings(text: str) -> None:
    problems = Problems()
    with TemporaryDirectory() as folder:
        file = Path(folder) / "protoc-gen-crd.yaml"
        file.write_text(text)
        read_settings(str(file), problems)
    if problems.findings:
        raise PageError(f"{problems.findings[0].message} [{problems.findings[0].rule}]")


class Stage:
    """The folder and the environment in which the commands of a page run.

    With `processes`, a shell runs all commands; otherwise, the program runs in this process where no shell is needed.
    """

    def __init__(self, folder: Path, environment: Mapping[str, str], *, processes: bool = True) -> None:
        self._run_command = run_in_shell if processes else partial(run_command, buffered=True)
        self.root = folder
        self.folder = folder
        self.environment = environment
        self._ports: dict[str, str] = {}  # ports of a page, and the free ports that replace them

    def play(self, page: str) -> str:
        """Run a page and return it with the actual output. Raises PageError for a block that cannot be run."""
        real, end = "", 0
        for block in blocks_of(page):
            try:
                text = self._block(block)
            except PageError as error:
                raise PageError(f"line {block.line}: {error}") from None
            real += page[end : block.start] + text if block.start >= 0 else ""
            end = block.start + len(block.text) if block.start >= 0 else end
        return real + page[end:]

    def _block(self, block: Block) -> str:
        verb, _, rest = block.comment.partition(" ")
        if block.alone:
            self._change(block.alone)
        elif verb == "file":
            path = self.folder / rest
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text)
        elif verb == "shows":
            return (self.folder / rest).read_text()
        elif block.comment.startswith("part of "):
            self._part(block.text, (self.folder / block.comment.removeprefix("part of ")).read_text())
        elif block.comment == "settings":
            _check_settings(block.text)
        elif block.comment == "run" and block.language == "python":
            exec(block.text, {})  # noqa: S102 - a page of this repository
        elif block.language in ("console", "sh") and not is_skipped(block):
            status = int(block.comment.removeprefix("ends with ")) if block.comment else 0
            return (self._console if block.language == "console" else self._script)(block.text, status)
        elif not is_skipped(block):
            raise PageError(f"nobody looks at this block of {block.language or 'text'}")
        return block.text

    def _change(self, comment: str) -> None:
        if comment.startswith("in "):
            self.folder = self.root / comment.removeprefix("in ")
            self.folder.mkdir(exist_ok=True)
            return
        match = _CHANGE.fullmatch(comment)
        path = self.folder / match[1] if match else self.folder
        before = path.read_text() if match else ""
        if match is None or match[2] not in before:
            raise PageError(f"nothing to change: {comment}")
        path.write_text(before.replace(match[2], match[3].replace(r"\n", "\n")))

    @staticmethod
    def _part(text: str, whole: str) -> None:
        count = text.count("\n")
        lines = whole.splitlines(keepends=True)
        if not any(dedent("".join(lines[at : at + count])) == text for at in range(len(lines))):
            raise PageError(f"this is no part of the file:\n{text}")

    def _console(self, text: str, status: int) -> str:
        """Return the block with the actual output of its commands."""
        commands = [line for line in text.splitlines() if line.startswith("$ ")]
        output = ""
        for command in commands:
            expected = status if command is commands[-1] else 0
            output += f"{command}\n{self._run(command.removeprefix('$ '), expected)}"
        return output

    def _script(self, text: str, status: int) -> str:
        self._run(text, status)
        return text

    def _run(self, command: str, status: int) -> str:
        for port in re.findall(r"--port (\d+)", command):
            self._ports.setdefault(port, free_port())
        for port, taken in self._ports.items():
            command = command.replace(port, taken)
        actual_status, output = self._run_command(command, self.folder, self.environment)
        if actual_status != status:
            raise PageError(f"{command!r} ended with {actual_status}:\n{output}")
        for port, taken in self._ports.items():
            output = output.replace(taken, port)
        return output


def write_programs(folder: Path, programs: Mapping[str, str]) -> None:
    """Write shell scripts by name, for the PATH of a page."""
    for name, text in programs.items():
        (folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (folder / name).chmod(0o755)


def free_port() -> str:
    """Return a port on which no process listens, and that the system gives to no other connection meanwhile."""
    start = os.getpid() % 20_000  # other test processes start elsewhere
    for port in (10_000 + (start + step) % 20_000 for step in range(20_000)):
        with socket.socket() as listener, suppress(OSError):
            listener.bind(("localhost", port))
            return str(port)
    raise PageError("no free port")
