"""Fields and enum values of a schema outside a release channel, each with the path to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.crd.crd import CrdVersion
from protoc_gen_crd.schema.schema import CHANNEL, CHANNEL_VALUES, Schema

FIELD, ITEM, VALUE = "", "[]", "{}"  # steps into an object, a list, a map

_OF_EVERY_OBJECT = ("apiVersion", "kind", "metadata")


class GuardStep(Record):
    """One step down: to the field of a name, to each item, or to each value. `schema` is the schema of the target."""

    kind: str
    name: str
    schema: Schema


class Guard(Record):
    """A field, or one of its enum values, outside the channel; `parent` is the schema with the field."""

    steps: tuple[GuardStep, ...]
    channel: str
    parent: Schema
    value: str = ""

    @property
    def path(self) -> str:
        """The path for messages: `spec.ports[].name`, `spec.labels{}`."""
        return "".join([f".{step.name}" if step.kind == FIELD else step.kind for step in self.steps])[1:]

    def find_use_in_default(self) -> Guard | None:
        """Find a part of the path whose default uses the guarded field or value."""
        for end, step in enumerate(self.steps, 1):
            if "default" in step.schema and _is_used(step.schema.get("default"), self.steps[end:], self.value):
                return self.replace(steps=self.steps[:end])
        return None

    @property
    def description(self) -> str:
        """A description of the guarded field or value."""
        return f'the value "{self.value}" of {self.path}' if self.value else self.path

    @property
    def schema(self) -> Schema:
        """The schema of the field."""
        return self.steps[-1].schema


def _is_used(plain: Any, steps: Sequence[GuardStep], value: str) -> bool:
    """Report whether data has something at the end of the steps, or the value."""
    if not steps:
        return not value or str(plain) == value
    step, rest = steps[0], steps[1:]
    if step.kind == FIELD:
        return isinstance(plain, dict) and step.name in plain and _is_used(plain[step.name], rest, value)
    items = plain if step.kind == ITEM else plain.values() if isinstance(plain, dict) else ()
    return isinstance(items, Iterable) and any(_is_used(item, rest, value) for item in items)


def find_guards(version: CrdVersion, beyond: Callable[[str], bool]) -> Iterator[Guard]:
    """Yield the guards of a version, sorted by name, parents first. Fields below a guarded field have no guards."""
    return _GuardFinder(beyond).find_guards(version.schema, ()) if version.schema else iter(())


class _GuardFinder:
    """A search for guards. Shared schemas are searched only once for the existence of guards."""

    def __init__(self, beyond: Callable[[str], bool]) -> None:
        self._beyond = beyond
        self._results: dict[int, bool] = {}

    def find_guards(self, schema: Schema, steps: tuple[GuardStep, ...]) -> Iterator[Guard]:
        """Yield the guards below a schema."""
        for step in _iterate_steps(schema):
            if (steps or step.name not in _OF_EVERY_OBJECT) and self._has_guards(step.schema):
                yield from self._find_guards_at(schema, (*steps, step))

    def _find_guards_at(self, parent: Schema, steps: tuple[GuardStep, ...]) -> Iterator[Guard]:
        schema = steps[-1].schema
        channel = next(filter(self._beyond, _list_channels(schema)), "")
        if channel:
            yield Guard(steps, channel, parent)
            return
        for value, of_value in sorted(_get_fact(schema, CHANNEL_VALUES, {}).items()):
            if self._beyond(of_value):
                yield Guard(steps, of_value, parent, value)
        yield from self.find_guards(schema, steps)

    def _has_guards(self, schema: Schema) -> bool:
        """Report whether a schema, itself included, contains anything to guard."""
        result = self._results.get(id(schema))
        if result is None:
            channels = [*_list_channels(schema), *_get_fact(schema, CHANNEL_VALUES, {}).values()]
            guarded = any(map(self._beyond, channels)) or any(
                self._has_guards(step.schema) for step in _iterate_steps(schema)
            )
            result = self._results[id(schema)] = guarded
        return result


def _iterate_steps(schema: Schema) -> Iterator[GuardStep]:
    for name, child in sorted(schema.properties.items()):
        yield GuardStep(FIELD, name, child)
    for kind, child_schema in ((ITEM, schema.items), (VALUE, schema.additional)):
        if isinstance(child_schema, Schema):
            yield GuardStep(kind, "", child_schema)


def _list_channels(schema: Schema) -> Iterator[str]:
    """Yield the channels of a field: its own, and those of the type of its items or values."""
    yield _get_fact(schema, CHANNEL, "")
    for child in (schema.items, schema.additional):
        if isinstance(child, Schema):
            yield from _list_channels(child)


def _get_fact(schema: Schema, name: str, default: Any) -> Any:
    return (schema.facts or {}).get(name, default)
