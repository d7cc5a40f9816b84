"""Paths of fields in objects: `spec.ports[].name`, `spec.labels[key]`, `metadata.labels['a.b/c']`.

A path is a tuple of steps. `[]` steps into each item of a list, `[key]` into each value of a map, others name fields.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from protoc_gen_crd.schema.types import Schema

Path = tuple[str, ...]
ITEM, VALUE = "[]", "[key]"
WITHIN = "{}"  # an object that is converted by itself; not seen in texts
BRACKETS = (ITEM, VALUE, WITHIN)
METADATA: Path = ("metadata",)
_OF_METADATA = ("labels", "annotations")
NAMES = (("metadata", "name"), ("metadata", "namespace"))  # what every object has: read, never written
_TEXT = Schema({"type": "string"})
_STEP = re.compile(r"""\.?(?:(?P<name>[^.\[\]'"]+)|\['(?P<key>[^']*)'\]|\[(?P<bracket>\w*)\])""")
_PLAIN = re.compile(r"[^.\[\]'\"]+")


class PathError(ValueError):
    """A text that is no path."""


def parse(text: str) -> Path:
    """The steps of a text. Raises PathError. `[i]` and other variables are as `[]`; numbers stay: `[0]`."""
    steps: list[str] = []
    at = 0
    while at < len(text):
        found = _STEP.match(text, at)
        if found is None:
            raise PathError(f'a path must be names with dots between them, [] or [key], found "{text[at:]}" in it')
        steps.append(_step(found))
        at = found.end()
    if not steps:
        raise PathError("a path must name a field, found none")
    return tuple(steps)


def _step(found: re.Match[str]) -> str:
    if found["name"] is not None:
        return found["name"]
    if found["key"] is not None:
        return found["key"]
    bracket = found["bracket"]
    if bracket == "key":
        return VALUE
    return f"[{bracket}]" if bracket.isdigit() else ITEM


def shown(path: Sequence[str]) -> str:
    """The one way that a path is printed."""
    return "".join(_texts(path)).removeprefix(".")


def _texts(path: Sequence[str]) -> Iterator[str]:
    for step in path:
        if step in (ITEM, VALUE) or re.fullmatch(r"\[\d+\]", step):
            yield step
        elif step != WITHIN:
            yield f".{step}" if _PLAIN.fullmatch(step) else f"['{step}']"


def scope(path: Path) -> Path:
    """The part of a path up to its last bracket: where the items start that it is about."""
    cut = max((index for index, step in enumerate(path, 1) if step in BRACKETS), default=0)
    return path[:cut]


def containers(path: Path) -> list[Path]:
    """The lists and maps that a path goes through, outer ones first; what is converted by itself stands with them."""
    return [path[:cut] for cut, step in enumerate(path) if step in BRACKETS]


def bare(path: Path) -> Path:
    """A path as it is in objects."""
    return tuple([step for step in path if step != WITHIN])


def child(schema: Schema, step: str) -> Schema | None:
    """The schema one step below; None where there is none."""
    if step == WITHIN:
        return schema
    if step == ITEM:
        return schema.items
    if step == VALUE:
        return schema.additional if isinstance(schema.additional, Schema) else None
    return schema.properties.get(step)


def at(schema: Schema, path: Path) -> Schema | None:
    """The schema at a path from the root; None where it leads nowhere."""
    found: Schema | None = schema
    if path[:1] == METADATA:
        return _TEXT if is_metadata(path) or path in NAMES else None
    for step in path:
        if found is None:
            return None
        found = child(found, step)
    return found


def hint(root: Schema, path: Path) -> str:
    """What may be meant by a path that is not there: the least deep one that ends as it does; empty for none."""
    if at(root, ("spec", *path)) is not None:
        return f'did you mean "{shown(("spec", *path))}"?'
    queue: list[tuple[Path, Schema]] = [((), root)]
    seen: set[int] = set()
    for here, schema in queue:  # it grows as it is gone through
        if here and here[-1] == path[-1] and path[0] in (here[0], path[-1]):
            return f'did you mean "{shown(here)}"?'
        if id(schema) not in seen:
            seen.add(id(schema))
            below = {ITEM: schema.items, VALUE: schema.additional, **schema.properties}
            queue += [((*here, step), child) for step, child in below.items() if isinstance(child, Schema)]
    return ""


def is_metadata(path: Path) -> bool:
    """Whether a path leads to one label or annotation."""
    return len(path) == 3 and path[:1] == METADATA and path[1] in _OF_METADATA


def overlap(one: Path, other: Path) -> bool:
    """Whether one path leads to the other or into it."""
    shorter = min(len(one), len(other))
    return one[:shorter] == other[:shorter]


def common(one: Path, other: Path) -> Path:
    """The part that two paths begin with."""
    shorter = min(len(one), len(other))
    return one[: next((at for at in range(shorter) if one[at] != other[at]), shorter)]
