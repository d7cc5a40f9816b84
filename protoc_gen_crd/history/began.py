"""Ranges that begin with a release which is recorded already, and did not have what they are of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.base.versions import parse_release
from protoc_gen_crd.crd.types import Crd
from protoc_gen_crd.history.enums import values_of
from protoc_gen_crd.history.summary import Facts, Summary, parent
from protoc_gen_crd.schema.types import SPANS, SPANS_OF_VALUES, Schema

_NEW = 'it comes with the next release: since "%s"'
_OLD = 'it is there since "%s"'

Past = Sequence[tuple[str, Mapping[str, Facts]]]


def check_ranges(history: Sequence[tuple[str, Summary]], crds: Iterable[Crd], release: str, problems: Problems) -> None:
    """Report ranges of fields and of values of enums that recorded releases belie, each once; `release` comes next."""
    found = (each for crd in crds for each in _of_kind(history, crd))
    for span, what, first in {(span.owner, str(span.range)): (span, *rest) for span, *rest in found}.values():
        hint = _OLD % first if first else _NEW % release
        problem = f"a range must begin with the first release that has what it is of, found {what}"
        problems.report("history-since", problem, span.at, path=span.owner, hint=hint, excerpt=span.excerpt)


def _of_kind(history: Sequence[tuple[str, Summary]], crd: Crd) -> Iterator[tuple[Any, str, str]]:
    for version in crd.versions:
        past = list(_past(history, f"{crd.group}/{crd.names.kind}", version.name))
        for path, schema in _walk(version.schema, "") if version.schema and past else ():
            yield from _false(past, path, schema)


def _past(history: Sequence[tuple[str, Summary]], kind: str, version: str) -> Iterator[tuple[str, Mapping[str, Facts]]]:
    """The releases that have a version of a kind, with its fields, oldest first."""
    for release, summary in history:
        if kind in summary and version in summary[kind].versions:
            yield release, summary[kind].versions[version].fields


def _walk(schema: Schema, path: str) -> Iterator[tuple[str, Schema]]:
    below = [(f"{path}.{name}" if path else name, child) for name, child in schema.properties.items()]
    below += [(f"{path}[]", schema.items)] if isinstance(schema.items, Schema) else []
    below += [(f"{path}{{}}", schema.additional)] if isinstance(schema.additional, Schema) else []
    for where, child in below:
        yield where, child
        yield from _walk(child, where)


def _false(past: Past, path: str, schema: Schema) -> Iterator[tuple[Any, str, str]]:
    """The ranges of a node that are false, with what is not in which release, or is, and since when it is."""
    facts = schema.facts or {}
    has = [
        path in fields if path in fields or parent(path) in fields or not parent(path) else None for _, fields in past
    ]
    for span in facts.get(SPANS) or ():
        yield from _belied(span, f'"{path}"', past, has)
    for value, spans in (facts.get(SPANS_OF_VALUES) or {}).items():
        known = [values_of(fields.get(path, {})) for _, fields in past]
        has = [value in each if each else None for each in known]
        for span in spans:
            yield from _belied(span, f'"{value}" of "{path}"', past, has)


def _belied(span: Any, what: str, past: Past, has: Sequence[bool | None]) -> Iterator[tuple[Any, str, str]]:
    """The range itself, if the release that it begins with lacks what it is of, or the one before has it.

    `has` says it of each release, None where it has nothing that could. What was gone and came back is right.
    """
    since = parse_release(span.range.since or "")
    numbers = [parse_release(name) or () for name, _ in past]
    begin = next((index for index, number in enumerate(numbers) if since and number >= since), len(past))
    if not since:
        return
    if begin < len(past) and has[begin] is False:
        yield span, f"{what} not in {past[begin][0]}", ""
    elif begin and has[begin - 1]:
        first = begin - 1
        while first and has[first - 1]:
            first -= 1
        yield span, f"{what} in {past[begin - 1][0]}", past[first][0]
