"""Checks of `since` ranges against recorded releases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.comparison.api_summary import ApiSummary, Facts, get_parent
from protoc_gen_crd.comparison.enum_value_changes import get_enum_values
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.kubernetes.version_ranges import parse_release
from protoc_gen_crd.schema.schema import SPANS, SPANS_OF_VALUES, Schema

_NEXT_RELEASE_HINT = 'use the next release: since "%s"'
_RECORDED_RELEASE_HINT = 'use since "%s"'

FieldHistory = Sequence[tuple[str, Mapping[str, Facts]]]


def check_ranges(
    history: Sequence[tuple[str, ApiSummary]], crds: Iterable[Crd], release: str, problems: Problems
) -> None:
    """Report `since` ranges of fields and enum values that contradict recorded releases; `release` is the next one."""
    wrong = (row for crd in crds for row in _check_kind(history, crd))
    for span, description, first in {(span.owner, str(span.range)): (span, *rest) for span, *rest in wrong}.values():
        hint = _RECORDED_RELEASE_HINT % first if first else _NEXT_RELEASE_HINT % release
        problem = f'"since" is not the release that introduced {description}'
        problems.report("history-since", problem, span.at, path=span.owner, hint=hint, excerpt=span.excerpt)


def _check_kind(history: Sequence[tuple[str, ApiSummary]], crd: Crd) -> Iterator[tuple[Any, str, str]]:
    for version in crd.versions:
        past = list(_iterate_releases(history, f"{crd.group}/{crd.names.kind}", version.name))
        for path, schema in _walk_fields(version.schema, "") if version.schema and past else ():
            yield from _find_false_ranges(past, path, schema)


def _iterate_releases(
    history: Sequence[tuple[str, ApiSummary]], kind: str, version: str
) -> Iterator[tuple[str, Mapping[str, Facts]]]:
    """Yield the releases that have a version of a kind, with its fields, oldest first."""
    for release, summary in history:
        if kind in summary and version in summary[kind].versions:
            yield release, summary[kind].versions[version].fields


def _walk_fields(schema: Schema, path: str) -> Iterator[tuple[str, Schema]]:
    children = [(f"{path}.{name}" if path else name, child) for name, child in schema.properties.items()]
    children += [(f"{path}[]", schema.items)] if isinstance(schema.items, Schema) else []
    children += [(f"{path}{{}}", schema.additional)] if isinstance(schema.additional, Schema) else []
    for child_path, child in children:
        yield child_path, child
        yield from _walk_fields(child, child_path)


def _find_false_ranges(past: FieldHistory, path: str, schema: Schema) -> Iterator[tuple[Any, str, str]]:
    """Yield the wrong ranges of a node, each with a description, and its first release if that is recorded."""
    facts = schema.facts or {}
    has = [
        path in fields if path in fields or get_parent(path) in fields or not get_parent(path) else None
        for _, fields in past
    ]
    for span in facts.get(SPANS) or ():
        yield from _check_range(span, f'"{path}"', past, has)
    for value, spans in (facts.get(SPANS_OF_VALUES) or {}).items():
        enums = [get_enum_values(fields.get(path, {})) for _, fields in past]
        has = [value in values if values else None for values in enums]
        for span in spans:
            yield from _check_range(span, f'"{value}" of "{path}"', past, has)


def _check_range(
    span: Any, element: str, past: FieldHistory, has: Sequence[bool | None]
) -> Iterator[tuple[Any, str, str]]:
    """Yield the range if its first release lacks the element, or the release before already has it.

    `has` is whether each release has the element, None if the release lacks its parent. Elements that were removed and
    added again are valid.
    """
    since = parse_release(span.range.since or "")
    numbers = [parse_release(name) or () for name, _ in past]
    start = next((index for index, number in enumerate(numbers) if since and number >= since), len(past))
    if not since:
        return
    if start < len(past) and has[start] is False:
        yield span, f"{element}: it is not in release {past[start][0]}", ""
    elif start and has[start - 1]:
        first = start - 1
        while first and has[first - 1]:
            first -= 1
        yield span, f"{element}: release {past[start - 1][0]} has it already", past[first][0]
