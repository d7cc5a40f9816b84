"""Values that stand twice in a list of one marker. Nothing comes of the second time.

Two spellings of one thing are no slip: a file may be read by two tools. Servers and controller-gen take what is told of
here; selectable fields and keys of lists, which servers refuse to see twice, are written once.

Source: k8s.io/apiextensions-apiserver v0.37.2 pkg/apis/apiextensions/validation, sigs.k8s.io/controller-tools v0.23.0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.diagnostics import Excerpt, Place, Problems
from protoc_gen_crd.markers.marker import Marker, Members
from protoc_gen_crd.proto.locations import ElementPlace

_RULE = "marker-redundant"
_TWICE = 2

Identity = Callable[[Any], object]


def _same(value: Any) -> object:
    """What is equal for values that are the same JSON: 1 and 1.0 are, 1 and true are not."""
    if isinstance(value, dict):
        return frozenset([(key, _same(inner)) for key, inner in value.items()])
    if isinstance(value, list):
        return tuple(map(_same, value))
    return isinstance(value, bool), value


def _fields(value: Mapping[str, Any]) -> object:
    return frozenset(value.get("fields", ()))


# Lists whose values are the same by something else; by nothing where repetitions are judged elsewhere.
_IDENTITIES: Mapping[str, Identity | None] = {
    "at_least_one_of": _fields,
    "at_most_one_of": _fields,
    "columns": None,  # by name, in each version: build/columns.py
    "conversion": None,  # of other versions each
    "deprecated_versions": None,  # a contradiction: resource.py
    "during": None,  # what holds in a range is judged by itself
    "exactly_one_of": _fields,
}


def said(text: str, found: Iterable[Marker | Members]) -> object:
    """What is equal for lines of one tool that say the same, in whatever order of arguments and quotes."""
    return text.partition(":")[0], tuple([(type(one), *_parts(one), one.within) for one in found])


def _parts(one: Marker | Members) -> tuple[object, ...]:
    if isinstance(one, Marker):
        return one.name, _same(one.value)
    return one.message, one.kind, _same(one.values)


def check_markers(markers: Iterable[Marker], problems: Problems) -> None:
    """Report values that stand twice in the list of one option; markers that are not gathered yet."""
    groups: dict[object, list[Marker]] = {}
    for marker in markers:
        if marker.option.repeated:
            own = marker.option.name, marker.steps, marker.within, marker.text
            groups.setdefault(id(marker) if marker.text.startswith("+") else own, []).append(marker)
    for group in groups.values():
        places = [(marker, index) for marker in group for index in range(len(marker.value))]
        values = [marker.value[index] for marker, index in places]
        for at in _again(group[0].option.name, values):
            marker, index = places[at]
            _report(marker.name, values[at], _place(marker, index), marker.owner, marker.excerpt, problems)


def check_members(members: Iterable[Members], owner: str, problems: Problems) -> None:
    """Report values that stand twice in a list of a resource."""
    for one in members:
        for name, values in one.values.items():
            for at in _again(name, values) if isinstance(values, list) else ():
                _report(name, values[at], one.place(name, at), owner, one.excerpt, problems)


def _again(name: str, values: Sequence[Any]) -> Iterator[int]:
    """Where the values stand that are the same as one before, each value once."""
    identity = _IDENTITIES.get(name, _same)
    if identity is None or len(values) == 1:
        return
    seen: dict[object, int] = {}
    for at, value in enumerate(values):
        key = identity(value)
        seen[key] = seen.get(key, 0) + 1
        if seen[key] == _TWICE:
            yield at


def _place(marker: Marker, index: int) -> Place:
    """Where a value stands: each of an option has a statement of its own."""
    if isinstance(marker.at, ElementPlace) and len(marker.value) > 1:
        return ElementPlace(marker.at.source, (*marker.at.path[:-1], index))
    return marker.at


def _report(name: str, value: Any, at: Place, owner: str, excerpt: Excerpt | None, problems: Problems) -> None:
    from protoc_gen_crd.base import jsontext  # noqa: PLC0415 - few say something twice

    problem = f'"{name}" should hold a value once, found {jsontext.shown(value)} twice'
    problems.report(_RULE, problem, at, path=owner, excerpt=excerpt)
