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

from .composition import Gaps, Spokes
from .conversion_data import ITSELF
from .data_restore import Walk
from .metadata import annotations_of, layers, ours
from .path_access import own, put
from .runtime import Change, ConversionError, Object, Ways, through

MOST_TRIED = 1 << 20  # most characters that are converted to try conversion data
# The possible contents of an object of each version.
Fields = Mapping[str, Change]


def across(
    source: Any,
    version: str,
    group: str,
    hub: str,
    ways: Ways,
    known: Fields,
    between: tuple[Ways, Gaps] = ({}, {}),
) -> Object:
    """Convert an object to another version, whichever hub was used before."""
    given = annotations_of(source) if type(source) is dict else {}
    prefix = f"{group}/conversion-data."
    text = source.get("apiVersion") if type(source) is dict else None
    found, _, own = text.rpartition("/") if type(text) is str else ("", "", "")
    at = own
    if not (found == group and at != version and at in known and version in known):
        return through(source, version, group, hub, ways)
    kept = [name for name in known if prefix + name in given] if given else []
    if not kept and hub in (at, version):
        return ways[at, version](source)
    if not kept:
        source, at = ways[at, hub](source), hub
        if prefix + own not in annotations_of(source):
            return ways[hub, version](source)
    spokes = Spokes(prefix, hub, ways, *between)
    for name in kept:
        content, shown = given[prefix + name], at if name == hub else hub
        native = ours(content, shown) or spokes.follows(at, name, content)
        if name == at or not native:
            return _Moved(at, prefix, hub, ways, known, spokes).convert(source, version)
    return spokes.convert(source, at, version)


class _Moved:
    """The conversion of an object that was converted through another hub."""

    def __init__(
        self,
        own: str,
        prefix: str,
        hub: str,
        ways: Ways,
        known: Fields,
        spokes: Spokes,
    ) -> None:
        self._own, self._prefix, self._hub = own, prefix, hub
        self._ways, self._known, self._spokes = ways, known, spokes
        self._left = MOST_TRIED

    def convert(self, source: Object, version: str) -> Object:
        """Convert the object to another version."""
        at, hub = self._own, self._hub
        made = self._with(self._without(source, at), at, self._layers(source, at))
        if at != hub:
            made = self._way(self._anew(made, at, hub), at, hub)
        for name in self._known:
            if name not in (at, hub):
                made = self._anew(made, hub, name)
        if version == hub:
            return made
        if self._native(made, hub, version):
            return self._spokes.convert(made, hub, version)
        return self._way(made, hub, version)

    def _way(self, obj: Object, at: str, version: str) -> Object:
        """Convert the object to another version and restore the data kept for it."""
        if self._native(obj, at, version):
            return self._ways[at, version](obj)
        made = self._ways[at, version](self._without(obj, version))
        for _, data in self._layers(obj, version):
            made = self._borne(obj, made, data, at, version)
        if self._left < 0:  # data that was not tried must not be lost
            path = ("metadata", "annotations", self._prefix + version)
            own(made, path)
            put(made, path, annotations_of(obj)[path[-1]])
        return made

    def _borne(
        self, obj: Object, made: Object, data: Any, at: str, version: str
    ) -> Object:
        """Convert an object with as much conversion data as it accepts.

        Its own values and the data of its own version are later and win.
        """
        more = self._with(made, version, [("", data)])
        if not self._costs(obj, made, more, at, version, (self._own,)):
            return more
        for half in _halves(data):
            if self._left < 0:
                break
            self._left -= len(str(obj))
            made = self._borne(obj, made, half, at, version)
        return made

    def _anew(self, obj: Object, at: str, version: str) -> Object:
        """The object with new conversion data, if nothing else is lost."""
        if self._native(obj, at, version):
            return obj
        try:
            made = self._ways[at, version](self._without(obj, version))
            more = self._with(made, version, self._layers(obj, version))
            costs = self._costs(obj, made, more, at, version, self._known)
            return obj if costs else self._ways[version, at](more)
        except ConversionError:
            return obj

    def _costs(
        self,
        obj: Object,
        made: Object,
        more: Object,
        at: str,
        version: str,
        others: Collection[str],
    ) -> bool:
        """Return true if converting more fields costs conversion data."""
        try:
            again = self._ways[version, at](more)
            if self._missing(again, at, made):
                return True
            return any(
                self._unseen(obj, name) < self._unseen(again, name)
                for name in others
                if at == self._hub and name not in (at, version)
            )
        except ConversionError:
            return True

    def _unseen(self, obj: Object, version: str) -> int:
        """Count the entries of the hub object's data that are not restored."""
        if self._native(obj, self._hub, version):
            made = self._ways[self._hub, version](obj)
        else:
            made = self._ways[self._hub, version](self._without(obj, version))
            made = self._with(made, version, self._layers(obj, version))
        return self._missing(made, version, obj)

    def _native(self, obj: Object, at: str, version: str) -> bool:
        """Return true if the data matches the shown values, or is missing."""
        return [shown for shown, _ in self._layers(obj, version)] in ([], [at])

    def _missing(self, obj: Object, version: str, other: Object) -> int:
        """Count the entries of another object's conversion data that one lacks."""
        walk = Walk()
        for _, data in self._layers(other, version)[:1]:
            self._walked(walk, obj, data, version)
        return walk.missing

    def _layers(self, obj: Object, version: str) -> list[tuple[str, Any]]:
        return layers(annotations_of(obj).get(self._prefix + version))[0]

    def _without(self, obj: Object, version: str) -> Object:
        """The object without conversion data, except that of a newer format."""
        given, name = annotations_of(obj), self._prefix + version
        if name not in given:
            return obj
        rest = layers(given[name])[1]
        left = {key: text for key, text in given.items() if key != name}
        left |= {name: rest} if rest else {}
        metadata = dict(obj["metadata"])
        metadata["annotations"] = left
        if not left:
            metadata.pop("annotations")
        return {**obj, "metadata": metadata}

    def _with(self, obj: Object, version: str, found: list[tuple[str, Any]]) -> Object:
        """The object with its kept data restored, the latest first."""
        for _, data in found:
            obj = self._walked(Walk(), obj, data, version)
        return obj

    def _walked(self, walk: Walk, obj: Object, data: Any, version: str) -> Object:
        try:
            return walk.whole(obj, data, self._known[version])
        except RecursionError:
            return obj  # no module keeps data that is nested so deep


def _halves(data: Any) -> list[Object]:
    """Split conversion data in two non-empty parts; none for a single entry."""
    if type(data) is not dict:
        return []
    names = [name for name in data if name != ITSELF]
    about = {ITSELF: data[ITSELF]} if ITSELF in data else {}
    if len(names) == 1:
        return [{**about, names[0]: half} for half in _halves(data[names[0]])]
    cut = len(names) // 2
    parts = (names[:cut], names[cut:])
    return [{**about, **{name: data[name] for name in part}} for part in parts if part]
