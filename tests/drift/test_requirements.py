"""The requirements of conversions: every row names tests and lines of pages that exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.support.yaml_data import load_yaml

ROOT = Path(__file__).parents[2]
TABLE = load_yaml((ROOT / "testdata" / "conversion" / "requirements.yaml").read_text("utf-8"))
ROWS = {**TABLE["notes"], **TABLE["requirements"]}


def exists(name: str) -> bool:
    """Return true if a test, a file, or a line of a page exists."""
    path, _, words = name.partition(": ")
    file, _, function = path.partition("::")
    if not (ROOT / file).exists():
        return False
    if words:
        return words in (ROOT / file).read_text("utf-8")
    if not function:
        return True
    tree = ast.parse((ROOT / file).read_text("utf-8"))
    return any(isinstance(node, ast.FunctionDef) and node.name == function for node in ast.walk(tree))


def test_all_requirements_are_listed() -> None:
    assert list(TABLE["notes"]) == [f"N{number}" for number in range(1, 15)]
    assert [int(re.match(r"\d+", row)[0]) for row in TABLE["requirements"]] == list(range(1, 46))  # type: ignore[index]


@pytest.mark.parametrize("row", ROWS)
def test_tests_and_pages_of_a_requirement_exist(row: str) -> None:
    assert ROWS[row] != []
    assert [name for name in ROWS[row] if not exists(name)] == []
