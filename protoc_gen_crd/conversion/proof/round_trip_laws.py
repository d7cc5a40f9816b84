"""Laws of round-trip conversion, checked for an object and for updates by clients of the other version."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion.plan.paths import ITEM, Path, format_path
from protoc_gen_crd.conversion.proof.data_comparison import (
    alter_fields,
    alter_item,
    find_difference,
    format_value,
    get_value,
    iterate_values,
    remove_annotations,
    remove_defaults,
    remove_paths,
    replace_value,
)
from protoc_gen_crd.conversion.runtime.conversion_data import ANNOTATION_INFIX, same
from protoc_gen_crd.conversion.runtime.runtime import MISSING, ConversionError, Object
from protoc_gen_crd.samples.sample_validator import copy_value

Convert = Callable[[Object, str], Object]
DocumentValidator = Callable[[Object], Sequence[str]]
_FAILURE_KEY = ""  # the key of a placeholder for an object that cannot be converted; its value is the reason
_RANGE_ERROR = re.compile(
    r": (expected (an integer between|a JSON number)|the expression .* fails: .*(overflow|range))"
)
_LARGE_NUMBER = 2**31 - 1  # numbers from here on may exceed the range of another type
_ROUND_TRIP_LAW = "the conversion back fails"


class KeptField(Record):
    """A field that is kept in conversion data, and the number of objects around it that must remain.

    The alternatives of its oneof must be unset, and its counterparts unchanged.
    """

    path: Path
    parent_depth: int
    alternatives: tuple[Path, ...] = ()
    shown_paths: tuple[Path, ...] = ()  # its counterparts, as paths of the other version
    has_counterpart: bool = False  # the reverse direction writes it, for example as a default


class KeyedList(Record):
    """A list with keys in both versions: its paths, and the kept fields of its items."""

    source: Path
    target: Path
    keys: tuple[tuple[str, str], ...]
    kept: tuple[Path, ...]  # below an item


class DirectionFacts(Record):
    """The facts of a plan about one direction: versions, kept fields, dropped fields in each direction."""

    group: str
    versions: tuple[str, str]
    kept: tuple[KeptField, ...] = ()
    dropped: tuple[Path, ...] = ()
    dropped_back: tuple[Path, ...] = ()
    one_way_fields: tuple[Path, ...] = ()  # fields of the target that no reverse step reads
    defaults: tuple[tuple[Path, Any], ...] = ()  # fields of the target with a default for a missing source
    keyed: tuple[KeyedList, ...] = ()
    computed_fields: tuple[
        tuple[Path, str], ...
    ] = ()  # fields whose reverse step reads the whole object, and its expression


class LawViolation(Record):
    """A violated law: its name, the versions, the object, the path, and the difference."""

    law: str
    source: str
    target: str
    object: Object
    path: str
    detail: str


class RoundTripLaws:
    """The laws of one direction, from a version to another and back."""

    def __init__(self, facts: DirectionFacts, convert: Convert, errors: DocumentValidator) -> None:
        self.source, self.target = facts.versions
        self._convert, self._errors, self._facts = convert, errors, facts
        self._data_annotations = tuple([f"{facts.group}{ANNOTATION_INFIX}{name}" for name in facts.versions])

    def remove_data(self, obj: Object) -> Object:
        """Return an object without the data of an earlier conversion. The laws are about objects without it."""
        return remove_annotations(obj, self._data_annotations)

    def convert_forward(self, obj: Object) -> Object | LawViolation | None:
        """Convert an object and validate the result; None for a number that the target type cannot represent."""
        copied = copy_value(obj)
        try:
            converted = self._convert(copied, self.target)
        except ConversionError as error:
            return self._build_violation("the conversion fails", obj, "", str(error))
        difference = find_difference(obj, copied)
        if difference:
            return self._build_violation("the conversion changes its input", obj, *difference)
        errors = self._errors(converted)
        if errors:
            return self._build_violation("the converted object is invalid", obj, "", errors[0])
        return converted

    def check_round_trip(self, obj: Object, converted: Object) -> LawViolation | None:
        """Check that a round trip preserves the object, and that a second conversion gives the same result."""
        returned = self._try_convert(converted, self.source)
        if _is_failure(returned):
            return self._build_violation(_ROUND_TRIP_LAW, obj, "", returned[_FAILURE_KEY])
        difference = find_difference(
            *(remove_paths(remove_annotations(compared), self._facts.dropped) for compared in (obj, returned))
        )
        if difference:
            return self._build_violation("the round trip changes the object", obj, *difference)
        difference = _find_difference(converted, self._try_convert(returned, self.target))
        return (
            self._build_violation("converting again gives a different object", obj, *difference) if difference else None
        )

    def check_stability(self, obj: Object, converted: Object) -> LawViolation | None:
        """Check that further round trips preserve the converted object, even without the annotation."""
        plain = remove_annotations(converted, self._data_annotations)
        returned = remove_annotations(self._try_convert(plain, self.source), self._data_annotations)
        second = remove_annotations(self._try_convert(returned, self.target), self._data_annotations)
        without_defaults = second if _is_failure(second) else remove_defaults(second, plain, self._facts.defaults)
        difference = _find_difference(
            *(remove_paths(compared, self._facts.one_way_fields) for compared in (plain, without_defaults))
        )
        return (
            self._build_violation("a further round trip changes the object", obj, *difference) if difference else None
        )

    def convert_back(self, obj: Object) -> Object:
        """Convert an object of the other version; return a placeholder with the reason if that is impossible."""
        return self._try_convert(obj, self.source)

    def check_client_update(self, obj: Object, converted: Object) -> LawViolation | None:
        """Check that a client of the other version reads back what it wrote; `converted` is the converted object."""
        returned = self._try_convert(converted, self.target)
        if _is_failure(returned):
            return self._build_violation(_ROUND_TRIP_LAW, obj, "", returned[_FAILURE_KEY], back=True)
        errors = self._errors(converted)
        if errors:
            return self._build_violation("the converted object is invalid", obj, "", errors[0], back=True)
        lost = self._facts.dropped_back
        difference = find_difference(
            *(remove_paths(remove_annotations(compared, self._data_annotations), lost) for compared in (obj, returned))
        )
        return (
            self._build_violation("a client does not read back what it wrote", obj, *difference, back=True)
            if difference
            else None
        )

    def check_kept_after_update(
        self, obj: Object, converted: Object, edited: Object, returned: Object
    ) -> LawViolation | None:
        """Check that a client update preserves fields that the client's version lacks.

        Args:
            obj: An object.
            converted: The object in the client's version.
            edited: The converted object after the update.
            returned: The edited object, converted back.
        """
        for field in self._facts.kept if not _is_failure(returned) else ():
            value = get_value(obj, field.path)
            is_comparable = (
                field.parent_depth == 0 or get_value(returned, field.path[: field.parent_depth]) is not MISSING
            )
            is_comparable &= all(get_value(returned, other) is MISSING for other in field.alternatives)
            is_comparable &= all(
                same(_list_values(converted, path), _list_values(edited, path)) for path in field.shown_paths
            )
            is_comparable &= value is not MISSING or not field.has_counterpart
            if is_comparable and not same(value, get_value(returned, field.path)):
                return self._report_lost_value(obj, field.path, value, get_value(returned, field.path))
        return None

    def _report_lost_value(self, obj: Object, path: Path, value: Any, actual: Any) -> LawViolation | None:
        law = f"an update in {self.target} loses data that {self.target} has no field for"
        return self._build_violation(
            law, obj, format_path(path), f"{format_value(actual)} instead of {format_value(value)}"
        )

    def generate_list_edits(self, converted: Object) -> Iterator[tuple[KeyedList, tuple[int, ...], Object]]:
        """Yield the object with a list reordered, shortened, or with one item changed, and the items' old indexes."""
        for keyed_list in self._facts.keyed:
            items = get_value(converted, keyed_list.target)
            if type(items) is not list or not all(type(item) is dict for item in items):
                continue
            places = tuple(range(len(items)))
            orders = (places[::-1], places[1:]) if len(items) > 1 else ()
            changed = (
                [(places, [item, *items[1:]]) for item in alter_item(items[0], [key for _, key in keyed_list.keys])]
                if items
                else []
            )
            for order, edited_items in (*((order, [items[place] for place in order]) for order in orders), *changed):
                yield keyed_list, order, replace_value(converted, keyed_list.target, edited_items)

    def check_kept_items(self, obj: Object, edit: tuple[KeyedList, tuple[int, ...], Object]) -> LawViolation | None:
        """Check that kept fields of items stay with their item after a list edit."""
        keyed_list, order, edited = edit
        returned = get_value(self._try_convert(edited, self.source), keyed_list.source)
        items = get_value(obj, keyed_list.source)
        pairs = zip(order, returned if type(returned) is list else (), strict=False)
        for place, item in pairs if type(items) is list else ():
            for path in keyed_list.kept:
                value, actual = get_value(items[place], path), get_value(item, path)
                if not same(value, actual):
                    return self._report_lost_value(obj, (*keyed_list.source, ITEM, *path), value, actual)
        return None

    def check_computed_edit(self, converted: Object, edited: Object) -> LawViolation | None:
        """Check that results of expressions follow an update, despite conversion data."""
        trips = (
            remove_annotations(converted, self._data_annotations),
            remove_annotations(edited, self._data_annotations),
            edited,
        )
        results = [self._try_convert(trip, self.source) for trip in trips]
        for path, _ in self._facts.computed_fields if not any(map(_is_failure, results)) else ():
            before, after, with_data = ([*iterate_values(end, path)] for end in results)
            for old, new, now in zip(before, after, with_data, strict=False):
                if not same(old, new) and not same(new, now):
                    difference = f"{format_value(now)} instead of {format_value(new)}"
                    law = "conversion data overrides what an expression computes from an update"
                    return self._build_violation(law, edited, format_path(path), difference, back=True)
        return None

    def generate_field_edits(self, converted: Object) -> Iterator[Object]:
        """Yield the object with one field that a reverse expression reads changed or removed."""
        names = {name for _, expression in self._facts.computed_fields for name in re.findall(r"\w+", expression)}
        yield from alter_fields(converted, names - {"apiVersion", "kind", "metadata"})

    def _try_convert(self, obj: Object, version: str) -> Object:
        """Convert a copy of an object, or return a placeholder with the reason. Placeholders are returned unchanged."""
        try:
            return obj if _is_failure(obj) else self._convert(copy_value(obj), version)
        except ConversionError as error:
            return {_FAILURE_KEY: str(error)}

    def _build_violation(
        self, law: str, obj: Object, path: str, difference: str, *, back: bool = False
    ) -> LawViolation | None:
        """Build a violation, unless a large number exceeds the range of a type, which is a correct rejection."""
        if not path and _RANGE_ERROR.search(difference) and _is_large(obj):
            return None
        versions = (self.target, self.source) if back else (self.source, self.target)
        return LawViolation(law, *versions, obj, path, difference)


def _is_large(value: Any) -> bool:
    """Return true if a value contains a large number."""
    if isinstance(value, (dict, list)):
        return any(map(_is_large, value.values() if isinstance(value, dict) else value))
    return type(value) in (int, float) and abs(value) >= _LARGE_NUMBER


def _is_failure(obj: Object) -> bool:
    return _FAILURE_KEY in obj


def _find_difference(expected: Object, actual: Object) -> tuple[str, str] | None:
    """Like `find_difference`, for objects that may be placeholders."""
    failed = next((obj for obj in (expected, actual) if _is_failure(obj)), None)
    return ("", failed[_FAILURE_KEY]) if failed else find_difference(expected, actual)


def _list_values(obj: Object, path: Path) -> list[Any]:
    """Return the values at a path, one for each item that has one."""
    return [value for value in iterate_values(obj, path) if value is not MISSING]
