"""What every conversion must keep to, said of one object; and the first path at which two objects differ."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion.helpers.runtime import MISSING, ConversionError, Object
from protoc_gen_crd.conversion.helpers.stash import same
from protoc_gen_crd.conversion.plan.paths import ITEM, VALUE, Path, shown

Convert = Callable[[Object, str], Object]
Errors = Callable[[Object], Sequence[str]]
_FAILED = ""  # the key of what stands in place of an object that cannot be converted: the reason
_REFUSED = re.compile(r": (must be (within|a number that JSON can hold)|the expression .* found .*(overflow|range))")
_LARGE = 2**31 - 1  # numbers from here on may lead out of what another type holds
_OTHERS: dict[type, Callable[[Any], Any]] = {
    str: lambda value: f"{value}x",
    int: lambda value: value + 1,
    bool: lambda value: not value,
}
_RETURNS = "what is converted must convert back"


class Kept(Record):
    """A field that is put aside, and how many of the objects around it must still be there for it to come back.

    There must be none of the others, with which it is in a oneof.
    """

    path: Path
    held: int
    others: tuple[Path, ...] = ()


class Told(Record):
    """What a plan says of a way: its ends, the fields that are kept by themselves, those lost on purpose each way."""

    group: str
    ends: tuple[str, str]
    kept: tuple[Kept, ...] = ()
    dropped: tuple[Path, ...] = ()
    dropped_back: tuple[Path, ...] = ()
    one_way: tuple[Path, ...] = ()  # fields of the target of which nothing leads back
    given: tuple[tuple[Path, Any], ...] = ()  # what fields of the target that are missing come back with
    around: tuple[tuple[Path, str], ...] = ()  # what the way back makes with a look at the whole object, and of which


class Broken(Record):
    """A law that does not hold for an object: which, between which versions, where, and what was found there."""

    law: str
    source: str
    target: str
    object: Object
    path: str
    found: str


class Laws:
    """The laws of one way, from a version to another and back."""

    def __init__(self, told: Told, convert: Convert, errors: Errors) -> None:
        self.source, self.target = told.ends
        self._convert, self._errors, self._told = convert, errors, told
        self._stashes = tuple([f"{told.group}/conversion-stash.{name}" for name in told.ends])

    def there(self, obj: Object) -> Object | Broken | None:
        """The object in the other version, where it must be valid; None for one with a number that it cannot hold."""
        given = _copy(obj)
        try:
            made = self._convert(given, self.target)
        except ConversionError as error:
            return self._broken("an object must convert", obj, "", str(error))
        changed = differing(obj, given)
        if changed:
            return self._broken("what is converted must stay as it is for who gives it", obj, *changed)
        faults = self._errors(made)
        if faults:
            return self._broken("what is converted must be valid", obj, "", faults[0])
        return made

    def back(self, obj: Object, made: Object) -> Broken | None:
        """It comes back as it was, and goes there again to the same."""
        returned = self._to(made, self.source)
        if _failed(returned):
            return self._broken(_RETURNS, obj, "", returned[_FAILED])
        found = differing(*(_without(_bare(each), self._told.dropped) for each in (obj, returned)))
        if found:
            return self._broken("an object must come back as it was", obj, *found)
        found = _differing(made, self._to(returned, self.target))
        return self._broken("what is converted again must be the same", obj, *found) if found else None

    def settled(self, obj: Object, made: Object) -> Broken | None:
        """What is shown stays so when it goes back and comes again, even if nobody keeps the annotation."""
        bare = _bare(made, self._stashes)
        returned = _bare(self._to(bare, self.source), self._stashes)
        again = _bare(self._to(returned, self.target), self._stashes)
        less = again if _failed(again) else _less(again, bare, self._told.given)
        found = _differing(*(_without(each, self._told.one_way) for each in (bare, less)))
        return self._broken("what is shown must stay the same on further trips", obj, *found) if found else None

    def edited(self, obj: Object) -> Broken | None:
        """What a client of the other version has written is what it reads, whatever was put aside before."""
        there = self._to(obj, self.source)
        returned = self._to(there, self.target)
        if _failed(returned):
            return self._broken(_RETURNS, obj, "", returned[_FAILED], back=True)
        faults = self._errors(there)
        if faults:
            return self._broken("what is converted must be valid", obj, "", faults[0], back=True)
        lost = self._told.dropped_back
        found = differing(*(_without(_bare(each, self._stashes), lost) for each in (obj, returned)))
        return self._broken("what a client writes must be what it reads", obj, *found, back=True) if found else None

    def survives(self, obj: Object, edited: Object) -> Broken | None:
        """What a client of the other version cannot see is still there after it has written."""
        returned = self._to(edited, self.source)
        for each in self._told.kept if not _failed(returned) else ():
            value = _at(obj, each.path)
            inside = each.held == 0 or _at(returned, each.path[: each.held]) is not MISSING
            inside &= all(_at(returned, other) is MISSING for other in each.others)
            if inside and not same(value, _at(returned, each.path)):
                found = f"{_text(_at(returned, each.path))} instead of {_text(value)}"
                law = f"what {self.target} cannot show must survive an update there"
                return self._broken(law, obj, shown(each.path), found)
        return None

    def wins(self, made: Object, edited: Object) -> Broken | None:
        """What the way back makes of an edit elsewhere is there, whatever was put aside."""
        trips = (_bare(made, self._stashes), _bare(edited, self._stashes), edited)
        ends = [self._to(each, self.source) for each in trips]
        for path, _ in self._told.around if not any(map(_failed, ends)) else ():
            before, after, found = ([*_all(end, path)] for end in ends)
            for old, new, now in zip(before, after, found, strict=False):
                if not same(old, new) and not same(new, now):
                    told = f"{_text(now)} instead of {_text(new)}"
                    law = "what an expression makes of an edit must win over what was put aside"
                    return self._broken(law, edited, shown(path), told, back=True)
        return None

    def edits(self, made: Object) -> Iterator[Object]:
        """The object with each field changed alone that an expression of the way back looks at, or without it."""
        names = {name for _, text in self._told.around for name in re.findall(r"\w+", text)}
        yield from _altered(made, names - {"apiVersion", "kind", "metadata"})

    def _to(self, obj: Object, version: str) -> Object:
        """An object in a version; what tells why it cannot be, which stays."""
        try:
            return obj if _failed(obj) else self._convert(_copy(obj), version)
        except ConversionError as error:
            return {_FAILED: str(error)}

    def _broken(self, law: str, obj: Object, path: str, found: str, *, back: bool = False) -> Broken | None:
        """A law that does not hold; a large number that leads out of what a type can hold is refused, as it must be."""
        if not path and _REFUSED.search(found) and _is_large(obj):
            return None
        ends = (self.target, self.source) if back else (self.source, self.target)
        return Broken(law, *ends, obj, path, found)


def _copy(obj: Object) -> Object:
    """A copy, so that a function that changes what it is given spoils nothing else."""
    copied: Object = json.loads(json.dumps(obj))
    return copied


def _is_large(value: Any) -> bool:
    """Whether there is a large number in a value."""
    if isinstance(value, (dict, list)):
        return any(map(_is_large, value.values() if isinstance(value, dict) else value))
    return type(value) in (int, float) and abs(value) >= _LARGE


def _failed(obj: Object) -> bool:
    return _FAILED in obj


def _differing(wanted: Object, found: Object) -> tuple[str, str] | None:
    """The same as `differing`, or why one of the two could not be made."""
    failed = next((each for each in (wanted, found) if _failed(each)), None)
    return ("", failed[_FAILED]) if failed else differing(wanted, found)


def _at(obj: Any, path: Path) -> Any:
    for step in path:
        if type(obj) is not dict or step not in obj:
            return MISSING
        obj = obj[step]
    return obj


def _all(value: Any, path: Path) -> Iterator[Any]:
    """What stands at a path, in each item or entry that it goes through."""
    if not path:
        yield value
    elif path[0] in (ITEM, VALUE):
        for part in value.values() if type(value) is dict else value if type(value) is list else ():
            yield from _all(part, path[1:])
    else:
        yield from _all(value.get(path[0], MISSING) if type(value) is dict else MISSING, path[1:])


def _altered(value: Object, names: Collection[str]) -> Iterator[Object]:
    """An object with one scalar of some names changed each, or taken away, lists left as they are."""
    for name, part in value.items():
        if type(part) is dict:
            yield from ({**value, name: inner} for inner in _altered(part, names))
        elif name in names and type(part) is not list:
            yield {key: each for key, each in value.items() if key != name}
            other = _OTHERS.get(type(part))
            yield from [{**value, name: other(part)}] if other else []


def _bare(obj: Object, without: Sequence[str] = ()) -> Object:
    """An object without some annotations, and without annotations that are empty, as servers have it."""
    metadata = obj.get("metadata")
    if type(metadata) is not dict or type(metadata.get("annotations", {})) is not dict:
        return obj
    annotations = {name: text for name, text in metadata.get("annotations", {}).items() if name not in without}
    others = {name: value for name, value in metadata.items() if name != "annotations"}
    return {**obj, "metadata": {**others, **({"annotations": annotations} if annotations else {})}}


def _without(value: Any, paths: Sequence[Path]) -> Any:
    """Plain data without what stands at some paths, and without objects around it that are empty."""
    if () in paths or (paths and value == {}):
        return MISSING
    below = [path for path in paths if path]
    if not below:
        return value
    if type(value) is list:
        inner = [path[1:] for path in below if path[0] == ITEM]
        return [_without(item, inner) for item in value]
    if type(value) is not dict:
        return value
    parts = {
        key: _without(part, [path[1:] for path in below if path[0] in (key, VALUE)]) for key, part in value.items()
    }
    left = {key: part for key, part in parts.items() if part is not MISSING}
    return left or MISSING


def _less(found: Any, wanted: Any, given: Sequence[tuple[Path, Any]]) -> Any:
    """Plain data without the defaults that fields have been given where there was nothing."""
    if not given or found is MISSING:
        return found
    if (wanted is MISSING or wanted is None) and any(not path and same(found, value) for path, value in given):
        return wanted
    if type(found) is list:
        items = [*(wanted if type(wanted) is list else ()), *(MISSING for _ in found)]
        inner = [(path[1:], value) for path, value in given if path[:1] == (ITEM,)]
        return [_less(item, known, inner) for item, known in zip(found, items, strict=False)]
    if type(found) is not dict:
        return found
    known = wanted if type(wanted) is dict else {}
    parts = {
        key: _less(
            part,
            known.get(key, MISSING),
            [(path[1:], value) for path, value in given if path[:1] in ((key,), (VALUE,))],
        )
        for key, part in found.items()
    }
    left = {key: part for key, part in parts.items() if part is not MISSING}
    return left if left or wanted is not MISSING else MISSING


def differing(wanted: Any, found: Any, path: Path = ()) -> tuple[str, str] | None:
    """The first path at which plain data differs, and what is found there."""
    if same(wanted, found):
        return None
    if type(wanted) is type(found) is dict:
        for key in (*wanted, *(key for key in found if key not in wanted)):
            inner = differing(wanted.get(key, MISSING), found.get(key, MISSING), (*path, key))
            if inner:
                return inner
    if type(wanted) is type(found) is list and len(wanted) == len(found):
        pairs = enumerate(zip(wanted, found, strict=True))
        return next(inner for index, pair in pairs if (inner := differing(*pair, (*path, f"[{index}]"))))
    return shown(path), f"{_text(found)} instead of {_text(wanted)}"


def _text(value: Any) -> str:
    text = "nothing" if value is MISSING else json.dumps(value, ensure_ascii=False, sort_keys=True)
    return text if len(text) <= 120 else f"{text[:120]}..."


def plain(path: Path) -> bool:
    """Whether a path goes through no list and no map."""
    return ITEM not in path and VALUE not in path
