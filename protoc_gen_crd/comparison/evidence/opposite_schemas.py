"""Schemas with the values that a constraint rejects."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, product
from typing import Any

from protoc_gen_crd.schema.schema import LOGICAL_KEYWORDS, Schema

_MAX_SCHEMAS = 16  # of a node
_MAX_LENGTH = 1_200_000  # that strings exceed
_OUT_OF_RANGE = {"float": (1e39, -1e39)}  # numbers beyond a format


def list_opposites(schema: Schema, keyword: str) -> Iterator[Schema]:
    """Yield schemas of values that a schema rejects because of a keyword; logical keywords count as one."""
    names = LOGICAL_KEYWORDS if keyword in LOGICAL_KEYWORDS else (keyword,)
    constraint = Schema({name: schema.keywords[name] for name in names if name in schema})
    return islice(_list_opposites(constraint), _MAX_SCHEMAS)


def _list_opposites(schema: Schema) -> Iterator[Schema]:
    for keyword, value in schema.keywords.items():
        if keyword in _OPPOSITES:
            yield from _OPPOSITES[keyword](value)


def _oppose_all(branches: Sequence[Schema]) -> Iterator[Schema]:
    """Yield schemas of values that a branch rejects."""
    for branch in branches:
        yield from _list_opposites(branch)


def _oppose_any(branches: Sequence[Schema]) -> Iterator[Schema]:
    """Yield schemas of values that all branches reject."""
    opposites = ([*islice(_list_opposites(branch), _MAX_SCHEMAS)] for branch in branches)
    return (Schema({"allOf": list(parts)}) for parts in product(*opposites))


_OPPOSITES: Mapping[str, Callable[[Any], Iterator[Schema]]] = {
    "not": lambda excluded: iter([excluded]),
    "allOf": _oppose_all,
    "anyOf": _oppose_any,
    "format": lambda form: iter([Schema({"enum": _OUT_OF_RANGE[form]})] if form in _OUT_OF_RANGE else []),
    "maxLength": lambda limit: iter([Schema({"minLength": limit + 1})] if limit < _MAX_LENGTH else []),
    "pattern": lambda pattern: iter([Schema({"not": Schema({"pattern": pattern})})]),
}
