"""Names of paths and steps in generated modules."""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.paths import BRACKETS, Path
from protoc_gen_crd.conversion.plan.python_source import format_constant_name, format_string
from protoc_gen_crd.conversion.plan.step_base import Step


def strip_scope(path: Path) -> Path:
    """Return a path relative to its scope."""
    return path[len(paths.get_scope(path)) :]


def get_outer_field(path: Path) -> Path:
    """Return a path up to its first list or map."""
    start = next((at for at, name in enumerate(path) if name not in BRACKETS), len(path))
    return path[: next((at for at in range(start, len(path)) if path[at] in BRACKETS), len(path))]


def get_field_names(path: Path) -> list[str]:
    """Return the field names of a path."""
    return [name for name in path if name not in BRACKETS] or ["object"]


def format_origin(step: Step) -> str:
    """Format a step and its declaration, without line numbers, which differ between proto compilers."""
    place = (step.origin.find_owner() or step.origin.resolve()) if step.origin else None
    return step.format() + (f" ({place})" if place else "")


def format_table_name(path: Path) -> str:
    """Return the prefix for names of a field."""
    return "_" + "_".join(map(format_constant_name, get_field_names(path)))


def format_tuple(path: Sequence[str]) -> str:
    """Emit a path as Python."""
    return f"({', '.join(map(format_string, path))}{',' * (len(path) == 1)})"
