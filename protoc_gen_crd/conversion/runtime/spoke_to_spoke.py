"""Convert between two spokes, with fields that the hub lacks.

A spoke is a version other than the hub. Its fields that the hub lacks are in its
conversion data, and another spoke can have them as well. Generated modules have a
direct conversion for such pairs of spokes. It is used only for these fields: the
difference between the results with and without conversion data is data of the other
spoke, which the conversion from the hub restores.

All conversion data is for the fields of the hub, also on objects of a spoke. If a
client of one spoke changes a field, the conversion to the hub changes the data of the
other spokes as well.
Only the standard library is used.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from .container_conversion import accept_first_items, identify_by_position
from .conversion_data import ITSELF, compact, get_shown_hash, same
from .data_restore import keep_absent, replace_hashes
from .object_annotations import (
    FORMAT,
    annotations_of,
    is_shown_at,
    layers,
    ours,
    replace_annotations,
)
from .path_access import get_value
from .runtime import ANYTHING, MISSING, ConversionError, Conversions, Object, Path

# From and to, where there is no direct conversion, by the fields without one.
Gaps = Mapping[tuple[str, str], Collection[Path]]


class Spokes:
    """Conversions to and from the hub that keep the data of all spokes up to date."""

    def __init__(
        self,
        prefix: str,
        hub: str,
        conversions: Conversions,
        direct: Conversions,
        gaps: Gaps,
    ) -> None:
        self._prefix, self._hub = prefix, hub
        self._conversions, self._direct, self._gaps = conversions, direct, gaps

    def can_have_written(self, own: str, data: Mapping[str, Any]) -> bool:
        """Return true if modules with this hub can have written all annotations.

        `own` is the version of the object, and `data` the annotations by version.
        """
        return own not in data and all(
            ours(annotation, own if name == self._hub else self._hub)
            for name, annotation in data.items()
        )

    def has_conversions(self, own: str, version: str, data: Mapping[str, Any]) -> bool:
        """Return true if there are conversions for data between these versions.

        Data of the requested version is restored from the hub.
        """
        spokes = [name for name in data if name != version]
        ends = [(self._hub, name) for name in (own, version, *spokes)]
        ends += [(end, name) for end in (own, version) for name in (version, *spokes)]
        return all(
            source == target
            or (source, target) in self._conversions
            or (source, target) in self._direct
            or (self._hub not in (source, target) and self._is_gap(source, target))
            for source, target in ends
        )

    def _is_gap(self, version: str, other: str) -> bool:
        """Return true if modules with any hub lack the conversions of two versions."""
        return (version, other) in self._gaps or (other, version) in self._gaps

    def convert(self, source: Object, own: str, version: str) -> Object:
        """Convert an object whose annotations were written with this hub."""
        if own != self._hub:
            source = self._convert_to_hub(source, own)
        if version == self._hub:
            return source
        source = self._update_from_others(source, version)
        source = self._drop_shown_data(source, version)
        result = self._convert(self._hub, version, source)
        return self._add_hashes(result, version, source)

    def _convert_to_hub(self, source: Object, own: str) -> Object:
        """Convert an object of a spoke to the hub, and update the data of others."""
        result = self._convert(own, self._hub, source)
        for name, data in self._get_data(result).items():
            if is_shown_at(annotations_of(result)[self._prefix + name], own):
                result = self._replace_data(result, {name: replace_hashes(data)})
                try:
                    result = self._update_data(result, own, name, is_edited=True)
                except ConversionError:
                    continue  # reading the object in that version is an error as well
        return result

    def _update_from_others(self, source: Object, version: str) -> Object:
        """Return an object of the hub with the values of all spokes in one's data."""
        for name in self._get_data(source):
            if (name, version) in self._gaps:
                self._check_gap(source, name, version)
            try:
                source = self._update_data(source, name, version)
            except ConversionError as error:
                raise self._make_error(str(error), name) from error.__cause__
        return source

    def _drop_shown_data(self, source: Object, version: str) -> Object:
        """Return an object of the hub without other data that a spoke accounts for."""
        data = self._get_data(source)
        for name in data if version in data else ():
            if name != version:
                without = self._replace_data(source, {name: {}})
                try:
                    shown = self._get_data(self._update_data(without, version, name))
                except ConversionError:
                    continue
                source = without if same(shown.get(name), data[name]) else source
        return source

    def _add_hashes(self, obj: Object, version: str, source: Object) -> Object:
        """Return an object of a spoke whose data of others has hashes of its fields.

        Modules with another hub require them. `source` is the object of the hub.
        """
        for name, data in self._get_data(obj).items():
            if self._has_direct(version, name):
                try:
                    other = self._convert(version, name, self.remove_data(obj))
                    kept = self._convert(self._hub, name, source)
                except ConversionError:
                    continue
                data = keep_absent(data, *map(self.remove_data, (kept, other)))
                values = {name: replace_hashes(data, other)}
                obj = self._replace_data(obj, values, shown_at=version)
        return obj

    def _update_data(
        self, source: Object, own: str, version: str, *, is_edited: bool = False
    ) -> Object:
        """Return an object of the hub with the values of one spoke in another's data.

        These are the values that the data of the other spoke does not account for.
        If a client has edited the object of the spoke, items that changed have no data
        of the other spoke: they may be other items. Otherwise, items are the same.
        Raises ConversionError if the other spoke would not show them.
        """
        if own == version or not self._has_direct(own, version):
            return source
        data = self._get_data(source)
        others: Object = {name: {} for name in data if name != version}
        try:
            expected = self._update_from_others(self._replace_data(source, others), own)
        except ConversionError:
            return source  # the values of the other spoke are newer
        ends = [self._convert(self._hub, own, end) for end in (expected, source)]
        if same(*map(self.remove_data, ends)):
            return source
        with_items = self._accept_first_items(source, version) if is_edited else source
        current = self._convert(self._hub, version, with_items)
        shown = self._convert(version, own, self.remove_data(current))
        before, after = [
            self._find_hub_object(
                self._copy_data(end, shown, version, by_position=not is_edited),
                current,
                (own, version),
            )
            for end in ends
        ]
        changes = [self._get_data(end).get(version, {}) for end in (before, after)]
        data = {version: _merge_changes(data.get(version, {}), *changes)}
        source = self._replace_data(_add_empty_objects(source, before, after), data)
        result = self._convert(self._hub, version, source)
        restored = self._get_data(self._convert(version, self._hub, result))
        missing = _find_missing(_merge_changes({}, *changes), restored.get(version), ())
        for path in missing:
            raise ConversionError(
                f"{'.'.join(path)}: the value of {own} cannot be converted to {version}"
            )
        return source

    def _accept_first_items(self, source: Object, version: str) -> Object:
        """Return an object of the hub that keeps further items with any first item.

        A client of a spoke that shows all items can have changed the first one alone.
        """
        data = self._get_data(source).get(version, {})
        shown = self.remove_data(self._convert(self._hub, version, source))
        return self._replace_data(source, {version: accept_first_items(data, shown)})

    def _find_hub_object(
        self, obj: Object, current: Object, ends: tuple[str, str]
    ) -> Object:
        """Convert an object of one spoke through another to the hub.

        `current` is an object of the latter with the data of the hub.
        """
        own, version = ends
        result = self._convert(own, version, obj)
        having = self._copy_data(result, current, self._hub, by_position=True)
        return self._convert(version, self._hub, having)

    def _has_direct(self, own: str, version: str) -> bool:
        """Return true if there is a conversion between two spokes.

        One of them can be the hub of the module.
        """
        ends = own, version
        is_known = ends in self._conversions and self._hub not in ends
        return is_known or ends in self._direct

    def _convert(self, own: str, version: str, obj: Object) -> Object:
        """Convert with the function for a source and a target version."""
        convert = self._conversions.get((own, version)) or self._direct[own, version]
        return convert(obj)

    def _check_gap(self, source: Object, name: str, version: str) -> None:
        """Reject an object with data that the requested version might show."""
        if not self._gaps[name, version]:
            return
        with_data = self._convert(self._hub, name, source)
        without = self._convert(self._hub, name, self._replace_data(source, {name: {}}))
        for field in self._gaps[name, version]:
            values = [get_value(obj, field, ANYTHING) for obj in (with_data, without)]
            for path in _find_values(values[0], values[1], field):
                problem = f"the value of {name} cannot be converted to {version}"
                raise self._make_error(f"{'.'.join(path)}: {problem}", name)

    def _make_error(self, problem: str, name: str) -> ConversionError:
        place = f"the annotation {self._prefix}{name}"
        return ConversionError(f"{problem}; it is kept in {place}")

    def _get_data(self, obj: Object) -> Object:
        """Return the conversion data for the fields of the hub by version."""
        result: Object = {}
        for name, text in annotations_of(obj).items():
            if name.startswith(self._prefix) and ours(text, self._hub):
                data = [
                    content for _, content in layers(text)[0] if type(content) is dict
                ]
                result |= {name[len(self._prefix) :]: content for content in data}
        return result

    def _replace_data(
        self, obj: Object, data: Mapping[str, Any], shown_at: str = ""
    ) -> Object:
        """Return an object with other conversion data of some versions."""
        head: Object = {"as": self._hub, "format": FORMAT}
        head |= {"at": shown_at} if shown_at else {}
        texts = {
            self._prefix + name: compact({**head, "data": entries}) if entries else ""
            for name, entries in data.items()
        }
        return replace_annotations(obj, texts)

    def _copy_data(
        self, obj: Object, other: Object, name: str, *, by_position: bool
    ) -> Object:
        """Return the object with only the conversion data of another for a version.

        Items without keys can have other values if they are found `by_position`.
        """
        name = self._prefix + name
        text = annotations_of(other).get(name)
        for shown, data in layers(text)[0] if by_position else ():
            data = identify_by_position(data)
            text = compact({"as": shown, "data": data, "format": FORMAT})
        return replace_annotations(self.remove_data(obj), {name: text})

    def remove_data(self, obj: Object) -> Object:
        """Return the object without conversion data."""
        names = [name for name in annotations_of(obj) if name.startswith(self._prefix)]
        return replace_annotations(obj, dict.fromkeys(names, ""))


def _merge_changes(data: Object, before: Object, after: Object) -> Object:
    """Return conversion data with the changes between other conversion data."""
    result: Object = {}
    for name in dict.fromkeys((*data, *after)):
        entries = [part.get(name, MISSING) for part in (data, before, after)]
        value = entries[0] if same(*entries[1:]) else entries[2]
        if value is not entries[0] and type(value) is dict:
            parts = [part if type(part) is dict else {} for part in entries]
            value = _merge_changes(*parts) or MISSING
        elif value is not entries[0]:
            value = _merge_entry(*entries)
        if value is not MISSING:
            result[name] = value
    if result and ITSELF in after:
        result.setdefault(ITSELF, after[ITSELF])
    return result


def _merge_entry(data: Any, before: Any, after: Any) -> Any:
    """Return a changed entry; of an object, with the fields that did not change."""
    entries = (data, before, after)
    if all(type(part) is list and part and type(part[-1]) is dict for part in entries):
        return [*after[:-1], _merge_values(*(part[-1] for part in entries))]
    return after


def _merge_values(data: Any, before: Any, after: Any) -> Any:
    """Return a value with the changes between others; lists change as a whole."""
    if same(before, after):
        return data
    if any(type(part) is not dict for part in (data, before, after)):
        return after
    values = {
        name: _merge_values(
            *(part.get(name, MISSING) for part in (data, before, after))
        )
        for name in dict.fromkeys((*data, *after))
    }
    return {name: value for name, value in values.items() if value is not MISSING}


def _find_missing(data: Object, other: Any, path: Path) -> Iterator[Path]:
    """Yield the fields that other conversion data and the hub have no value for."""
    for name, entry in data.items():
        inner = other.get(name) if type(other) is dict else None
        if type(entry) is dict:
            yield from _find_missing(entry, inner, (*path, name))
            continue
        values = [part[1:] if type(part) is list else [] for part in (entry, inner)]
        is_missing = values[0] not in ([], [{}], [None]) and not _contains(*values)
        if is_missing and (name == ITSELF or not get_shown_hash(entry[0])):
            yield path if name == ITSELF else (*path, name)


def _contains(part: Any, whole: Any) -> bool:
    """Return true if data is part of other data, which can have more fields."""
    if type(part) is list and type(whole) is list and len(part) == len(whole):
        return all(map(_contains, part, whole))
    if type(part) is dict and type(whole) is dict:
        return all(
            name in whole and _contains(value, whole[name])
            for name, value in part.items()
        )
    return same(part, whole)


def _add_empty_objects(obj: Any, before: Any, after: Any) -> Any:
    """Return an object with null and the objects without values of a change to another.

    The data of a spoke can be for fields of these.
    """
    if type(obj) is not dict or type(after) is not dict:
        return obj
    earlier = before if type(before) is dict else {}
    added = {
        name: part
        for name, part in after.items()
        if name not in obj and name not in earlier and _is_empty(part)
    }
    return {
        name: _add_empty_objects(part, earlier.get(name), after.get(name))
        for name, part in obj.items()
    } | added


def _is_empty(value: Any) -> bool:
    """Return true for null and for an object without values."""
    return value is None or (
        type(value) is dict and all(map(_is_empty, value.values()))
    )


def _find_values(value: Any, other: Any, path: Path) -> Iterator[Path]:
    """Yield the paths of values that another object does not have."""
    if type(value) is dict and value:
        for name, part in value.items():
            inner = other.get(name, MISSING) if type(other) is dict else MISSING
            yield from _find_values(part, inner, (*path, name))
    elif value is not MISSING and value != {} and not same(value, other):
        yield path
