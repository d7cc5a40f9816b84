"""Checks for contradictory markers of one element."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from protoc_gen_crd.markers.keyword_values import has_type
from protoc_gen_crd.markers.marker import Marker
from protoc_gen_crd.markers.option_declarations import SCHEMA, MarkerOption
from protoc_gen_crd.schema.schema import EMBEDDED, LIST_MAP_KEYS, LIST_TYPE, PRESERVE, Schema

ContradictionReporter = Callable[[str, str, Marker, str], None]  # rule id, message, marker, hint

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
_OPEN = frozenset([PRESERVE, EMBEDDED, "additionalProperties"])  # keywords that allow unspecified fields
_OF_RESOURCES = frozenset(["metadata", "spec", "status"])  # fields of a resource, to which the builder may add others
_TOLERANCE = 1e-4  # of a float as large as _EXACT
_EXACT = 1e9


def check_repeats(markers: Iterable[Marker], report: ContradictionReporter) -> None:
    """Report keywords that are set twice to different values."""
    by_name: dict[str, Marker] = {}
    for marker in markers:
        if not marker.is_single:
            continue
        first = by_name.setdefault(marker.name, marker)
        if first is not marker and _list_value_keys(first) != _list_value_keys(marker):
            problem = f'"{marker.name}" is set twice, to {_format_short(first)} and {_format_short(marker)}'
            report(_RULE, problem, marker, _suggest_ranges(first, marker) or _describe_precedence(first, marker))


def check_schema(schema: Schema, markers: Sequence[Marker], report: ContradictionReporter) -> None:
    """Report markers of a schema that no value can satisfy together."""
    _check_bounds(schema, markers, report)
    if schema.type == "object":
        _check_fields(schema, markers, report)
    _check_exclusive(schema, markers, report)
    if LIST_TYPE in schema.keywords and "default" in schema.keywords:
        _check_default(schema, markers, report)
    if "enum" in schema.keywords:
        _check_null(schema, markers, report)
        _check_type(schema, markers, report)
        _check_listed_values(schema, markers, report)


def _check_bounds(schema: Schema, markers: Sequence[Marker], report: ContradictionReporter) -> None:
    keywords = schema.keywords
    several = "allOf" in keywords
    for low, high in BOUNDS:
        if not (several or (low.keyword in keywords and high.keyword in keywords)):
            continue  # the common case
        least, most = max(_list_limits(schema, low), default=None), min(_list_limits(schema, high), default=None)
        if least is not None and most is not None and least > most:
            problem = f'"{low.name}" ({least}) is greater than "{high.name}" ({most})'
            _report_last(problem, f'lower "{low.name}", or raise "{high.name}"', schema, markers, (low, high), report)


def _check_fields(schema: Schema, markers: Sequence[Marker], report: ContradictionReporter) -> None:
    """Report bounds of an object that contradict its required fields or its number of fields."""
    low, high = SCHEMA["min_properties"], SCHEMA["max_properties"]
    if low.keyword not in schema and high.keyword not in schema and "allOf" not in schema:
        return
    most, required = min(_list_limits(schema, high), default=None), _count_required(schema)
    if most is not None and required > most:
        problem = f'"{high.name}" ({most}) is less than the number of required fields ({required})'
        _report_last(problem, f'raise "{high.name}", or make fields optional', schema, markers, (high,), report)
    least, count = max(_list_limits(schema, low), default=0), len(schema.properties)
    if (
        least > count
        and "maxProperties" not in schema
        and not schema.keywords.keys() & _OPEN
        and not schema.properties.keys() & _OF_RESOURCES
    ):
        problem = f'"{low.name}" ({least}) is greater than the number of fields ({count})'
        _report_last(problem, f'lower "{low.name}"', schema, markers, (low,), report)


def _list_limits(schema: Schema, option: MarkerOption) -> list[Any]:
    """List the values of a limit in a schema and in its allOf branches."""
    nodes = [schema, *(schema.get("allOf") or ())]
    return [limit for node in nodes if (limit := node.get(option.keyword)) is not None]


def _count_required(schema: Schema) -> int:
    """Count the required fields of an object, including one field of each required oneof."""
    choices = [node.get("oneOf") for node in (schema, *(schema.get("allOf") or ()))]
    return len(schema.get("required") or ()) + sum(
        all("required" in branch for branch in choice) for choice in choices if choice
    )


def _report_last(
    problem: str,
    hint: str,
    schema: Schema,
    markers: Sequence[Marker],
    options: Sequence[MarkerOption],
    report: ContradictionReporter,
) -> None:
    """Report the problem at the last marker that sets one of these options or its keyword."""
    places = [(schema.marks or {}).get(option.keyword) for option in options]
    last = next((m for m in reversed(markers) if m.option in options or any(m.at is at for at in places)), None)
    if last is not None:
        report(_RULE, problem, last, hint)


def _check_exclusive(schema: Schema, markers: Sequence[Marker], report: ContradictionReporter) -> None:
    """Report exclusive bounds without a bound, and exclusive bounds that exclude every number."""
    for option, bound in _EXCLUSIVE:
        if not schema.keywords.get(option.keyword) or "allOf" in schema.keywords:
            continue
        marker = next((candidate for candidate in markers if candidate.option is option and candidate.value), None)
        if marker is None:
            continue
        if bound.keyword not in schema:
            problem = f'"{option.name}" has no effect without "{bound.name}"'
            hint = f'set "{bound.name}" to the excluded number, or remove "{option.name}"'
        elif schema.get("minimum") == schema.get("maximum"):
            problem = f'"{option.name}" excludes {schema.get("maximum")}, the only number between the bounds'
            hint = f'remove "{option.name}", or change a bound'
        else:
            continue
        report(_RULE, problem, marker, hint)


def _check_null(schema: Schema, markers: Sequence[Marker], report: ContradictionReporter) -> None:
    """Report a nullable enum. API servers reject null for an enum, even if null is one of its values."""
    last = next((m for m in reversed(markers) if m.option.keyword in ("enum", "nullable")), None)
    if last is not None and schema.get("nullable"):
        problem = '"nullable" has no effect beside an enum: API servers reject null'
        report(_RULE, problem, last, "remove it: API servers treat null as an unset field")


def _check_default(schema: Schema, markers: Sequence[Marker], report: ContradictionReporter) -> None:
    """Report a default that repeats an item. API servers accept it, and then reject each object without the field."""
    kind, keys = schema.get(LIST_TYPE), schema.get(LIST_MAP_KEYS) or ()
    last = next((m for m in reversed(markers) if m.option.keyword == "default"), None)
    if kind not in ("set", "map") or last is None:
        return
    items = [
        _format_json([entry.get(key) for key in keys] if kind == "map" and isinstance(entry, dict) else entry)
        for entry in schema.get("default")
    ]
    repeated = next((item for at, item in enumerate(items) if item in items[:at]), None)
    if repeated is not None:
        unit = "keys" if kind == "map" else "item"
        problem = f'"default" of a list of list_type {kind} repeats the {unit} {repeated}'
        report(_RULE, problem, last, "")


def _check_type(schema: Schema, markers: Sequence[Marker], report: ContradictionReporter) -> None:
    """Report a type that differs from the type of listed values."""
    typed = next((marker for marker in markers if marker.option.keyword == "type"), None)
    wrong = [value for value in schema.get("enum") if typed and not has_type(schema, value)]
    if typed and wrong:
        problem = f'"{typed.name}" is {schema.type}, but the listed value {_format_json(wrong[0])} is of another type'
        report(_RULE, problem, typed, "")


def _check_listed_values(schema: Schema, markers: Sequence[Marker], report: ContradictionReporter) -> None:
    """Report listed values that violate other markers and can never be set."""
    for name, find_violations in _BREAKS.items():
        option = SCHEMA[name]
        limit = schema.get(option.keyword)
        last = next((m for m in reversed(markers) if m.option.keyword in ("enum", option.keyword)), None)
        if limit is not None and last is not None:
            bad = next(find_violations(schema, limit), None)
            if bad is not None:
                bound = f"{_format_json(limit)} (exclusive)" if bad == limit else _format_json(limit)
                problem = f'listed value {_format_json(bad)} violates "{name}" {bound}'
                string = bad if isinstance(bad, str) else _format_json(bad)
                at = last.point_at_value(string) if last.option.keyword == "enum" else last
                report(_RULE, problem, at, f'remove the value, or change "{name}"')


def _list_strings(schema: Schema) -> Iterator[str]:
    return (value for value in schema.get("enum") if isinstance(value, str))


def _list_numbers(schema: Schema) -> Iterator[int | float]:
    return (value for value in schema.get("enum") if isinstance(value, (int, float)) and not isinstance(value, bool))


def _list_below(schema: Schema, limit: float) -> Iterator[Any]:
    excluded = schema.get("exclusiveMinimum")
    return (value for value in _list_numbers(schema) if value < limit or (excluded and value == limit))


def _list_above(schema: Schema, limit: float) -> Iterator[Any]:
    excluded = schema.get("exclusiveMaximum")
    return (value for value in _list_numbers(schema) if value > limit or (excluded and value == limit))


def _list_non_multiples(schema: Schema, step: float) -> Iterator[Any]:
    """List the values that are not multiples. API servers compute with floats and tolerate small errors."""
    for value in _list_numbers(schema) if step > 0 else ():
        share = value / step if step >= 1 else 1 / step * value
        if abs(share) < _EXACT and abs(share - round(share)) > _TOLERANCE:
            yield value


def _list_unmatched(schema: Schema, pattern: str) -> Iterator[Any]:
    from protoc_gen_crd.regex import matcher as match  # noqa: PLC0415 - loads RE2
    from protoc_gen_crd.regex.syntax_check import ResourceLimitError  # noqa: PLC0415

    with suppress(ValueError, ResourceLimitError):  # API servers report invalid patterns themselves
        matcher = match.compile(pattern)
        yield from (value for value in _list_strings(schema) if not matcher.search(value))


_BREAKS: Mapping[str, Callable[[Schema, Any], Iterator[Any]]] = {
    "min_length": lambda schema, limit: (value for value in _list_strings(schema) if len(value) < limit),
    "max_length": lambda schema, limit: (value for value in _list_strings(schema) if len(value) > limit),
    "minimum": _list_below,
    "maximum": _list_above,
    "multiple_of": _list_non_multiples,
    "pattern": _list_unmatched,
}


def _suggest_ranges(*markers: Marker) -> str:
    """Return a hint for two markers that contradict each other in some versions only."""
    ranges = [" and ".join(f'"{span.range}"' for span in marker.spans) or "all versions" for marker in markers]
    return f"they apply to {ranges[0]}, and to {ranges[1]}" if any(marker.spans for marker in markers) else ""


def _describe_precedence(first: Marker, second: Marker) -> str:
    """Return a hint for an option that takes precedence over a comment."""
    return f"{first.text} takes precedence" if first.is_native_option and second.excerpt else ""


def _list_value_keys(marker: Marker) -> list[str]:
    """Return the values as strings, whether or not they have been parsed as JSON."""
    values = marker.value if isinstance(marker.value, list) else [marker.value]
    return [value if isinstance(value, str) else _format_json(value) for value in values]


def _format_short(marker: Marker) -> str:
    return ", ".join(marker.value) if marker.unread and marker.option.repeated else _format_json(marker.value)


def _format_json(value: Any) -> str:
    from protoc_gen_crd.base import bounded_json  # noqa: PLC0415 - few runs need it

    return bounded_json.format_json(value)
