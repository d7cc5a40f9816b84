"""The runtime modules of generated packages: their names, imports and files."""

from __future__ import annotations

import builtins
import re
from collections.abc import Collection, Iterable, Sequence
from keyword import kwlist
from pathlib import Path
from types import ModuleType

from protoc_gen_crd.conversion.plan.python_source import LINE_LENGTH
from protoc_gen_crd.conversion.runtime import (
    container_conversion,
    conversion_data,
    data_restore,
    field_tables,
    handwritten,
    hub_changes,
    kcp_preserved,
    object_annotations,
    path_access,
    runtime,
    spoke_to_spoke,
    value_changes,
)

# Modules import names only from modules before them.
_MODULES = (
    *(runtime, field_tables, path_access, value_changes, kcp_preserved, conversion_data, object_annotations),
    *(container_conversion, handwritten, data_restore, spoke_to_spoke, hub_changes),
)
# Names that runtime modules import from the standard library.
_IMPORTED_NAMES = (
    *("Any", "Callable", "Collection", "Iterator", "Mapping", "ModuleType", "TypeVar", "annotations", "cast"),
    *("isfinite", "json", "re", "sha256"),
)
# Names of local variables in generated functions.
_LOCAL_NAMES = (
    "functions",
    "source",
    "item",
    "root",
    "at",
    "was",
    "lost",
    "result",
    "whole",
    "convert",
    "place",
    "partial",
)
_BUILTINS = {name for name in dir(builtins) if name.islower()} | {"copyright", "credits", "exit", "license", "quit"}
_IMPORT = re.compile(r"^from \.(\w+) import ", re.MULTILINE)


def _get_name(module: ModuleType) -> str:
    return module.__name__.rpartition(".")[2]


def _list_names() -> dict[str, tuple[str, ...]]:
    """Return the names that each runtime module exports, in import order."""
    earlier_names = {*_IMPORTED_NAMES}
    names_by_module = {}
    for module in _MODULES:
        own = sorted(name for name in vars(module) if not name.startswith("_") and name not in earlier_names)
        names_by_module[_get_name(module)] = tuple(own)
        earlier_names.update(own)
    return dict(sorted(names_by_module.items()))


MODULES = {_get_name(module): module for module in _MODULES}
_NAMES = _list_names()
RESERVED = frozenset((*(name for names in _NAMES.values() for name in names), *_LOCAL_NAMES, *kwlist, *_BUILTINS))


def build_imports(words: Collection[str]) -> list[str]:
    """Return the import statements for those names that runtime modules export."""
    used = {
        module: sorted((name for name in names if name in words), key=_get_isort_key)
        for module, names in _NAMES.items()
    }
    return [line for module, names in used.items() if names for line in build_import(module, names)]


def build_import(module: str, names: Sequence[str]) -> Sequence[str]:
    """Return the statement that imports names of a module of the package."""
    line = f"from .{module} import {', '.join(names)}"
    if len(line) <= LINE_LENGTH:
        return [line]
    return [f"from .{module} import (", *(f"    {name}," for name in names), ")"]


def _get_isort_key(name: str) -> tuple[int, str]:
    """Return the sort key of an imported name: constants, classes, functions."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2), name


def collect_files(sources: Iterable[str]) -> dict[str, str]:
    """Return the runtime modules that sources import, directly or indirectly, by file name."""
    files: dict[str, str] = {}
    for source in sources:
        for name in _IMPORT.findall(source):
            if name in MODULES and f"{name}.py" not in files:
                own = files[f"{name}.py"] = Path(MODULES[name].__file__ or "").read_text("utf-8")
                files = collect_files((own,)) | files
    return files
