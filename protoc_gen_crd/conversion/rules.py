"""Rule files: kcp's APIConversion as it stands, with the forms that its design has and its converter lacks.

A rule of one direction names a `field` and its `destination`; `from` and `to` are the same. `names[0]` is the first
item of a list, `colors[i].name` with `colors[].realName` goes through the items of both, `colors[key]` through the
entries of a map. `itemRules` stand below a list to list rule; a `transformation` is CEL, or a mapping of fields of an
item to CEL.

Source: kcp-dev/kcp config/crds/apis.kcp.io_apiconversions.yaml, of 2026.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.diagnostics import Location, Problems
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion import paths
from protoc_gen_crd.conversion.paths import Path
from protoc_gen_crd.crd.types import Crd

KIND, GROUP = "APIConversion", "apis.kcp.io"
DROPPED = "conversion-drop"  # the annotation for what kcp has no member for: {from: {to: [path]}} as JSON
Steps = tuple[str | int, ...]
Places = Callable[[Steps], Location]

_RULE = ("field", "destination", "from", "to", "transformation", "itemRules", "key", "default", "function")
_CONVERSION = ("from", "to", "rules", "preserve", "drop")


class Rule(Record):
    """One rule of one direction, its paths without the versions that may stand before them."""

    field: Path
    destination: Path
    origin: Location
    transformation: Any = None
    key: str = ""
    function: str = ""
    default: Any = None

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


class Reader:
    """Reads one document."""

    def __init__(self, places: Places, problems: Problems) -> None:
        self._places, self._problems = places, problems
        self._dropped: Mapping[str, Any] = {}

    def read(self, document: Mapping[str, Any]) -> RuleFile:
        """The rules of an APIConversion; what is wrong with them is reported."""
        metadata = document.get("metadata")
        name = str(metadata.get("name", "")) if isinstance(metadata, dict) else ""
        self._dropped = _dropped(metadata)
        spec = document.get("spec")
        found = spec.get("conversions") if isinstance(spec, dict) else None
        return self.listed(name, found, ("spec", "conversions"))

    def listed(self, name: str, given: Any, around: Steps) -> RuleFile:
        """The same of the list of conversions alone, at a path of what is read."""
        directions: list[Direction] = []
        for index, entry in enumerate(_listed(given)):
            at: Steps = (*around, index)
            made = self._direction(entry, at)
            if any((one.source, one.target) == (made.source, made.target) for one in directions):
                self._report(f"a direction must stand once, found {made.source} to {made.target} again", at)
            else:
                directions.append(made)
        return RuleFile(name, tuple(directions), self._places(()))

    def _direction(self, entry: Any, at: Steps) -> Direction:
        given = self._mapping(entry, at, _CONVERSION)
        source, target = str(given.get("from", "")), str(given.get("to", ""))
        rules = [
            rule
            for index, each in enumerate(_listed(given.get("rules")))
            for rule in self._rules(each, (*at, "rules", index), (source, target))
        ]
        lost = self._dropped.get(source)
        dropped = [*_listed(given.get("drop")), *_listed(lost.get(target) if isinstance(lost, dict) else None)]
        preserve = tuple(self._named(given.get("preserve"), (*at, "preserve"), source))
        drop = tuple(self._named(dropped, (*at, "drop"), source))
        return Direction(source, target, tuple(rules), preserve, drop, self._places(at))

    def _named(self, given: Any, at: Steps, version: str) -> Iterator[tuple[Path, Location]]:
        for index, text in enumerate(_listed(given)):
            path = self._path(text, (*at, index), version)
            if path is not None:
                yield path, self._places((*at, index))

    def _rules(self, entry: Any, at: Steps, versions: tuple[str, str]) -> Iterator[Rule]:
        given = self._mapping(entry, at, _RULE)
        start = given.get("field", given.get("from"))
        field = () if start is None and "default" in given else self._path(start, at, versions[0])
        destination = self._path(given.get("destination", given.get("to")), at, versions[1])
        if field is None or destination is None:
            return
        origin = self._places(at)
        yield Rule(field, destination, origin, **_extras(given))
        for index, each in enumerate(_listed(given.get("itemRules"))):
            here: Steps = (*at, "itemRules", index)
            inner = self._mapping(each, here, _RULE)
            one = self._path(inner.get("from", inner.get("field")), here, "self")
            two = self._path(inner.get("to", inner.get("destination")), here, "item")
            if one is not None and two is not None:
                ends = (*field, paths.ITEM, *one), (*destination, paths.ITEM, *two)
                yield Rule(*ends, self._places(here), **_extras(inner))

    def _mapping(self, entry: Any, at: Steps, known: Sequence[str]) -> Mapping[str, Any]:
        if not isinstance(entry, dict):
            self._report(f"a rule must be a mapping of {', '.join(known)}, found {entry!r}", at)
            return {}
        for name in entry:
            if name not in known:
                hint = self._problems.suggestion(name, known)
                self._report(f'a rule must have keys that are known, found "{name}"', (*at, name), hint)
        return entry

    def _path(self, text: Any, at: Steps, version: str) -> Path | None:
        """A path, in any of its spellings: with a dot before it, or with the version or `self`, `item`."""
        if not isinstance(text, str) or not text:
            self._report(f"a rule must name a field and its destination, found {text!r}", at)
            return None
        try:
            path = paths.parse(text)
        except paths.PathError as error:
            self._problems.report("conversion-path", str(error), self._places(at))
            return None
        return path[1:] if len(path) > 1 and path[0] in (version, "self") else path

    def _report(self, problem: str, at: Steps, hint: str = "") -> None:
        self._problems.report("conversion-rule", problem, self._places(at), hint=hint)


def _extras(given: Mapping[str, Any]) -> dict[str, Any]:
    texts = {name: str(given[name]) for name in ("key", "function") if name in given}
    made = given.get("transformation")
    return {**texts, "transformation": None if made == "self" else made, "default": given.get("default")}


def _listed(given: Any) -> Sequence[Any]:
    return given if isinstance(given, list) else ()


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
