"""Rule files: kcp's APIConversion as it stands, with the forms that its design has and its converter lacks.

A rule of one direction names a `field` and its `destination`; `from` and `to` are the same. `names[0]` is the first
item of a list, `colors[i].name` with `colors[].realName` goes through the items of both, `colors[key]` through the
entries of a map. `itemRules` stand below a list to list rule, and below each other; a `transformation` is CEL, or a
mapping of fields of an item to CEL, for the entries of a map that the field, or `forEach` beside it, leads to.

Source: kcp-dev/kcp config/crds/apis.kcp.io_apiconversions.yaml, of 2026.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base import jsontext
from protoc_gen_crd.base.diagnostics import Location, Problems
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion.derive.wellformed import name_fault
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.paths import BRACKETS, Path
from protoc_gen_crd.conversion.plan.texts import looks_at, renamed
from protoc_gen_crd.crd.types import Crd

KIND, GROUP = "APIConversion", "apis.kcp.io"
DROPPED = "conversion-drop"  # the annotation for what kcp has no member for: {from: {to: [path]}} as JSON
Steps = tuple[str | int, ...]
Places = Callable[[Steps], Location]

_ENDS = ("field", "from"), ("destination", "to")  # the second is another name of the first
_MAKERS = ("transformation", "function", "default", "itemRules")  # of which one alone can hold
_RULE = (*_ENDS[0], *_ENDS[1], "forEach", *_MAKERS, "key")
_NEVER_NULL = ("default", "function", "key")
_CONVERSION = ("from", "to", "rules", "preserve", "drop")


class RulePlace(Location):
    """Where something of a document stands, told from the rest by its path: one place, or none, may be that of many."""

    path: Steps = ()

    def resolve(self) -> Location:
        """The place alone."""
        return Location(self.file, self.line, self.column)


class Rule(Record):
    """One rule of one direction, its paths without the versions that may stand before them."""

    field: Path
    destination: Path
    origin: Location
    transformation: Any = None
    key: str = ""
    function: str = ""
    default: Any = None
    carried: bool = False  # nobody has written it
    apart: bool = False  # it says a part of what another one says of entries
    value: str = ""  # the field of items that such a part makes of a value which is no object, or the other way round

    def mirrors(self, other: Rule) -> bool:
        """Whether a rule of the other direction goes the same way back."""
        plain = self.default is None and other.default is None
        return plain and self.field == other.destination and self.destination == other.field


class Direction(Record):
    """The rules from a version to another, and the fields that are put aside or lost on purpose."""

    source: str
    target: str
    rules: tuple[Rule, ...]
    preserve: tuple[tuple[Path, Location], ...]
    drop: tuple[tuple[Path, Location], ...]
    origin: Location
    faulty: bool = False  # it has been told what cannot be read of it


class RuleFile(Record):
    """One APIConversion: the name of its CRD or schema, and its directions."""

    name: str
    directions: tuple[Direction, ...]
    origin: Location

    def about(self, crd: Crd) -> bool:
        """Whether it is about a kind; names of schemas have a prefix before that of the CRD."""
        return self.name == crd.name or self.name.endswith(f".{crd.name}")

    def direction(self, source: str, target: str) -> Direction | None:
        """What it says of one direction."""
        return next((one for one in self.directions if (one.source, one.target) == (source, target)), None)


class _Ends(Record):
    """The two ends of rules: where their paths start, and the names that may stand before them."""

    names: tuple[str, str]
    around: tuple[Path, Path] = ((), ())

    def inside(self, rule: Rule) -> _Ends:
        """Those of the rules for each item of what a rule leads to."""
        ends = (rule.field, rule.destination)
        field, destination = (end if end and end[-1] in BRACKETS else (*end, paths.ITEM) for end in ends)
        return _Ends(("self", "item"), (field, destination))


class Reader:
    """Reads one document."""

    def __init__(self, places: Places, problems: Problems) -> None:
        self._found, self._problems = places, problems
        self._dropped: Mapping[str, Any] = {}

    def read(self, document: Mapping[str, Any]) -> RuleFile:
        """The rules of an APIConversion; what is wrong with them is reported."""
        metadata = document.get("metadata")
        name = str(metadata.get("name", "")) if isinstance(metadata, dict) else ""
        self._dropped = _dropped(metadata)
        spec = self._mapping(document.get("spec"), ("spec",), ("conversions",))
        if "conversions" in spec and spec["conversions"] is None:
            self._wrong('"conversions" must be a list, found null', ("spec", "conversions"))
        return self.listed(name, spec.get("conversions"), ("spec", "conversions"))

    def listed(self, name: str, given: Any, around: Steps) -> RuleFile:
        """The same of the list of conversions alone, at a path of what is read."""
        directions: list[Direction] = []
        for index, entry in enumerate(self._items(given, around)):
            at: Steps = (*around, index)
            made = self._direction(entry, at)
            if any((one.source, one.target) == (made.source, made.target) for one in directions):
                self._wrong(f"a direction must stand once, found {made.source} to {made.target} again", at)
            else:
                directions.append(made)
        return RuleFile(name, tuple(directions), self._places(()))

    def _places(self, at: Steps) -> Location:
        found = self._found(at)
        return RulePlace(found.file, found.line, found.column, at)

    def _direction(self, entry: Any, at: Steps) -> Direction:
        before = len(self._problems.findings)
        given = self._mapping(entry, at, _CONVERSION)
        source, target = str(given.get("from", "")), str(given.get("to", ""))
        rules = [
            rule
            for index, each in enumerate(self._items(given.get("rules"), (*at, "rules")))
            for rule in self._rules(each, (*at, "rules", index), _Ends((source, target)))
        ]
        lost = self._dropped.get(source)
        also = lost.get(target) if isinstance(lost, dict) else None
        dropped = [*self._items(given.get("drop"), (*at, "drop")), *(also if isinstance(also, list) else ())]
        preserved = self._items(given.get("preserve"), (*at, "preserve"))
        preserve = tuple(self._named(preserved, (*at, "preserve"), source))
        drop = tuple(self._named(dropped, (*at, "drop"), source))
        faulty = len(self._problems.findings) > before
        return Direction(source, target, tuple(rules), preserve, drop, self._places(at), faulty)

    def _named(self, given: Sequence[Any], at: Steps, version: str) -> Iterator[tuple[Path, Location]]:
        for index, text in enumerate(given):
            path = self._path(text, (*at, index), version)
            if path:
                yield path, self._places((*at, index))

    def _rules(self, entry: Any, at: Steps, ends: _Ends) -> Iterator[Rule]:
        """A rule, and those of the items that it leads to."""
        given = self._mapping(entry, at, _RULE)
        field, destination = self._end(given, at, ends, 0), self._end(given, at, ends, 1)
        if field is None or destination is None:
            return
        self._exclude(given, at)
        if "key" in given and (field[-1:], destination[-1:]) != ((paths.ITEM,), (paths.VALUE,)):
            found = f"{jsontext.shown(given['key'])} beside other ends"
            self._wrong(f'"key" must go with items of a list that become entries of a map, found {found}', (*at, "key"))
        rule = Rule(field, destination, self._places(at), **_extras(given))
        yield from self._each(rule, given, at, ends) if "forEach" in given else (rule,)
        for index, each in enumerate(self._items(given.get("itemRules"), (*at, "itemRules"))):
            yield from self._rules(each, (*at, "itemRules", index), ends.inside(rule))

    def _end(self, given: Mapping[str, Any], at: Steps, ends: _Ends, end: int) -> Path | None:
        """Where a rule reads or writes, by either of the two names that this has; None, with a finding, for nowhere."""
        known = [name for name in _ENDS[end] if name in given]
        if end == 0 and not known and "default" in given:
            return ()
        found = [self._path(given[name], at, ends.names[end], bare=bool(ends.around[end])) for name in known]
        if not found and any(name in _RULE for name in given):
            self._wrong(f"a rule must name its {_ENDS[end][0]}, found none in {', '.join(given)}", at)
        if not found or None in found:
            return None
        if len(set(found)) > 1:
            one, other = (f'"{name}" {jsontext.shown(given[name])}' for name in known)
            self._wrong(f"a rule must name its {known[0]} once, found {one} and {other}", (*at, known[1]))
        return (*ends.around[end], *(found[0] or ()))

    def _each(self, rule: Rule, given: Mapping[str, Any], at: Steps, ends: _Ends) -> Iterator[Rule]:
        """A rule of an object for each entry of a map in it, as the rule of that map that it stands for."""
        entries = self._path(given["forEach"], (*at, "forEach"), ends.names[0])
        made = rule.transformation
        if entries is None or entries[-1:] != (paths.VALUE,) or not isinstance(made, dict | str):
            found = f"{jsontext.shown(given['forEach'])} with {'such' if isinstance(made, dict | str) else 'none'}"
            wanted = 'go with a transformation that makes fields of an item of "key", "value" and "self"'
            self._wrong(
                f'"forEach" must lead to the entries of a map, MAP[key], and {wanted}, found {found}', (*at, "forEach")
            )
            return
        texts = [made] if isinstance(made, str) else [str(text) for text in made.values()]
        if set(BRACKETS).intersection(rule.field) and any(looks_at(text, "self") for text in texts):
            found = jsontext.shown(paths.shown(rule.field))
            self._wrong(f'"self" beside "forEach" must be in no list or map, found {found}', (*at, "forEach"))
            return
        # What a rule of an object says, as a rule of the map says it.
        names = {"value": "self", "self": ".".join(("root", paths.shown(rule.field)))}
        fields = {name: _said(text, names) for name, text in made.items()} if isinstance(made, dict) else None
        made = _said(made, names) if fields is None else fields
        yield rule.replace(field=(*ends.around[0], *entries), transformation=made)

    def _exclude(self, given: Mapping[str, Any], at: Steps) -> None:
        """Report what a rule cannot say, or not together."""
        said = [name for name in _MAKERS if given.get(name) is not None and given[name] != "self"]
        if isinstance(given.get("transformation"), dict) and "itemRules" in said:
            said.remove("itemRules")
        if len(said) > 1:
            self._wrong(f"a rule must say one thing of {' and '.join(said)}, found {len(said)}", (*at, said[1]))
        for name in _NEVER_NULL:
            if name in given and given[name] is None:
                self._wrong(f'"{name}" must have a value, found null', (*at, name))
        wrong = name_fault(given["function"]) if "function" in given else ""
        if wrong:
            self._wrong(f'"function" must {wrong}', (*at, "function"))

    def _mapping(self, entry: Any, at: Steps, known: Sequence[str]) -> Mapping[str, Any]:
        if not isinstance(entry, dict) or not entry:
            found = "nothing" if entry is None or entry == {} else repr(entry)
            self._wrong(f"a rule must be a mapping of {', '.join(known)}, found {found}", at)
            return {}
        for name in entry:
            if name not in known:
                hint = self._problems.suggestion(str(name), known)
                self._wrong(f'a rule must have keys that are known, found "{name}"', (*at, name), hint)
        return entry

    def _items(self, given: Any, at: Steps) -> Sequence[Any]:
        """The items of a list, none where there is none."""
        if given is None or isinstance(given, list):
            return given or ()
        self._wrong(f'"{at[-1] if at else "conversions"}" must be a list, found {jsontext.shown(given)}', at)
        return ()

    def _path(self, text: Any, at: Steps, version: str, *, bare: bool = False) -> Path | None:
        """A path, in any of its spellings: with a dot before it, or with the version or `self`, `item`.

        A `bare` one may name what the rule is about itself.
        """
        if not isinstance(text, str) or not text:
            self._wrong(f"a rule must name a field and its destination, found {jsontext.shown(text)}", at)
            return None
        try:
            path = paths.parse(text)
        except paths.PathError as error:
            self._problems.report("conversion-path", str(error), self._places(at))
            return None
        return path[1:] if (bare or len(path) > 1) and path[0] in (version, "self") else path

    def _wrong(self, problem: str, at: Steps, hint: str = "") -> None:
        self._problems.report("conversion-rule", problem, self._places(at), hint=hint)


def _extras(given: Mapping[str, Any]) -> dict[str, Any]:
    texts = {name: str(given[name]) for name in ("key", "function") if name in given}
    made = given.get("transformation")
    return {**texts, "transformation": None if made == "self" else made, "default": given.get("default")}


def _said(text: Any, names: Mapping[str, str]) -> Any:
    """An expression with other names; anything else as it is."""
    return renamed(text, names) if isinstance(text, str) else text


def _dropped(metadata: Any) -> Mapping[str, Any]:
    """What the annotation says is lost on purpose; nothing where somebody else has written it."""
    annotations = metadata.get("annotations") if isinstance(metadata, dict) else None
    for name, text in annotations.items() if isinstance(annotations, dict) else ():
        if str(name).endswith(f"/{DROPPED}"):
            try:
                found = json.loads(str(text))
            except ValueError:
                continue
            return found if isinstance(found, dict) else {}
    return {}
