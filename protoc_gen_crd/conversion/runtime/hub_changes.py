"""Convert objects whose data was kept under another hub.

Conversion data refers to the values that were shown when it was written, and modules
with another hub show other values. So the object is converted without the data, and
its entries are compared with the object of their own version: a value is restored if
the object has the value that the shown ones convert back to. Then the data is written
again, as these modules do it.

Data that would replace other data stays as it is until an object of its own version
is requested.
Only the standard library is used.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from .conversion_data import ANNOTATION_INFIX, ITSELF, compact
from .data_restore import Walk, replace_hashes
from .object_annotations import (
    FORMAT,
    annotations_of,
    is_shown_at,
    layers,
    replace_annotations,
)
from .path_access import own, put
from .runtime import Change, ConversionError, Conversions, Object, convert_through_hub
from .spoke_to_spoke import Gaps, Spokes

MOST_TRIED = 1 << 20  # most characters that are converted to try conversion data
# The possible contents of an object of each version.
Fields = Mapping[str, Change]


def convert_across_hubs(
    source: Any,
    version: str,
    group: str,
    hub: str,
    conversions: Conversions,
    contents: Fields,
    between: tuple[Conversions, Gaps] = ({}, {}),
) -> Object:
    """Convert an object to another version, whichever hub was used before."""
    annotations = annotations_of(source) if type(source) is dict else {}
    prefix = group + ANNOTATION_INFIX
    text = source.get("apiVersion") if type(source) is dict else None
    source_group, _, own = text.rpartition("/") if type(text) is str else ("", "", "")
    at = own
    if not (
        source_group == group
        and at != version
        and at in contents
        and version in contents
    ):
        return convert_through_hub(source, version, group, hub, conversions)
    names_with_data = (
        [name for name in contents if prefix + name in annotations]
        if annotations
        else []
    )
    if not names_with_data and hub in (at, version):
        return conversions[at, version](source)
    if not names_with_data:
        source, at = conversions[at, hub](source), hub
        if prefix + own not in annotations_of(source):
            return conversions[hub, version](source)
    data = {name: annotations[prefix + name] for name in names_with_data}
    spokes = Spokes(prefix, hub, conversions, *between)
    if spokes.can_have_written(at, data):
        return spokes.convert(source, at, version)
    for earlier_hub in sorted(contents, key=lambda name: name not in data):
        earlier = Spokes(prefix, earlier_hub, conversions, *between)
        if earlier.can_have_written(at, data) and earlier.has_conversions(
            at, version, data
        ):
            return earlier.convert(source, at, version)
    moved = _Moved(at, prefix, hub, conversions, contents, spokes)
    return moved.convert(moved.update_hashes(source, between[0]), version)


class _Moved:
    """The conversion of an object that was converted through another hub."""

    def __init__(
        self,
        own: str,
        prefix: str,
        hub: str,
        conversions: Conversions,
        contents: Fields,
        spokes: Spokes,
    ) -> None:
        self._own, self._prefix, self._hub = own, prefix, hub
        self._conversions, self._contents, self._spokes = conversions, contents, spokes
        self._left = MOST_TRIED
        # What the fields of the object convert to, by the versions with such hashes.
        self._values: Object = {}

    def update_hashes(self, source: Object, direct: Conversions) -> Object:
        """Return the object with hashes of the values that this hub converts to.

        They may differ from those of a direct conversion in defaults.
        """
        bare = self._spokes.remove_data(source)
        for name in self._contents:
            annotation = annotations_of(source).get(self._prefix + name)
            data_layers = layers(annotation)[0]
            is_shown = data_layers and is_shown_at(annotation, self._own)
            convert = direct.get((self._own, name)) if is_shown else None
            if convert is None:
                continue
            try:
                hub_object = self._conversions[self._own, self._hub](bare)
                value = self._conversions[self._hub, name](hub_object)
                data = replace_hashes(data_layers[0][1], value, convert(bare))
            except ConversionError:
                continue
            self._values[name] = value
            source = self._replace_data(source, name, data_layers[0][0], data)
        return source

    def _restore_hashes(self, obj: Object, version: str) -> Object:
        """Return an object of the version that data was kept at with its hashes.

        Entries of values that a client has changed keep the hashes of these.
        """
        for name, value in self._values.items():
            for shown, data in self._layers(obj, name)[:1]:
                if shown == version:
                    original = replace_hashes(data, expected=value)
                    obj = self._replace_data(obj, name, shown, original)
        return obj

    def _replace_data(self, obj: Object, name: str, shown: str, data: Any) -> Object:
        text = compact({"as": shown, "data": data, "format": FORMAT})
        return replace_annotations(obj, {self._prefix + name: text})

    def convert(self, source: Object, version: str) -> Object:
        """Convert the object to another version."""
        at, hub = self._own, self._hub
        result = self._with(self._without(source, at), at, self._layers(source, at))
        is_late = at != hub and self._needs_others(source, hub)
        if is_late:
            result = self._convert_step(self._without(result, hub), at, hub)
        elif at != hub:
            result = self._convert_step(
                self._with_current_data(result, at, hub), at, hub
            )
        for name in self._contents:
            if name not in (at, hub):
                result = self._with_current_data(result, hub, name)
        if is_late or (at != hub and self._missing(result, hub, source)):
            # it may be for fields of an object that other data has restored
            for _, data in self._layers(source, hub):
                result = self._with_accepted_data(source, result, data, at, hub)
        if version == hub:
            return result
        if self._native(result, hub, version):
            return self._spokes.convert(result, hub, version)
        return self._convert_step(result, hub, version)

    def _needs_others(self, obj: Object, version: str) -> bool:
        """Return true if a third version, which has data too, showed other values.

        Its data is restored first: the shown values are then the same again.
        """
        shown = {name for name, _ in self._layers(obj, version)}
        return any(name != self._own and self._layers(obj, name) for name in shown)

    def _convert_step(self, obj: Object, at: str, version: str) -> Object:
        """Convert the object to another version and restore the data kept for it."""
        if self._native(obj, at, version):
            return self._conversions[at, version](obj)
        result = self._spokes.convert(self._without(obj, version), at, version)
        for _, data in self._layers(obj, version):
            result = self._with_accepted_data(obj, result, data, at, version)
        if self._left < 0:  # data that was not tried must not be lost
            path = ("metadata", "annotations", self._prefix + version)
            own(result, path)
            put(result, path, annotations_of(obj)[path[-1]])
        return result

    def _with_accepted_data(
        self, obj: Object, result: Object, data: Any, at: str, version: str
    ) -> Object:
        """Convert an object with as much conversion data as it accepts.

        Its own values and the data of its own version are later and win.
        """
        restored = self._with(result, version, [("", data)])
        if not self._costs(obj, result, restored, at, version, (self._own,)):
            return restored
        for half in _halves(data):
            if self._left < 0:
                break
            self._left -= len(str(obj))
            result = self._with_accepted_data(obj, result, half, at, version)
        return result

    def _with_current_data(self, obj: Object, at: str, version: str) -> Object:
        """Return the object with current conversion data, if no other data is lost."""
        if self._native(obj, at, version):
            return obj
        try:
            bare = self._without(obj, version)
            converted = self._conversions[at, version](bare)
            data_layers = self._layers(obj, version)
            if self._has_orphans(converted, version, data_layers):
                shown = self._spokes.convert(bare, at, version)
                if not self._has_orphans(shown, version, data_layers):
                    return obj  # the object is in the data of another spoke
            restored = self._with(converted, version, data_layers)
            restored = self._restore_hashes(restored, version)
            costs = self._costs(obj, converted, restored, at, version, self._contents)
            return obj if costs else self._conversions[version, at](restored)
        except ConversionError:
            return obj

    def _has_orphans(
        self, obj: Object, version: str, data_layers: list[tuple[str, Any]]
    ) -> bool:
        """Return true if conversion data is for fields of an object that is missing."""
        walk = Walk()
        for _, data in data_layers:
            obj = self._walked(walk, obj, data, version)
        return walk.orphans > 0

    def _costs(
        self,
        obj: Object,
        converted: Object,
        restored: Object,
        at: str,
        version: str,
        others: Collection[str],
    ) -> bool:
        """Return true if the restored fields displace other conversion data."""
        try:
            returned = self._conversions[version, at](restored)
            if self._missing(returned, at, converted):
                return True
            return any(
                self._count_hidden(obj, name) < self._count_hidden(returned, name)
                for name in others
                if at == self._hub and name not in (at, version)
            )
        except ConversionError:
            return True

    def _count_hidden(self, obj: Object, version: str) -> int:
        """Count the entries of the hub object's data that are not restored."""
        if self._native(obj, self._hub, version):
            converted = self._conversions[self._hub, version](obj)
        else:
            converted = self._conversions[self._hub, version](
                self._without(obj, version)
            )
            converted = self._with(converted, version, self._layers(obj, version))
        return self._missing(converted, version, obj)

    def _native(self, obj: Object, at: str, version: str) -> bool:
        """Return true if the data matches the shown values, or is missing."""
        return [shown for shown, _ in self._layers(obj, version)] in ([], [at])

    def _missing(self, obj: Object, version: str, other: Object) -> int:
        """Count the entries of another object's conversion data that one lacks."""
        walk = Walk()
        for _, data in self._layers(other, version)[:1]:
            data = _get_values(data)
            self._walked(walk, obj, data, version)
        return walk.missing

    def _layers(self, obj: Object, version: str) -> list[tuple[str, Any]]:
        return layers(annotations_of(obj).get(self._prefix + version))[0]

    def _without(self, obj: Object, version: str) -> Object:
        """Return the object without conversion data, except that of a newer format."""
        annotations, name = annotations_of(obj), self._prefix + version
        if name not in annotations:
            return obj
        newer_data = layers(annotations[name])[1]
        remaining = {
            key: annotation for key, annotation in annotations.items() if key != name
        }
        remaining |= {name: newer_data} if newer_data else {}
        metadata = dict(obj["metadata"])
        metadata["annotations"] = remaining
        if not remaining:
            metadata.pop("annotations")
        return {**obj, "metadata": metadata}

    def _with(
        self, obj: Object, version: str, data_layers: list[tuple[str, Any]]
    ) -> Object:
        """Return the object with its kept data restored, the latest first."""
        for _, data in data_layers:
            obj = self._walked(Walk(), obj, data, version)
        return obj

    def _walked(self, walk: Walk, obj: Object, data: Any, version: str) -> Object:
        try:
            return walk.whole(obj, data, self._contents[version])
        except RecursionError:
            return obj  # no module keeps data that is nested so deep


def _get_values(data: Any) -> Any:
    """Return conversion data with empty entries for unset fields."""
    if type(data) is dict:
        return {name: _get_values(entry_data) for name, entry_data in data.items()}
    return [] if type(data) is list and len(data) == 1 else data


def _halves(data: Any) -> list[Object]:
    """Split conversion data in two non-empty parts; none for a single entry."""
    if type(data) is not dict:
        return []
    names = [name for name in data if name != ITSELF]
    order_entry = {ITSELF: data[ITSELF]} if ITSELF in data else {}
    if len(names) == 1:
        return [{**order_entry, names[0]: half} for half in _halves(data[names[0]])]
    cut = len(names) // 2
    parts = (names[:cut], names[cut:])
    return [
        {**order_entry, **{name: data[name] for name in part}} for part in parts if part
    ]
