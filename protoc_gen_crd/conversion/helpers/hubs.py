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

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from .carrying import Part, entries, one, part_of, told, within
from .moving import own, put
from .nested import masked, names_of, ordered
from .runtime import (
    ANYTHING,
    MISSING,
    OBJECT,
    TEXT,
    Change,
    ConversionError,
    Object,
    Path,
    Ways,
    through,
)
from .stash import (
    ITSELF,
    annotations_of,
    entry,
    layers,
    ours,
    same,
    take,
    witness,
)

MOST_TRIED = 1 << 20  # characters of objects that parts of a stash are tried on
# What an object of each version may hold.
Fields = Mapping[str, Change]
_ANY: Part = (ANYTHING, None)
_MAP = entries(TEXT)
_METADATA: Part = (
    OBJECT,
    within({name: (name, OBJECT, _MAP) for name in ("labels", "annotations")}),
)


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
        walk = _Walk()
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
            obj = self._walked(_Walk(), obj, stash, version)
        return obj

    def _walked(self, walk: _Walk, obj: Object, stash: Any, version: str) -> Object:
        try:
            return walk.through(obj, stash, _whole(self._known[version]))
        except RecursionError:
            return obj  # no module has put aside what is nested so deep


class _Walk:
    """Brings back what a stash holds; `missing` counts what was not there before."""

    def __init__(self) -> None:
        self.missing = 0
        self._changed: set[str] = set()

    def through(self, obj: Object, stash: Any, part: Part) -> Object:
        """An object with what a stash holds for it; nothing given is changed."""
        made, around = dict(obj), self._changed
        if type(stash) is dict:
            self._changed = {*_changed(obj, stash)}
            self._inside(made, stash, part, ())
            self._changed = around
        return made

    def _inside(self, made: Object, stash: Object, part: Part, path: Path) -> None:
        """What is in an object or map at a path."""
        for name, known in sorted(stash.items(), key=_brings):
            if name == ITSELF:
                continue
            key = name if name.strip("'") else name[:-1]
            here = (*path, key)
            inner = part_of(part, key)
            if inner is None or _rivals(_at(made, path), key, part[1]):
                self.missing += 1  # of another schema, by hand, or of a oneof
            elif type(known) is not dict:
                self._value(made, here, known, inner)
            elif list in inner[0] and type(_at(made, here)) is not dict:
                self._list(made, here, known, inner)
            else:
                self._inside(made, known, inner, here)
                if ITSELF in known:
                    self._value(made, here, known[ITSELF], inner)

    def _value(self, made: Object, path: Path, known: Any, part: Part) -> None:
        """One entry: the value is what had been shown led back to, or stays."""
        found = entry({ITSELF: known}, (ITSELF,))
        if found is None or _holds(made, path, found):
            return
        shown, back, free = (*found[0].split(":"), "", "")[:3]
        held = len(path) - 1 - (int(free) if free.isdecimal() else 0)
        own(made, path)
        self.missing += 1
        fits = witness(_at(made, path)) == back and (back or shown not in self._changed)
        if fits and len(found) == 1:
            take(made, path, held)
        elif fits and type(_at(made, path[:held])) is dict:
            try:
                put(made, path, one(found[1], *part, ""))
            except ConversionError:
                return  # put there by another generation of the API, or by hand

    def _list(self, made: Object, path: Path, known: Object, part: Part) -> None:
        """What is in a list at a path."""
        value, about = _at(made, path), entry(known, (ITSELF,))
        if type(value) is not list:
            self.missing += len(known)
            if about and type(about[-1]) is not dict:
                self._value(made, path, about, part)
            return
        names = names_of(value, known.get(ITSELF))
        new = self._items(value, names, known, part_of(part, ITSELF) or _ANY)
        if about and type(about[-1]) is dict:
            new = self._ordered(new, names, next(iter(about[-1].values()), None))
        elif about and value:
            new = self._longer(new, about, masked(value[0], known.get("0", {})), part)
        own(made, path)
        put(made, path, new)

    def _items(
        self, value: list[Any], names: list[str], known: Object, part: Part
    ) -> list[Any]:
        """The items of a list, each with what is put aside of it."""
        made, places = list(value), _places(names)
        for name, inner in known.items():
            if type(inner) is not dict:
                continue
            told = inner.get(ITSELF)
            keys = type(told) is str and told[:1] == "["
            place = places.get(str(told) if keys else name, -1)
            item = MISSING if place < 0 else value[place]
            back = MISSING if keys or type(told) is not str else told.partition(":")[2]
            if type(item) is dict and back in (MISSING, witness(masked(item, inner))):
                made[place] = self.through(item, inner, part)
            else:
                self.missing += 1
        return made

    def _ordered(self, value: list[Any], names: list[str], order: Any) -> list[Any]:
        """A list that is in the order of its keys, in the one that was put aside."""
        wanted = ordered(names, order)
        if names == wanted:
            return value
        self.missing += 1
        if names != sorted({*names}):
            return value
        places = _places(names)
        return [value[places[name]] for name in wanted]

    def _longer(
        self, value: list[Any], about: list[Any], first: Any, part: Part
    ) -> list[Any]:
        """A list of one item, with those that were put aside."""
        further: Any = about[-1]
        if type(further) is not list or same(value[1:], further):
            return value
        self.missing += 1
        if len(value) == 1 and witness(first) == about[0].partition(":")[2]:
            try:
                made: list[Any] = one([*value, *further], *part, "")
            except ConversionError:
                return value
            return made
        return value


def _places(names: list[str]) -> dict[str, int]:
    """Where in a list the first item of each name stands."""
    return {name: place for place, name in reversed([*enumerate(names)])}


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


def apart(change: Change, *groups: Path) -> Change:
    """A change of an object that may have one field of each group at a time."""
    vars(change)["apart"] = groups
    return change


def _rivals(around: Any, name: str, change: Change | None) -> bool:
    """Whether a field is not there and must not be, since another one is."""
    if type(around) is not dict or name in around or change is None:
        return False
    groups = vars(change).get("apart", ())
    return any(name in each and not around.keys().isdisjoint(each) for each in groups)


def _brings(named: tuple[str, Any]) -> bool:
    """Whether an entry brings something: what takes values away comes first."""
    return type(named[1]) is not list or len(named[1]) > 1


def _changed(obj: Object, stash: Object, path: Path = ()) -> Iterator[str]:
    """What had been shown for values that have been changed since.

    Of several values that it leads back to, one may be as it was by chance.
    """
    for name, known in stash.items():
        here = (*path, name)
        found = entry({ITSELF: known}, (ITSELF,))
        if type(known) is dict and type(_at(obj, here)) is not list:
            yield from _changed(obj, known, here)
        elif found is not None and not _holds(obj, here, found):
            shown, _, back = found[0].partition(":")
            if shown and witness(_at(obj, here)) != back.partition(":")[0]:
                yield shown


def _holds(obj: Object, path: Path, found: list[Any]) -> bool:
    """Whether an object holds what an entry is to bring."""
    return same(_at(obj, path), found[1] if len(found) > 1 else MISSING)


def _whole(change: Change) -> Part:
    """What a whole object may hold."""
    own_parts = OBJECT, change

    def part(name: str) -> Part | None:
        return _METADATA if name == "metadata" else part_of(own_parts, name)

    return OBJECT, told(lambda value, _: value, part)


def _at(value: Any, path: Path) -> Any:
    """What stands at a path, MISSING where there is nothing."""
    for name in path:
        value = value.get(name, MISSING) if type(value) is dict else MISSING
    return value
