"""Each package's docstring has a table of its modules and subpackages, with a line for each."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tests.conftest import ROOT

PACKAGE = ROOT / "protoc_gen_crd"
FOLDERS = [init.parent for init in sorted(PACKAGE.rglob("__init__.py"))]
ROW = re.compile(r"^\|((?: `[\w./]+`,?)+) \| .*\S.* \|$", re.MULTILINE)


def list_parts(folder: Path) -> set[str]:
    """Return the modules and the subpackages of a package."""
    modules = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    return modules | {path.parent.name for path in folder.glob("*/__init__.py")}


def read_table(folder: Path) -> list[str]:
    """Return the dotted names in the first column of the table of a package."""
    docstring = ast.get_docstring(ast.parse((folder / "__init__.py").read_text("utf-8"))) or ""
    return [name.strip("/") for cell in ROW.findall(docstring) for name in re.findall("`(.+?)`", cell)]


def find_drift(folder: Path) -> list[str]:
    """Return the parts of a package without a line, and the lines without a module."""
    names = read_table(folder)
    missing = list_parts(folder) - {name.partition(".")[0] for name in names}
    paths = {name: folder.joinpath(*name.split(".")) for name in names}
    stale = {name for name, path in paths.items() if not (path.is_dir() or path.with_suffix(".py").is_file())}
    stale |= {name for name in names if names.count(name) > 1}
    return [
        *(f"no line for {name}" for name in sorted(missing)),
        *(f"no module {name}, or several lines" for name in sorted(stale)),
    ]


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(ROOT)))
def test_a_package_has_a_table_of_its_modules(folder: Path) -> None:
    assert find_drift(folder) == []


def test_modules_without_a_line_and_lines_without_a_module_are_reported(tmp_path: Path) -> None:
    (tmp_path / "__init__.py").write_text('"""Reader.\n\n| module | contents |\n|---|---|\n| `old` | text |\n"""\n')
    (tmp_path / "new.py").touch()
    (tmp_path / "parser").mkdir()
    (tmp_path / "parser" / "__init__.py").touch()
    assert find_drift(tmp_path) == ["no line for new", "no line for parser", "no module old, or several lines"]
