"""What fields say of their conversion: the options of `Conversion` as facts of schemas."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from protoc_gen_crd.base.diagnostics import Place
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion.plan.paths import ITEM, VALUE, Path
from protoc_gen_crd.crd.types import Crd
from protoc_gen_crd.schema.types import CONVERSION, UNREAD, Schema

# Members that name where the value is; those that say that there is none; the rest change the value.
SOURCES = ("renamed_from", "moved_from")
ABSENT = ("preserved", "dropped", "default")


class Declared(Record):
    """One declaration: members of the option `Conversion`, where it stands, and the element that it is about."""

    values: Mapping[str, Any]
    origin: Place
    owner: str = ""

    @property
    def named(self) -> frozenset[str]:
        """The versions that it names."""
        return frozenset(self.values.get("versions") or ())

    @property
    def unread(self) -> str:
        """What stands there, where it cannot be read, which has been told."""
        return str(self.values.get(UNREAD, ""))

    def about(self, own: str, version: str, other: Schema | None) -> bool:
        """Whether a version's own field is said to be another in a version, where `other` is the field of its name."""
        if self.named:
            return version in self.named and own not in self.named
        if other is None:
            return True
        moved = any(name in self.values for name in (*SOURCES, *ABSENT, "part", "join"))
        return not moved and all(one.values != self.values for one in declared(other))


def declared(schema: Schema) -> tuple[Declared, ...]:
    """The declarations of a field."""
    return tuple([Declared(*each) for each in (schema.facts or {}).get(CONVERSION, ())])


def declares(crd: Crd) -> bool:
    """Whether a kind says anything of its conversion."""
    return any(True for version in crd.versions if version.schema for _ in every(version.schema))


def every(schema: Schema) -> Iterator[Declared]:
    """All declarations below a schema, those of a shared node once."""
    seen: set[int] = set()
    stack = [schema]
    while stack:
        node = stack.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        yield from declared(node)
        below = [node.items, node.additional, *node.properties.values()]
        stack += [child for child in below if isinstance(child, Schema)]


def placed(root: Schema) -> Iterator[tuple[Path, Declared]]:
    """All declarations below a schema, with the paths of their fields."""
    stack: list[tuple[Path, Schema]] = [((), root)]
    while stack:
        path, schema = stack.pop()
        yield from ((path, one) for one in declared(schema))
        below = {ITEM: schema.items, VALUE: schema.additional, **schema.properties}
        stack += [((*path, step), child) for step, child in below.items() if isinstance(child, Schema)]
