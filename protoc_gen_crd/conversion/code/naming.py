"""What paths and steps are called in generated modules."""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.paths import BRACKETS, Path
from protoc_gen_crd.conversion.plan.python import constant, quoted
from protoc_gen_crd.conversion.plan.steps import Step


def inner(path: Path) -> Path:
    """A path below its scope."""
    return path[len(paths.scope(path)) :]


def outside(path: Path) -> Path:
    """A path up to the first list or map that a field holds."""
    start = next((at for at, name in enumerate(path) if name not in BRACKETS), len(path))
    return path[: next((at for at in range(start, len(path)) if path[at] in BRACKETS), len(path))]


def names(path: Path) -> list[str]:
    """The names of fields in a path."""
    return [name for name in path if name not in BRACKETS] or ["object"]


def origin(step: Step) -> str:
    """A step and what declares it, for a comment; compilers of protos do not agree on lines and columns."""
    place = (step.origin.owner() or step.origin.resolve()) if step.origin else None
    return step.shown() + (f" ({place})" if place else "")


def table(path: Path) -> str:
    """The beginning of the name of what is made for a field."""
    return "_" + "_".join(map(constant, names(path)))


def tupled(path: Sequence[str]) -> str:
    """A path as Python."""
    return f"({', '.join(map(quoted, path))}{',' * (len(path) == 1)})"
