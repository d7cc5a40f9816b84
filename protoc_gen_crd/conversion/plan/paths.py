"""Paths of fields in objects: `spec.ports[].name`, `spec.labels[key]`, `metadata.labels['a.b/c']`.

A path is a tuple of steps. `[]` steps into each item of a list, `[key]` into each value of a map, others name fields.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from protoc_gen_crd.schema.schema import Schema

Path = tuple[str, ...]
ITEM, VALUE = "[]", "[key]"
OBJECT_SCOPE = "{}"  # an object that is converted as a unit; not printed
BRACKETS = (ITEM, VALUE, OBJECT_SCOPE)
METADATA_PATH: Path = ("metadata",)
_METADATA_MAPS = ("labels", "annotations")
NAME_PATHS = (("metadata", "name"), ("metadata", "namespace"))  # what every object has: read, never written
_STRING_SCHEMA = Schema({"type": "string"})
_STEP_PATTERN = re.compile(r"""\.?(?:(?P<name>[^.\[\]'"]+)|\['(?P<key>[^']*)'\]|\[(?P<bracket>\w*)\])""")
_PLAIN_NAME = re.compile(r"[^.\[\]'\"]+")


class PathSyntaxError(ValueError):
    """Invalid syntax of a path."""


def parse_path(string: str) -> Path:
    """Parse a path. Raises PathSyntaxError. `[i]` and other variables are read as `[]`; numbers are kept: `[0]`."""
    steps: list[str] = []
    position = 0
    while position < len(string):
        match = _STEP_PATTERN.match(string, position)
        if match is None:
            raise PathSyntaxError(
                f'invalid path at "{string[position:]}": expected names separated by dots, [] or [key]'
            )
        steps.append(_read_step(match))
        position = match.end()
    if not steps:
        raise PathSyntaxError("empty path")
    return tuple(steps)


def _read_step(match: re.Match[str]) -> str:
    if match["name"] is not None:
        return match["name"]
    if match["key"] is not None:
        return match["key"]
    bracket = match["bracket"]
    if bracket == "key":
        return VALUE
    return f"[{bracket}]" if bracket.isdigit() else ITEM


def format_path(path: Sequence[str]) -> str:
    """Format a path."""
    return "".join(_format_steps(path)).removeprefix(".")


def _format_steps(path: Sequence[str]) -> Iterator[str]:
    for step in path:
        if step in (ITEM, VALUE) or re.fullmatch(r"\[\d+\]", step):
            yield step
        elif step != OBJECT_SCOPE:
            yield f".{step}" if _PLAIN_NAME.fullmatch(step) else f"['{step}']"


def get_scope(path: Path) -> Path:
    """Return the part of a path up to its last bracket: the items or entries that contain the field."""
    cut = max((index for index, step in enumerate(path, 1) if step in BRACKETS), default=0)
    return path[:cut]


def list_containers(path: Path) -> list[Path]:
    """Return the containers of a path, outer ones first, including objects that are converted as a unit."""
    return [path[:cut] for cut, step in enumerate(path) if step in BRACKETS]


def strip_object_scopes(path: Path) -> Path:
    """Return a path without object scopes, as in objects."""
    return tuple([step for step in path if step != OBJECT_SCOPE])


def get_child(schema: Schema, step: str) -> Schema | None:
    """Return the schema one step below; None if there is none."""
    if step == OBJECT_SCOPE:
        return schema
    if step == ITEM:
        return schema.items
    if step == VALUE:
        return schema.additional if isinstance(schema.additional, Schema) else None
    return schema.properties.get(step)


def find_schema(schema: Schema, path: Path) -> Schema | None:
    """Return the schema at a path from the root; None if there is none."""
    current: Schema | None = schema
    if path[:1] == METADATA_PATH:
        return _STRING_SCHEMA if is_metadata_entry(path) or path in NAME_PATHS else None
    for step in path:
        if current is None:
            return None
        current = get_child(current, step) or _get_entry_schema(current, step)
    return current


def _get_entry_schema(schema: Schema, key: str) -> Schema | None:
    """The schema of one entry of a map; None for other schemas."""
    is_map = not schema.properties and isinstance(schema.additional, Schema) and key not in BRACKETS
    return get_child(schema, VALUE) if is_map else None


def find_nearest_path(root: Schema, path: Path) -> Path | None:
    """Return the path that a missing one may mean: the shallowest with the same last step; None for none."""
    if find_schema(root, ("spec", *path)) is not None:
        return ("spec", *path)
    queue: list[tuple[Path, Schema]] = [((), root)]
    seen: set[int] = set()
    for here, schema in queue:  # grows during iteration
        if here and here[-1] == path[-1] and path[0] in (here[0], path[-1]):
            return here
        if id(schema) not in seen:
            seen.add(id(schema))
            below = {ITEM: schema.items, VALUE: schema.additional, **schema.properties}
            queue += [((*here, step), child) for step, child in below.items() if isinstance(child, Schema)]
    return None


def describe_missing_field(path: Path, depth: int, version: str) -> str:
    """Describe the step of a path that is missing in a version."""
    around = f'"{format_path(path[:depth])}"' if depth else "the root object"
    return f'no field "{path[depth]}" in {around} of {version}'


def format_path_hint(path: Path | None) -> str:
    """Suggest a path; empty for none."""
    return f'did you mean "{format_path(path)}"?' if path else ""


def is_metadata_entry(path: Path) -> bool:
    """Return True for the path of a label or annotation."""
    return len(path) == 3 and path[:1] == METADATA_PATH and path[1] in _METADATA_MAPS


def has_overlap(one: Path, other: Path) -> bool:
    """Return True if one path is a prefix of the other."""
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]


def get_common_prefix(one: Path, other: Path) -> Path:
    """Return the common prefix of two paths."""
    shorter = min(len(one), len(other))
    return one[: next((at for at in range(shorter) if one[at] != other[at]), shorter)]
