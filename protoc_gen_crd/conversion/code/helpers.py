"""The helpers of generated modules: the names they have, how these are imported, which files stand beside a module."""

from __future__ import annotations

import builtins
import re
from collections.abc import Collection, Iterable, Sequence
from keyword import kwlist
from pathlib import Path
from types import ModuleType

from protoc_gen_crd.conversion.helpers import (
    byhand,
    carrying,
    changing,
    hubs,
    moving,
    nested,
    objects,
    preserved,
    runtime,
    stash,
    walking,
)
from protoc_gen_crd.conversion.plan.python import WIDTH

# Each has names of those before it.
_MODULES = (runtime, carrying, moving, changing, preserved, stash, objects, nested, byhand, walking, hubs)
# Names that they have from the standard library.
_FOREIGN = (
    *("Any", "Callable", "Collection", "Iterator", "Mapping", "ModuleType", "TypeVar", "annotations", "cast"),
    *("isfinite", "json", "re", "sha256"),
)
# Names that functions of generated modules give to what they hold.
_OURS = ("functions", "source", "item", "root", "at", "was", "lost", "result", "whole", "convert", "place", "partial")
_BUILTINS = {name for name in dir(builtins) if name.islower()} | {"copyright", "credits", "exit", "license", "quit"}
_IMPORT = re.compile(r"^from \.(\w+) import ", re.MULTILINE)


def _name(module: ModuleType) -> str:
    return module.__name__.rpartition(".")[2]


def _names() -> dict[str, tuple[str, ...]]:
    """The names that each module of helpers has for others, in the order in which modules are imported."""
    known = {*_FOREIGN}
    made = {}
    for module in _MODULES:
        own = sorted(name for name in vars(module) if not name.startswith("_") and name not in known)
        made[_name(module)] = tuple(own)
        known.update(own)
    return dict(sorted(made.items()))


MODULES = {_name(module): module for module in _MODULES}
_NAMES = _names()
RESERVED = frozenset((*(name for names in _NAMES.values() for name in names), *_OURS, *kwlist, *_BUILTINS))


def imports(words: Collection[str]) -> list[str]:
    """The statements that import those of some names that helpers have."""
    used = {module: sorted((name for name in names if name in words), key=_isort) for module, names in _NAMES.items()}
    return [line for module, names in used.items() if names for line in import_of(module, names)]


def import_of(module: str, names: Sequence[str]) -> Sequence[str]:
    """The statement that imports names of a module of the package."""
    line = f"from .{module} import {', '.join(names)}"
    if len(line) <= WIDTH:
        return [line]
    return [f"from .{module} import (", *(f"    {name}," for name in names), ")"]


def _isort(name: str) -> tuple[int, str]:
    """The order of imported names: constants, classes, functions."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2), name


def files(texts: Iterable[str]) -> dict[str, str]:
    """The helpers that modules import, and those that these do, by the names of their files."""
    made: dict[str, str] = {}
    for text in texts:
        for name in _IMPORT.findall(text):
            if name in MODULES and f"{name}.py" not in made:
                own = made[f"{name}.py"] = Path(MODULES[name].__file__ or "").read_text("utf-8")
                made = files((own,)) | made
    return made
