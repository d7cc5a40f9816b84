"""Markers of one element that cannot all hold. What they make of a schema is known, what its type is made of is not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from protoc_gen_crd.markers.declared import SCHEMA, Option
from protoc_gen_crd.markers.marker import Marker
from protoc_gen_crd.markers.values import has_type
from protoc_gen_crd.schema.types import EMBEDDED, LIST_MAP_KEYS, LIST_TYPE, PRESERVE, Schema

Report = Callable[[str, str, Marker, str], None]  # rule id, message, marker, hint

BOUNDS = (
    (SCHEMA["minimum"], SCHEMA["maximum"]),
    (SCHEMA["min_length"], SCHEMA["max_length"]),
    (SCHEMA["min_items"], SCHEMA["max_items"]),
    (SCHEMA["min_properties"], SCHEMA["max_properties"]),
)
_EXCLUSIVE = (
    (SCHEMA["exclusive_minimum"], SCHEMA["minimum"]),
    (SCHEMA["exclusive_maximum"], SCHEMA["maximum"]),
)
_RULE = "marker-contradiction"
_OPEN = frozenset([PRESERVE, EMBEDDED, "additionalProperties"])  # what lets an object have fields that it does not name
_OF_RESOURCES = frozenset(["metadata", "spec", "status"])  # fields of what may have more that the builder adds
_TOLERANCE = 1e-4  # of a float as large as _EXACT
_EXACT = 1e9


def check_repeats(markers: Iterable[Marker], report: Report) -> None:
    """A keyword that is set twice to different values says two things at once."""
    seen: dict[str, Marker] = {}
    for marker in markers:
        if marker.option.repeated and marker.option.keyword != "enum":
            continue
        first = seen.setdefault(marker.name, marker)
        if first is not marker and _said(first) != _said(marker):
            problem = f'"{marker.name}" must be set once, found {_short(first)} and {_short(marker)}'
            report(_RULE, problem, marker, _overlap(first, marker))


def check_schema(schema: Schema, markers: Sequence[Marker], report: Report) -> None:
    """What the markers of a schema, as they have made it, leave no value for."""
    _check_bounds(schema, markers, report)
    if schema.type == "object":
        _check_fields(schema, markers, report)
    _check_exclusive(schema, markers, report)
    if LIST_TYPE in schema and "default" in schema:
        _check_default(schema, markers, report)
    if "enum" in schema:
        _check_null(schema, markers, report)
        _check_type(schema, markers, report)
        _check_listed(schema, markers, report)


def _check_bounds(schema: Schema, markers: Sequence[Marker], report: Report) -> None:
    keywords = schema.keywords
    several = "allOf" in keywords
    for low, high in BOUNDS:
        if not (several or (low.keyword in keywords and high.keyword in keywords)):
            continue  # as nearly all
        least, most = max(_limits(schema, low), default=None), min(_limits(schema, high), default=None)
        if least is not None and most is not None and least > most:
            problem = f'"{low.name}" must not be above "{high.name}", found {least} and {most}'
            _report_last(problem, schema, markers, (low, high), report)


def _check_fields(schema: Schema, markers: Sequence[Marker], report: Report) -> None:
    """Bounds of an object must leave room for the fields that it must have, and for no more than it can have."""
    low, high = SCHEMA["min_properties"], SCHEMA["max_properties"]
    if low.keyword not in schema and high.keyword not in schema and "allOf" not in schema:
        return
    most, needed = min(_limits(schema, high), default=None), _needed(schema)
    if most is not None and needed > most:
        problem = f'"{high.name}" must leave room for the fields that are required, found {most} and {needed} of them'
        _report_last(problem, schema, markers, (high,), report)
    least, held = max(_limits(schema, low), default=0), len(schema.properties)
    if (
        least > held
        and "maxProperties" not in schema
        and not schema.keywords.keys() & _OPEN
        and not schema.properties.keys() & _OF_RESOURCES
    ):
        problem = f'"{low.name}" must not be above the number of fields, found {least} and {held}'
        _report_last(problem, schema, markers, (low,), report)


def _limits(schema: Schema, option: Option) -> list[Any]:
    """The values of a limit: of a schema, and of the branches that hold those of its type and of the field."""
    nodes = [schema, *(schema.get("allOf") or ())]
    return [limit for node in nodes if (limit := node.get(option.keyword)) is not None]


def _needed(schema: Schema) -> int:
    """How many fields an object must have, one of each oneof that is required among them."""
    choices = [node.get("oneOf") for node in (schema, *(schema.get("allOf") or ()))]
    return len(schema.get("required") or ()) + sum(
        all("required" in branch for branch in choice) for choice in choices if choice
    )


def _report_last(
    problem: str, schema: Schema, markers: Sequence[Marker], options: Sequence[Option], report: Report
) -> None:
    """Report at the last marker that says one of these, or that sets the keyword of one."""
    places = [(schema.marks or {}).get(option.keyword) for option in options]
    last = next((m for m in reversed(markers) if m.option in options or any(m.at is at for at in places)), None)
    if last is not None:
        report(_RULE, problem, last, "")


def _check_exclusive(schema: Schema, markers: Sequence[Marker], report: Report) -> None:
    """A bound that is left out must be there, and leave a number where the other one is the same."""
    for option, bound in _EXCLUSIVE:
        if not schema.get(option.keyword) or "allOf" in schema:
            continue
        marker = next((one for one in markers if one.option is option and one.value), None)
        if marker is None:
            continue
        if bound.keyword not in schema:
            problem = f'"{option.name}" must stand beside "{bound.name}", found none'
        elif schema.get("minimum") == schema.get("maximum"):
            problem = f'"{option.name}" must leave a number, found none but {schema.get("maximum")}'
        else:
            continue
        report(_RULE, problem, marker, "")


def _check_null(schema: Schema, markers: Sequence[Marker], report: Report) -> None:
    """Servers refuse null where values are listed, even if it is one of them."""
    last = next((m for m in reversed(markers) if m.option.keyword in ("enum", "nullable")), None)
    if last is not None and schema.get("nullable"):
        problem = 'a value that is "nullable" must not be one of a list, found one: servers refuse null then'
        report(_RULE, problem, last, "leave it out: servers take null for a field that is not set")


def _check_default(schema: Schema, markers: Sequence[Marker], report: Report) -> None:
    """Servers take a default that holds an item twice, and then refuse each object without the field."""
    kind, keys = schema.get(LIST_TYPE), schema.get(LIST_MAP_KEYS) or ()
    last = next((m for m in reversed(markers) if m.option.keyword == "default"), None)
    if kind not in ("set", "map") or last is None:
        return
    found = [
        _json([item.get(key) for key in keys] if kind == "map" and isinstance(item, dict) else item)
        for item in schema.get("default")
    ]
    twice = next((one for at, one in enumerate(found) if one in found[:at]), None)
    if twice is not None:
        what = "keys" if kind == "map" else "items"
        problem = f'{what} of a "default" must differ in a list of list_type {kind}, found {twice} twice'
        report(_RULE, problem, last, "")


def _check_type(schema: Schema, markers: Sequence[Marker], report: Report) -> None:
    """A type that none of the values listed has leaves nothing to be set."""
    typed = next((marker for marker in markers if marker.option.keyword == "type"), None)
    wrong = [value for value in schema.get("enum") if typed and not has_type(schema, value)]
    if typed and wrong:
        problem = f'"{typed.name}" must be the type of the values listed, found {schema.type} and {_json(wrong[0])}'
        report(_RULE, problem, typed, "")


def _check_listed(schema: Schema, markers: Sequence[Marker], report: Report) -> None:
    """A value that is listed must keep what else is said: it could never be set."""
    for name, breaks in _BREAKS.items():
        option = SCHEMA[name]
        limit = schema.get(option.keyword)
        last = next((m for m in reversed(markers) if m.option.keyword in ("enum", option.keyword)), None)
        if limit is not None and last is not None:
            bad = next(breaks(schema, limit), None)
            if bad is not None:
                bound = f"{_json(limit)}, which is left out" if bad == limit else _json(limit)
                problem = f'values listed must keep "{name}", found {_json(bad)} and {bound}'
                text = bad if isinstance(bad, str) else _json(bad)
                report(_RULE, problem, last.pointed(text) if last.option.keyword == "enum" else last, "")


def _texts(schema: Schema) -> Iterator[str]:
    return (value for value in schema.get("enum") if isinstance(value, str))


def _numbers(schema: Schema) -> Iterator[int | float]:
    return (value for value in schema.get("enum") if isinstance(value, (int, float)) and not isinstance(value, bool))


def _below(schema: Schema, limit: float) -> Iterator[Any]:
    excluded = schema.get("exclusiveMinimum")
    return (value for value in _numbers(schema) if value < limit or (excluded and value == limit))


def _above(schema: Schema, limit: float) -> Iterator[Any]:
    excluded = schema.get("exclusiveMaximum")
    return (value for value in _numbers(schema) if value > limit or (excluded and value == limit))


def _uneven(schema: Schema, step: float) -> Iterator[Any]:
    """What is no multiple by far: servers reckon with floats, and forgive a little."""
    for value in _numbers(schema) if step > 0 else ():
        share = value / step if step >= 1 else 1 / step * value
        if abs(share) < _EXACT and abs(share - round(share)) > _TOLERANCE:
            yield value


def _other(schema: Schema, pattern: str) -> Iterator[Any]:
    from protoc_gen_crd.regex import match  # noqa: PLC0415 - loads RE2
    from protoc_gen_crd.regex.syntax import UnjudgedError  # noqa: PLC0415

    with suppress(ValueError, UnjudgedError):  # what servers cannot read they say themselves
        matcher = match.compile(pattern)
        yield from (value for value in _texts(schema) if not matcher.search(value))


_BREAKS: Mapping[str, Callable[[Schema, Any], Iterator[Any]]] = {
    "min_length": lambda schema, limit: (value for value in _texts(schema) if len(value) < limit),
    "max_length": lambda schema, limit: (value for value in _texts(schema) if len(value) > limit),
    "minimum": _below,
    "maximum": _above,
    "multiple_of": _uneven,
    "pattern": _other,
}


def _overlap(*markers: Marker) -> str:
    """A hint for two markers that stand against each other in some versions."""
    ranges = [" and ".join(f'"{span.range}"' for span in marker.spans) or "all versions" for marker in markers]
    return f"they hold in {ranges[0]}, and in {ranges[1]}" if any(marker.spans for marker in markers) else ""


def _said(marker: Marker) -> list[str]:
    """The value as text, the same whether it has been read from JSON or not."""
    values = marker.value if isinstance(marker.value, list) else [marker.value]
    return [value if isinstance(value, str) else _json(value) for value in values]


def _short(marker: Marker) -> str:
    return ", ".join(marker.value) if marker.unread and marker.option.repeated else _json(marker.value)


def _json(value: Any) -> str:
    from protoc_gen_crd.base import jsontext  # noqa: PLC0415 - few runs need it

    return jsontext.shown(value)
