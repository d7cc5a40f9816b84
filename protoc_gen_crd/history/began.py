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

_HINT = 'it comes with the next release: since "%s"'


def check_ranges(history: Sequence[tuple[str, Summary]], crds: Iterable[Crd], release: str, problems: Problems) -> None:
    """Report ranges of fields and of values of enums that recorded releases belie, each once; `release` comes next."""
    hint = _HINT % release
    found = (each for crd in crds for each in _of_kind(history, crd))
    for span, what, past in {(span.owner, str(span.range)): (span, *rest) for span, *rest in found}.values():
        problem = f"a range must begin with a release that has what it is of, found {what} not in {past}"
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


def _false(
    past: Sequence[tuple[str, Mapping[str, Facts]]], path: str, schema: Schema
) -> Iterator[tuple[Any, str, str]]:
    """The ranges of a node that are false, with what is not in which release."""
    facts = schema.facts or {}
    for span in facts.get(SPANS) or ():
        for release, fields in _since(span, past):
            if path not in fields and (parent(path) in fields or not parent(path)):
                yield span, f'"{path}"', release
    for value, spans in (facts.get(SPANS_OF_VALUES) or {}).items():
        for span in spans:
            for release, fields in _since(span, past):
                known = values_of(fields.get(path, {}))
                if known and value not in known:
                    yield span, f'"{value}" of "{path}"', release


def _since(span: Any, past: Sequence[tuple[str, Mapping[str, Facts]]]) -> Sequence[tuple[str, Mapping[str, Facts]]]:
    """The first release that a range holds and that is recorded."""
    first = parse_release(span.range.since or "") or ()
    return [each for each in past if first and (parse_release(each[0]) or ()) >= first][:1]
