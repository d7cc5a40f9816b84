"""What modules of three or more versions call, which may have had another hub before.

What had been put aside of an object of one version was shown as another one then, and
modules with another hub show something else for it. So the object is converted without
the stash, and its entries are judged by what they say of their own version: a value
comes back where the object holds what had been shown led back to. Then it is put aside
anew, as these modules do it.

A stash that would cost something of what else is put aside stays as it is, until an
object of its own version is asked for, and beyond where too many of its parts would.
Only the standard library is used.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from .moving import own, put
from .objects import annotations_of, layers, ours
from .runtime import Change, ConversionError, Object, Ways, through
from .stash import ITSELF
from .walking import Walk

MOST_TRIED = 1 << 20  # characters of objects that parts of a stash are tried on
# What an object of each version may hold.
Fields = Mapping[str, Change]


def across(
    source: Any, version: str, group: str, hub: str, ways: Ways, known: Fields
) -> Object:
    """An object in another version, whatever hub had been at work."""
    given = annotations_of(source) if type(source) is dict else {}
    stash = f"{group}/conversion-stash."
    text = source.get("apiVersion") if type(source) is dict else None
    at = text.rpartition("/")[2] if type(text) is str else ""
    if given and at != version and at in known and version in known:
        for name in known:
            if stash + name in given:
                shown = at if name == hub else hub
                if name == at or not ours(given[stash + name], shown):
                    return _Moved(at, stash, hub, ways, known).convert(source, version)
    return through(source, version, group, hub, ways)


class _Moved:
    """The conversion of an object that another hub has been at work on."""

    def __init__(
        self, own: str, stash: str, hub: str, ways: Ways, known: Fields
    ) -> None:
        self._own, self._stash, self._hub = own, stash, hub
        self._ways, self._known = ways, known
        self._left = MOST_TRIED

    def convert(self, source: Object, version: str) -> Object:
        """The object in another version."""
        at, hub = self._own, self._hub
        made = self._with(self._without(source, at), at, self._layers(source, at))
        if at != hub:
            made = self._way(self._anew(made, at, hub), at, hub)
        for name in self._known:
            if name not in (at, hub):
                made = self._anew(made, hub, name)
        return made if version == hub else self._way(made, hub, version)

    def _way(self, obj: Object, at: str, version: str) -> Object:
        """The object in another version, with what had been put aside of that one."""
        if self._native(obj, at, version):
            return self._ways[at, version](obj)
        made = self._ways[at, version](self._without(obj, version))
        for _, stash in self._layers(obj, version):
            made = self._borne(obj, made, stash, at, version)
        if self._left < 0:  # what has not been tried is not to be lost
            path = ("metadata", "annotations", self._stash + version)
            own(made, path)
            put(made, path, annotations_of(obj)[path[-1]])
        return made

    def _borne(
        self, obj: Object, made: Object, stash: Any, at: str, version: str
    ) -> Object:
        """What is made of an object, with as much of a stash as the object bears.

        What it holds itself is later, as is what is put aside of it in its own version.
        """
        more = self._with(made, version, [("", stash)])
        if not self._costs(obj, made, more, at, version, (self._own,)):
            return more
        for half in _halves(stash):
            if self._left < 0:
                break
            self._left -= len(str(obj))
            made = self._borne(obj, made, half, at, version)
        return made

    def _anew(self, obj: Object, at: str, version: str) -> Object:
        """The object with a stash made anew, if nothing else is lost by it."""
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
        """Whether more is made of an object at the cost of what is put aside."""
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
        """How much of what the hub's object has put aside does not come back."""
        if self._native(obj, self._hub, version):
            made = self._ways[self._hub, version](obj)
        else:
            made = self._ways[self._hub, version](self._without(obj, version))
            made = self._with(made, version, self._layers(obj, version))
        return self._missing(made, version, obj)

    def _native(self, obj: Object, at: str, version: str) -> bool:
        """Whether what is put aside is for what is shown, or there is none."""
        return [shown for shown, _ in self._layers(obj, version)] in ([], [at])

    def _missing(self, obj: Object, version: str, other: Object) -> int:
        """How many entries that another object holds for a version are not in one."""
        walk = Walk()
        for _, stash in self._layers(other, version)[:1]:
            self._walked(walk, obj, stash, version)
        return walk.missing

    def _layers(self, obj: Object, version: str) -> list[tuple[str, Any]]:
        return layers(annotations_of(obj).get(self._stash + version))[0]

    def _without(self, obj: Object, version: str) -> Object:
        """The object without a stash, but for what is of a newer format."""
        given, name = annotations_of(obj), self._stash + version
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
        """The object with what had been put aside of it, what is later first."""
        for _, stash in found:
            obj = self._walked(Walk(), obj, stash, version)
        return obj

    def _walked(self, walk: Walk, obj: Object, stash: Any, version: str) -> Object:
        try:
            return walk.whole(obj, stash, self._known[version])
        except RecursionError:
            return obj  # no module has put aside what is nested so deep


def _halves(stash: Any) -> list[Object]:
    """A stash as two, neither of which is empty; none where it holds one entry."""
    if type(stash) is not dict:
        return []
    names = [name for name in stash if name != ITSELF]
    about = {ITSELF: stash[ITSELF]} if ITSELF in stash else {}
    if len(names) == 1:
        return [{**about, names[0]: half} for half in _halves(stash[names[0]])]
    cut = len(names) // 2
    parts = (names[:cut], names[cut:])
    return [{**about, **{name: stash[name] for name in part}} for part in parts if part]
