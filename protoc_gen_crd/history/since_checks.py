"""Checks of `since` ranges against recorded releases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.history.api_summary import ApiSummary, Facts, get_parent
from protoc_gen_crd.history.enum_values import get_enum_values
from protoc_gen_crd.kubernetes.versions import parse_release
from protoc_gen_crd.schema.schema import SPANS, SPANS_OF_VALUES, Schema

_NEXT_RELEASE_HINT = 'use the next release: since "%s"'
_RECORDED_RELEASE_HINT = 'use since "%s"'

FieldHistory = Sequence[tuple[str, Mapping[str, Facts]]]


def check_ranges(
    history: Sequence[tuple[str, ApiSummary]], crds: Iterable[Crd], release: str, problems: Problems
) -> None:
    """Report ranges of fields and of values of enums that recorded releases belie, each once; `release` comes next."""
    found = (each for crd in crds for each in _check_kind(history, crd))
    for span, what, first in {(span.owner, str(span.range)): (span, *rest) for span, *rest in found}.values():
        hint = _RECORDED_RELEASE_HINT % first if first else _NEXT_RELEASE_HINT % release
        problem = f'"since" is not the release that introduced {what}'
        problems.report("history-since", problem, span.at, path=span.owner, hint=hint, excerpt=span.excerpt)


def _check_kind(history: Sequence[tuple[str, ApiSummary]], crd: Crd) -> Iterator[tuple[Any, str, str]]:
    for version in crd.versions:
        past = list(_iterate_releases(history, f"{crd.group}/{crd.names.kind}", version.name))
        for path, schema in _walk_fields(version.schema, "") if version.schema and past else ():
            yield from _find_false_ranges(past, path, schema)


def _iterate_releases(
    history: Sequence[tuple[str, ApiSummary]], kind: str, version: str
) -> Iterator[tuple[str, Mapping[str, Facts]]]:
    """The releases that have a version of a kind, with its fields, oldest first."""
    for release, summary in history:
        if kind in summary and version in summary[kind].versions:
            yield release, summary[kind].versions[version].fields


def _walk_fields(schema: Schema, path: str) -> Iterator[tuple[str, Schema]]:
    below = [(f"{path}.{name}" if path else name, child) for name, child in schema.properties.items()]
    below += [(f"{path}[]", schema.items)] if isinstance(schema.items, Schema) else []
    below += [(f"{path}{{}}", schema.additional)] if isinstance(schema.additional, Schema) else []
    for where, child in below:
        yield where, child
        yield from _walk_fields(child, where)


def _find_false_ranges(past: FieldHistory, path: str, schema: Schema) -> Iterator[tuple[Any, str, str]]:
    """The ranges of a node that are false, with what is not in which release, or is, and since when it is."""
    facts = schema.facts or {}
    has = [
        path in fields if path in fields or get_parent(path) in fields or not get_parent(path) else None
        for _, fields in past
    ]
    for span in facts.get(SPANS) or ():
        yield from _check_range(span, f'"{path}"', past, has)
    for value, spans in (facts.get(SPANS_OF_VALUES) or {}).items():
        known = [get_enum_values(fields.get(path, {})) for _, fields in past]
        has = [value in each if each else None for each in known]
        for span in spans:
            yield from _check_range(span, f'"{value}" of "{path}"', past, has)


def _check_range(
    span: Any, what: str, past: FieldHistory, has: Sequence[bool | None]
) -> Iterator[tuple[Any, str, str]]:
    """The range itself, if the release that it begins with lacks what it is of, or the one before has it.

    `has` says it of each release, None where it has nothing that could. What was gone and came back is right.
    """
    since = parse_release(span.range.since or "")
    numbers = [parse_release(name) or () for name, _ in past]
    begin = next((index for index, number in enumerate(numbers) if since and number >= since), len(past))
    if not since:
        return
    if begin < len(past) and has[begin] is False:
        yield span, f"{what}: it is not in release {past[begin][0]}", ""
    elif begin and has[begin - 1]:
        first = begin - 1
        while first and has[first - 1]:
            first -= 1
        yield span, f"{what}: release {past[begin - 1][0]} has it already", past[first][0]
