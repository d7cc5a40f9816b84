"""What modules of three or more versions call, which may have had another hub before.

What had been put aside of an object of one version was shown as another one then, and
modules with another hub show something else for it. So the object is converted without
the stash, and its entries are judged by what they say of their own version: a value
comes back where the object holds what had been shown led back to. Then it is put aside
anew, as these modules do it.

A stash that would cost something of what else is put aside stays as it is, until an
object of its own version is asked for. Only the standard library is used.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from .nested import item_name, masked, ordered, stashed
from .runtime import (
    ANYTHING,
    MISSING,
    OBJECT,
    TEXT,
    Change,
    ConversionError,
    Object,
    Part,
    Path,
    Ways,
    entries,
    one,
    own,
    part_of,
    put,
    through,
    within,
)
from .stash import (
    ITSELF,
    annotations_of,
    below,
    entry,
    layers,
    ours,
    same,
    take,
    witness,
)

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
    if at != version and at in known and version in known:
        for name in known:
            if stash + name in given:
                shown = at if name == hub else hub
                if name == at or not ours(given[stash + name], shown):
                    return _Moved(stash, hub, ways, known).convert(source, at, version)
    return through(source, version, group, hub, ways)


class _Moved:
    """The conversions of a kind, for an object that another hub has been at work on."""

    def __init__(self, stash: str, hub: str, ways: Ways, known: Fields) -> None:
        self._stash, self._hub, self._ways, self._known = stash, hub, ways, known

    def convert(self, source: Object, at: str, version: str) -> Object:
        """The object in another version."""
        made = self._with(self._without(source, at), at, self._layers(source, at))
        if at != self._hub:
            made = self._way(self._anew(made, at, self._hub), at, self._hub)
        for name in self._known:
            if name not in (at, self._hub):
                made = self._anew(made, self._hub, name)
        return made if version == self._hub else self._way(made, self._hub, version)

    def _way(self, obj: Object, at: str, version: str) -> Object:
        """The object in another version, with what had been put aside of that one."""
        found = self._layers(obj, version)
        if [shown for shown, _ in found] in ([], [at]):
            return self._ways[at, version](obj)
        made = self._ways[at, version](self._without(obj, version))
        return self._with(made, version, found)

    def _anew(self, obj: Object, at: str, version: str) -> Object:
        """The object with a stash made anew, if nothing else is lost by it."""
        found = self._layers(obj, version)
        if [shown for shown, _ in found] in ([], [at]):
            return obj
        try:
            there = self._way(obj, at, version)
            again = self._ways[version, at](there)
            if self._left(again, at, there) or self._dearer(obj, again, at, version):
                return obj
        except ConversionError:
            return obj
        return again

    def _dearer(self, obj: Object, again: Object, at: str, version: str) -> bool:
        """Whether other versions would miss more of what is put aside of them."""
        for name in self._known:
            if at == self._hub and name not in (at, version):
                before = self._left(self._way(obj, at, name), name, obj)
                if before < self._left(self._way(again, at, name), name, again):
                    return True
        return False

    def _left(self, obj: Object, version: str, other: Object) -> int:
        """How many entries that another object holds for a version are not in one."""
        walk = _Walk()
        for _, stash in self._layers(other, version)[:1]:
            walk.through(obj, stash, (OBJECT, self._known[version]))
        return walk.left

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
            obj = _Walk().through(obj, stash, (OBJECT, self._known[version]))
        return obj


class _Walk:
    """Brings back what a stash holds; `left` counts what is neither so nor made so."""

    def __init__(self) -> None:
        self.left = 0

    def through(self, obj: Object, stash: Any, part: Part) -> Object:
        """An object with what a stash holds for it; nothing given is changed."""
        made = dict(obj)
        if type(stash) is dict:
            self._inside(made, stash, part, ())
        return made

    def _inside(self, made: Object, stash: Object, part: Part, path: Path) -> None:
        """What is in an object or map at a path."""
        for name, known in stash.items():
            if name == ITSELF:
                continue
            key = name if name.strip("'") else name[:-1]
            here = (*path, key)
            inner = _METADATA if here == ("metadata",) else part_of(part, key)
            if inner is None:
                self.left += 1  # of another generation of the schema, or by hand
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
        if found is None:
            return
        value = found[1] if len(found) > 1 else MISSING
        _, back, free = (*found[0].split(":"), "", "")[:3]
        now = _at(made, path)
        held = len(path) - 1 - (int(free) if free.isdecimal() else 0)
        if same(now, value):
            return
        own(made, path)
        if witness(now) == back and value is MISSING:
            take(made, path, held)
            return
        self.left += 1
        if witness(now) == back and type(_at(made, path[:held])) is dict:
            try:
                put(made, path, one(value, *part, ""))
            except ConversionError:
                return  # put there by another generation of the API, or by hand
            self.left -= 1

    def _list(self, made: Object, path: Path, known: Object, part: Part) -> None:
        """What is in a list at a path."""
        value, about = _at(made, path), entry(known, (ITSELF,))
        if type(value) is not list:
            self.left += len(known)
            if about and type(about[-1]) is not dict:
                self._value(made, path, about, part)
            return
        names = _names(value, known.get(ITSELF))
        new = self._items(value, names, known, part_of(part, ITSELF) or _ANY)
        if about and type(about[-1]) is dict:
            new = self._ordered(new, names, *about[-1].values())
        elif about and value:
            new = self._longer(new, about, masked(value[0], known.get("0", {})), part)
        own(made, path)
        put(made, path, new)

    def _items(
        self, value: list[Any], names: list[str], known: Object, part: Part
    ) -> list[Any]:
        """The items of a list, each with what is put aside of it."""
        made = list(value)
        for name, inner in known.items():
            if type(inner) is not dict:
                continue
            told = inner.get(ITSELF)
            keys = type(told) is str and told[:1] == "["
            name = str(told) if keys else name
            item = value[names.index(name)] if name in names else MISSING
            back = MISSING if keys or type(told) is not str else told.partition(":")[2]
            if type(item) is dict and back in (MISSING, witness(masked(item, inner))):
                made[names.index(name)] = self.through(item, inner, part)
            else:
                self.left += 1
        return made

    def _ordered(self, value: list[Any], names: list[str], order: Any) -> list[Any]:
        """A list that is in the order of its keys, in the one that was put aside."""
        wanted = ordered(names, order)
        if names == wanted:
            return value
        if names != sorted({*names}):
            self.left += 1
            return value
        return [value[names.index(name)] for name in wanted]

    def _longer(
        self, value: list[Any], about: list[Any], first: Any, part: Part
    ) -> list[Any]:
        """A list of one item, with those that were put aside."""
        further: Any = about[-1]
        if type(further) is not list or same(value[1:], further):
            return value
        if len(value) == 1 and witness(first) == about[0].partition(":")[2]:
            try:
                made: list[Any] = one([*value, *further], *part, "")
            except ConversionError:
                pass
            else:
                return made
        self.left += 1
        return value


def _names(value: list[Any], about: Any) -> list[str]:
    """What the items of a list are called in a stash."""
    keys = list(about[-1]) if type(about) is list and type(about[-1]) is dict else []
    if keys:
        return [stashed(str(below(item, (keys[0],)))) for item in value]
    keys = _read(about) if type(about) is str else []
    if not keys:
        return [str(index) for index in range(len(value))]
    names: list[str] = []
    for item in value:
        name = item_name(item if type(item) is dict else {}, tuple(keys))
        while name in names:
            name += "'"
        names.append(name)
    return names


def _read(text: str) -> list[str]:
    """The names of keys."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return []
    return [name for name in found if type(name) is str] if type(found) is list else []


def _at(value: Any, path: Path) -> Any:
    """What stands at a path, MISSING where there is nothing."""
    for name in path:
        value = value.get(name, MISSING) if type(value) is dict else MISSING
    return value
