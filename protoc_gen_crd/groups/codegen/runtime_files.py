"""The files of `groups/runtime/`, which are copied next to the packages of the groups."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from protoc_gen_crd.groups.codegen.module_source import HEADER

_NOQA = re.compile(r"  # noqa: [A-Z0-9, ]+(?: - .*)?$", re.MULTILINE)  # for the rules of this project
_FOLDER = Path(__file__).parent.parent / "runtime"


@cache
def _read_file(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def list_runtime_files() -> Iterator[tuple[str, str]]:
    """Yield the names and contents of the runtime files."""
    for path in sorted(_FOLDER.glob("*.py")):
        yield path.name, f"{HEADER}\n{_NOQA.sub('', _read_file(path.name))}"


def _list_names(name: str) -> Iterator[str]:
    for node in ast.parse(_read_file(name)).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
            yield node.name


VALUE_NAMES = frozenset([*_list_names("values.py"), "replace"])
