"""Check for values that the list of a marker repeats without effect.

Two spellings of one marker are not reported, since two tools may read the same file. API servers and controller-gen
accept repetitions, except of selectable fields and list keys. These are written once to the CRD.

Source: k8s.io/apiextensions-apiserver v0.37.2 pkg/apis/apiextensions/validation, sigs.k8s.io/controller-tools v0.23.0.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.findings.finding import Excerpt, Place, Problems
from protoc_gen_crd.markers.marker import Marker, MessageMembers
from protoc_gen_crd.proto.source_locations import ElementPlace

_RULE = "marker-redundant"
_TWICE = 2

Identity = Callable[[Any], object]


def _get_comparison_key(value: Any) -> object:
    """Return a key that is equal for equal JSON values: 1 equals 1.0, but not true."""
    if isinstance(value, dict):
        return frozenset([(key, _get_comparison_key(inner)) for key, inner in value.items()])
    if isinstance(value, list):
        return tuple(map(_get_comparison_key, value))
    return isinstance(value, bool), value


def _get_fields_key(value: Mapping[str, Any]) -> object:
    return frozenset(value.get("fields", ()))


# Lists whose values are compared by a special key; None if repetitions are reported elsewhere.
_IDENTITIES: Mapping[str, Identity | None] = {
    "at_least_one_of": _get_fields_key,
    "at_most_one_of": _get_fields_key,
    "columns": None,  # by name, in each version: crd/column_path_checks.py
    "conversion": None,  # each value is for other versions
    "deprecated_versions": None,  # a contradiction: declared_resources.py
    "during": None,  # checked for each range
    "exactly_one_of": _get_fields_key,
}


def _get_meaning(marker_text: str, markers: Iterable[Marker | MessageMembers]) -> object:
    """Return a key that is equal for equivalent lines of one tool, regardless of quotes and the order of arguments."""
    return marker_text.partition(":")[0], tuple(
        [(type(marker), *_get_parts(marker), marker.within) for marker in markers]
    )


class LineMeanings:
    """The meanings of the lines of an element. They are computed only for lines that set the same options."""

    def __init__(self) -> None:
        self._lines: dict[object, tuple[str, Sequence[Marker | MessageMembers]] | set[object]] = {}

    def add(self, marker_text: str, markers: Sequence[Marker | MessageMembers]) -> bool:
        """Add a line, and return whether an equivalent line of one tool was added before."""
        options = tuple(map(_get_options, markers))
        entry = self._lines.get(options)
        if entry is None:
            self._lines[options] = marker_text, markers
            return False
        if isinstance(entry, tuple):
            entry = self._lines[options] = {_get_meaning(*entry)}
        count = len(entry)
        entry.add(_get_meaning(marker_text, markers))
        return len(entry) == count


def _get_options(marker: Marker | MessageMembers) -> object:
    if isinstance(marker, Marker):
        return marker.option.name, marker.steps
    return marker.message, marker.kind, frozenset(marker.values)


def _get_parts(marker: Marker | MessageMembers) -> tuple[object, ...]:
    if isinstance(marker, Marker):
        return marker.name, _get_comparison_key(marker.value)
    return marker.message, marker.kind, _get_comparison_key(marker.values)


def check_markers(markers: Iterable[Marker], problems: Problems) -> None:
    """Report values that the list of an option repeats. The markers have not been merged yet."""
    groups: dict[object, list[Marker]] = {}
    for marker in markers:
        if marker.option.repeated:
            option_key = marker.option.name, marker.steps, marker.within, marker.text
            groups.setdefault(id(marker) if marker.is_comment_line else option_key, []).append(marker)
    for group in groups.values():
        if len(group) == 1 and len(group[0].value) == 1:
            continue  # the common case
        places = [(marker, index) for marker in group for index in range(len(marker.value))]
        values = [marker.value[index] for marker, index in places]
        for at in _find_repeated(group[0].option.name, values):
            marker, index = places[at]
            _report(marker.name, values[at], _get_place(marker, index), marker.owner, marker.excerpt, problems)


def check_members(markers: Iterable[MessageMembers], owner: str, problems: Problems) -> None:
    """Report values that a list of a message such as Resource repeats."""
    for marker in markers:
        for name, values in marker.values.items():
            for at in _find_repeated(name, values) if isinstance(values, list) else ():
                _report(name, values[at], marker.get_place(name, at), owner, marker.excerpt, problems)


def _find_repeated(name: str, values: Sequence[Any]) -> Iterator[int]:
    """Yield the index of the first repetition of each value."""
    identity = _IDENTITIES.get(name, _get_comparison_key)
    if identity is None or len(values) == 1:
        return
    counts: dict[object, int] = {}
    for at, value in enumerate(values):
        key = identity(value)
        counts[key] = counts.get(key, 0) + 1
        if counts[key] == _TWICE:
            yield at


def _get_place(marker: Marker, index: int) -> Place:
    """Return the place of a value: each value of an option has its own statement."""
    if isinstance(marker.at, ElementPlace) and len(marker.value) > 1:
        return ElementPlace(marker.at.source, (*marker.at.path[:-1], index))
    return marker.at


def _report(name: str, value: Any, at: Place, owner: str, excerpt: Excerpt | None, problems: Problems) -> None:
    from protoc_gen_crd.base import bounded_json  # noqa: PLC0415 - repetitions are rare

    problem = f'"{name}" contains {bounded_json.format_json(value)} twice'
    problems.report(_RULE, problem, at, path=owner, excerpt=excerpt)
