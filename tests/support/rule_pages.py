"""Rule pages: the sections of the finding catalog, executed as displayed.

A page has the parts `### Why it matters`, `### Example` and `### Fix`. Fenced blocks of the last two are executed:

    ```proto widget.proto       a file, which is written; the name `-widget.proto` deletes the file
    ```console                  commands behind "$ " with their complete output
    ```sh                       a script that must succeed; its output is not shown
    <!-- not run: REASON -->    above a block that cannot be executed

The folder is empty at the start of Example; Fix continues in it. If Fix has no console block, the commands of
Example run again, and its scripts unless Fix has some.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from protoc_gen_crd.__main__ import INTERNAL_ERROR
from protoc_gen_crd.findings.rule_catalog import CatalogRule
from tests.support.apiserver import FakeServer, serving
from tests.support.commands import run_command
from tests.support.repositories import IDENTITY

PARTS = ("Why it matters", "Example", "Fix")
LONGEST_SUMMARY = 200

_BLOCK = re.compile(
    r"^(?P<skipped><!-- not run: [^\n]+ -->\n)?```(?P<language>\w*)(?: (?P<name>[^\n]+))?\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
_ERROR = re.compile(r"^(?:.*: )?error: .*", re.MULTILINE)


@dataclass
class Execution:
    """A page with its actual output, and its mistakes apart from differences in output."""

    text: str
    problems: list[str] = field(default_factory=list)


class Shell:
    """A folder and an environment for commands. protoc-gen-crd runs in this process unless a command needs a shell."""

    def __init__(self, work: Path, programs: Path, cluster: Callable[[], FakeServer] | None = None) -> None:
        self.folder = work / "api"
        self.folder.mkdir()
        (work / ".git").mkdir()  # the settings file is looked for up to the root of a repository
        self._environment = {"HOME": str(work), "NO_COLOR": "1", "PATH": f"{programs}:/usr/bin:/bin", **IDENTITY}
        self._cluster = cluster or (lambda: FakeServer(3))
        self._server = ""
        self._stack = ExitStack()

    def close(self) -> None:
        """Stop the API server, if one was started."""
        self._stack.close()

    def run(self, command: str) -> tuple[int, str]:
        """Return the exit status and the output of a command, standard error included."""
        if "--kubeconfig" in command and not self._server:
            config = self._stack.enter_context(serving(self._cluster(), self.folder))
            self._server = re.findall(r"127\.0\.0\.1:\d+", config.read_text())[0]
        status, output = run_command(command, self.folder, self._environment)
        output = output.replace(self._server, "127.0.0.1:6443") if self._server else output
        return status, output.replace(str(self.folder), "/home/user/api")


def split_parts(text: str) -> dict[str, str]:
    """Return the parts of a page by heading, in order; the part before the first heading has the name ""."""
    before, *parts = text.split("\n### ")
    return {"": before} | {part.partition("\n")[0]: part.partition("\n")[2] for part in parts}


def execute(rule: CatalogRule, shell: Shell) -> Execution:
    """Execute a page in an empty folder."""
    parts = split_parts(rule.text)
    problems = list(_form_problems(rule, parts))
    if problems:
        return Execution(rule.text, problems)
    example, fix = _Part(shell, parts["Example"]), _Part(shell, parts["Fix"])
    example_text = example.play()
    fix_text = fix.play()
    if not fix.statuses:
        fix.replay(example.commands, own_scripts=bool(fix.commands))
    text = rule.text.replace(parts["Example"], example_text).replace(parts["Fix"], fix_text)
    return Execution(text, [*_example_problems(rule, example), *_fix_problems(rule, fix)])


def _form_problems(rule: CatalogRule, parts: dict[str, str]) -> Iterator[str]:
    if tuple(parts)[1:] != PARTS:
        yield f"the headings are {tuple(parts)[1:]}, not {PARTS}"
    if rule.summary.startswith("Summary:"):
        yield 'the page begins with the sentence itself, without "Summary:"'
    if not rule.summary.endswith(".") or len(rule.summary) > LONGEST_SUMMARY:
        yield f"the first paragraph is not one sentence of at most {LONGEST_SUMMARY} characters"


def _example_problems(rule: CatalogRule, example: _Part) -> Iterator[str]:
    yield from (f"Example: {problem}" for problem in example.problems)
    if f"[{rule.id}]" not in example.output and not example.skipped:
        yield f"Example does not report [{rule.id}]:\n{example.output}"
    if INTERNAL_ERROR in example.statuses:
        yield f"Example crashes:\n{example.output}"


def _fix_problems(rule: CatalogRule, fix: _Part) -> Iterator[str]:
    yield from (f"Fix: {problem}" for problem in fix.problems)
    if f"[{rule.id}]" in fix.output:
        yield f"after Fix the rule is still reported:\n{fix.output}"
    elif _ERROR.search(fix.output) or any(fix.statuses):
        yield f"after Fix a command fails:\n{fix.output}"


class _Part:
    """Example or Fix: its commands and their output."""

    def __init__(self, shell: Shell, text: str) -> None:
        self._shell, self._text = shell, text
        self.commands: list[tuple[str, str]] = []  # language of the block and command
        self.statuses: list[int] = []
        self.problems: list[str] = []
        self.output = ""
        self.skipped = False

    def play(self) -> str:
        """Write the files and run the commands; return the text with the actual output."""
        return _BLOCK.sub(self._block, self._text)

    def replay(self, commands: list[tuple[str, str]], *, own_scripts: bool) -> None:
        """Run the commands of another part, without its scripts if this part has its own."""
        for language, command in commands:
            if language == "console" or not own_scripts:
                self._run(command)

    def _block(self, block: re.Match[str]) -> str:
        name, text = block["name"] or "", block["text"]
        if block["skipped"]:
            self.skipped = True
        elif name.startswith("-"):
            (self._shell.folder / name[1:]).unlink()
        elif name:
            path = self._shell.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        elif block["language"] == "console":
            if not text.startswith("$ "):
                self.problems.append("a console block does not begin with a command")
            return block[0].replace(text, "".join(f"$ {command}\n{self._run(command)}" for command in _commands(text)))
        elif block["language"] == "sh":
            self.commands.append(("sh", text))
            status, output = self._shell.run(text)
            if status:
                self.problems.append(f"{text!r} ended with {status}:\n{output}")
        else:
            self.problems.append(f"a block of {block['language'] or 'text'} has no file name")
        return block[0]

    def _run(self, command: str) -> str:
        status, output = self._shell.run(command)
        self.commands.append(("console", command))
        self.statuses.append(status)
        self.output += output
        return output if output.endswith("\n") or not output else f"{output}\n"


def _commands(text: str) -> list[str]:
    """Return the commands of a block; one that ends with a backslash continues on the next line."""
    return [match[1] for match in re.finditer(r"^\$ ((?:.*\\\n)*.*)$", text, re.MULTILINE)]
