"""CRDs of deep objects, and of an object with many rules, are cheap for the commands that read CRDs.

Work or output for each pair of nested objects, or of rules, would exceed the limits.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.support.hostile_depth import CRDS
from tests.support.measured import measured

SECONDS, MEBIBYTES = 4, 150  # twice the time on the machine of a user, since test machines are slow
COMMANDS = ("cost", "lint", "samples", "schemas", "validate")
REPORTED = ("impossible",)  # a finding


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", CRDS)
def test_cheap(name: str, command: str, tmp_path: Path) -> None:
    check_cost((command, "crd.json"), name, tmp_path)


@pytest.mark.parametrize("name", CRDS)
def test_changes(name: str, tmp_path: Path) -> None:
    (tmp_path / "old.json").write_text(CRDS[name].replace('"names": {', '"names": {"categories": ["all"], '), "utf-8")
    check_cost(("changes", "crd.json", "--old", "old.json"), name, tmp_path)


@pytest.mark.parametrize("name", CRDS)
def test_docs(name: str, tmp_path: Path) -> None:
    """The page of a deep object has 20 MB of paths."""
    check_cost(("docs", "crd.json"), name, tmp_path)


def test_html_docs(tmp_path: Path) -> None:
    """The costs of 1,500 rules are estimated with more memory than the page takes."""
    check_cost(("docs", "--html", "crd.json"), "ruled", tmp_path, mebibytes=200, seconds=6)


def check_cost(
    arguments: Sequence[str], name: str, tmp_path: Path, *, mebibytes: int = MEBIBYTES, seconds: int = SECONDS
) -> None:
    (tmp_path / "crd.json").write_text(CRDS[name], "utf-8")
    text, time, memory = measured(arguments, tmp_path)
    assert "Traceback" not in text
    assert text.endswith(("[0]\n", "[1]\n") if name in REPORTED else "[0]\n")
    assert time < seconds
    assert memory < mebibytes
