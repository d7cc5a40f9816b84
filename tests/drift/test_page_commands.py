"""No block of a page is overlooked, and commands that no test runs name existing commands and flags."""

from __future__ import annotations

import argparse
import re
import shlex
from collections.abc import Iterator
from importlib import import_module

import pytest

from protoc_gen_crd.cli.main import _select_command
from protoc_gen_crd.cli.usage_error import UsageError
from tests.conftest import ROOT
from tests.drift.test_readme import PAGES, RUN_ELSEWHERE
from tests.support.pages import Block, blocks_of, is_skipped
from tests.support.yaml_data import load_yaml

ALL_PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("examples/*/README.md")]
)
# Pages whose blocks other tests check.
CHECKED_ELSEWHERE = {
    **RUN_ELSEWHERE,
    "docs/cel.md": "tests/drift/test_docs.py",  # generated; the examples of macros are evaluated
    "docs/markers.md": "tests/drift/test_docs.py",  # generated from the cases of markers
    "docs/vocabularies.md": "tests/drift/test_docs.py",  # generated
}
INDENTED = {"docs/new-kubernetes-version.md": "tests/drift/test_new_kubernetes_version.py"}  # blocks in lists
PROGRAM = "protoc-gen-crd"
INLINE = re.compile(rf"(?<!`)`({PROGRAM} [^`]+)`(?!`)")


def read_page(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def list_blocks(name: str) -> list[Block]:
    return [block for block in blocks_of(read_page(name)) if not block.alone and block.language != "mermaid"]


@pytest.mark.parametrize("name", ALL_PAGES)
def test_every_block_is_found(name: str) -> None:
    fences = len(re.findall(r"^ *```", read_page(name), re.MULTILINE))
    blocks = [block for block in blocks_of(read_page(name)) if not block.alone]
    if name in INDENTED:
        assert name.rpartition("/")[2] in (ROOT / INDENTED[name]).read_text("utf-8")
    else:
        assert fences == 2 * len(blocks)


@pytest.mark.parametrize("name", ALL_PAGES)
def test_every_block_is_checked_or_has_a_reason(name: str) -> None:
    unchecked = [block.line for block in list_blocks(name) if not is_skipped(block)]
    if name in CHECKED_ELSEWHERE:
        assert (ROOT / CHECKED_ELSEWHERE[name]).is_file()
    else:
        assert name in PAGES or not unchecked
    for block in list_blocks(name):
        if block.comment.startswith("run by "):
            assert name in (ROOT / block.comment.removeprefix("run by ")).read_text("utf-8")


def list_commands(name: str) -> Iterator[str]:
    """Yield the command lines of a page that no test runs: in text, and in blocks with a reason."""
    page = read_page(name)
    for block in blocks_of(page):
        if is_skipped(block):
            joined = block.text.replace("\\\n", " ")
            yield from re.findall(rf"(?:^|[ |]){PROGRAM} [^|\n>#]*", joined, re.MULTILINE)
    prose = re.sub(r"^ *```.*?^ *```$", "", page, flags=re.MULTILINE | re.DOTALL)
    for command in INLINE.findall(prose):
        yield " ".join(command.split())


def list_flags(parser: argparse.ArgumentParser) -> set[str]:
    """Return the flags of a command and of its subcommands."""
    flags = set(parser._option_string_actions)
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for subparser in action.choices.values():
                flags |= list_flags(subparser)
    return flags


def find_mistake(command: str) -> str:
    """Return the unknown command or flag of a command line, empty if there is none."""
    words = shlex.split(command)[1:]
    try:
        name, parser = _select_command(words[0])
    except UsageError:
        return words[0]
    import_module(f"protoc_gen_crd.cli.{name}").configure(parser)
    flags = list_flags(parser)
    used = [word.partition("=")[0].partition("[")[0] for word in words if re.match("-+[a-z]", word)]
    return next((flag for flag in used if flag not in flags), "")


@pytest.mark.parametrize("name", ALL_PAGES)
def test_commands_that_no_test_runs_are_valid(name: str) -> None:
    assert [(command, mistake) for command in list_commands(name) if (mistake := find_mistake(command))] == []


@pytest.mark.parametrize(
    ("command", "mistake"),
    [
        ("protoc-gen-crd genrate", "genrate"),
        ("protoc-gen-crd generate proto --chekc", "--chekc"),
        ("protoc-gen-crd history record 1.0 --day 2026-01-15", "--day"),
        ("protoc-gen-crd generate --out=crds -q", ""),
        ("protoc-gen-crd version add v2", ""),
    ],
)
def test_a_mistake_in_a_command_is_found(command: str, mistake: str) -> None:
    assert find_mistake(command) == mistake


def test_workflows_are_complete() -> None:
    blocks = [
        block for name in ALL_PAGES for block in list_blocks(name) if block.comment.endswith("workflow of GitHub")
    ]
    assert len(blocks) > 2
    for block in blocks:
        workflow = load_yaml(block.text)
        assert workflow[True] == ["pull_request"]  # YAML 1.1 reads the key "on" as true
        for job in workflow["jobs"].values():
            assert all({"uses", "run"} & step.keys() for step in job["steps"])


def test_commands_of_pages_are_read() -> None:
    assert sum(len([*list_commands(name)]) for name in ALL_PAGES) > 50
    assert any("--format-findings github" in command for command in list_commands("docs/tutorial.md"))
