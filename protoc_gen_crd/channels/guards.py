"""What a schema holds that is outside a release channel: fields and enum values, each with the way to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.crd.types import Version
from protoc_gen_crd.schema.types import CHANNEL, CHANNEL_VALUES, Schema

FIELD, ITEM, VALUE = "", "[]", "{}"  # steps into an object, a list, a map

_OF_EVERY_OBJECT = ("apiVersion", "kind", "metadata")


class Step(Record):
    """One step down: to the field of a name, to each item, to each value. `schema` is what it leads to."""

    kind: str
    name: str
    schema: Schema


class Guard(Record):
    """One field, or one value of it, that is outside the channel; `parent` holds the field."""

    steps: tuple[Step, ...]
    channel: str
    parent: Schema
    value: str = ""

    @property
    def path(self) -> str:
        """The field as users write it: `spec.ports[].name`, `spec.labels{}`."""
        return "".join([f".{step.name}" if step.kind == FIELD else step.kind for step in self.steps])[1:]

    def in_default(self) -> Guard | None:
        """What is on the way, to the end, and has a default that uses what is guarded."""
        for end, step in enumerate(self.steps, 1):
            if "default" in step.schema and _uses(step.schema.get("default"), self.steps[end:], self.value):
                return self.replace(steps=self.steps[:end])
        return None

    @property
    def what(self) -> str:
        """What is outside, in words."""
        return f'the value "{self.value}" of {self.path}' if self.value else self.path

    @property
    def schema(self) -> Schema:
        """What the field is."""
        return self.steps[-1].schema


def _uses(plain: Any, steps: Sequence[Step], value: str) -> bool:
    """Whether plain data has something at the end of the steps, or the value."""
    if not steps:
        return not value or str(plain) == value
    step, below = steps[0], steps[1:]
    if step.kind == FIELD:
        return isinstance(plain, dict) and step.name in plain and _uses(plain[step.name], below, value)
    held = plain if step.kind == ITEM else plain.values() if isinstance(plain, dict) else ()
    return isinstance(held, Iterable) and any(_uses(each, below, value) for each in held)


def guards(version: Version, beyond: Callable[[str], bool]) -> Iterator[Guard]:
    """All of a version, parents first, by name; what is below a guarded field needs no guard of its own."""
    return _Walk(beyond).below(version.schema, ()) if version.schema else iter(())


class _Walk:
    """One walk. Schemas that are shared are looked through once for whether there is anything in them."""

    def __init__(self, beyond: Callable[[str], bool]) -> None:
        self._beyond = beyond
        self._known: dict[int, bool] = {}

    def below(self, schema: Schema, steps: tuple[Step, ...]) -> Iterator[Guard]:
        """The guards of all that a schema holds."""
        for step in _steps(schema):
            if (steps or step.name not in _OF_EVERY_OBJECT) and self._holds(step.schema):
                yield from self._at(schema, (*steps, step))

    def _at(self, parent: Schema, steps: tuple[Step, ...]) -> Iterator[Guard]:
        schema = steps[-1].schema
        channel = next(filter(self._beyond, _channels(schema)), "")
        if channel:
            yield Guard(steps, channel, parent)
            return
        for value, of_value in sorted(_fact(schema, CHANNEL_VALUES, {}).items()):
            if self._beyond(of_value):
                yield Guard(steps, of_value, parent, value)
        yield from self.below(schema, steps)

    def _holds(self, schema: Schema) -> bool:
        """Whether there is anything to guard in a schema, itself included."""
        known = self._known.get(id(schema))
        if known is None:
            own = [*_channels(schema), *_fact(schema, CHANNEL_VALUES, {}).values()]
            found = any(map(self._beyond, own)) or any(self._holds(step.schema) for step in _steps(schema))
            known = self._known[id(schema)] = found
        return known


def _steps(schema: Schema) -> Iterator[Step]:
    for name, child in sorted(schema.properties.items()):
        yield Step(FIELD, name, child)
    for kind, each in ((ITEM, schema.items), (VALUE, schema.additional)):
        if isinstance(each, Schema):
            yield Step(kind, "", each)


def _channels(schema: Schema) -> Iterator[str]:
    """The channels of a field: its own, and those of what a list or map of it holds, which its type has."""
    yield _fact(schema, CHANNEL, "")
    for each in (schema.items, schema.additional):
        if isinstance(each, Schema):
            yield from _channels(each)


def _fact(schema: Schema, name: str, otherwise: Any) -> Any:
    return (schema.facts or {}).get(name, otherwise)
