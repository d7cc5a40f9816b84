"""Rule files: kcp's APIConversion, with the forms that only its design describes.

A rule of one direction names a `field` and its `destination`; `from` and `to` are the same. `names[0]` is the first
item of a list, `colors[i].name` with `colors[].realName` goes through the items of both, `colors[key]` through the
entries of a map. `itemRules` stand below a list to list rule, and below each other; a `transformation` is CEL, or a
mapping of fields of an item to CEL, for the entries of a map that the field, or `forEach` beside it, leads to.

Source: kcp-dev/kcp config/crds/apis.kcp.io_apiconversions.yaml, of 2026.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base import bounded_json
from protoc_gen_crd.base.escapes import control_fault
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion.derivation.declaration_checks import find_function_name_error
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.cel_variables import has_variable, rename_variables
from protoc_gen_crd.conversion.plan.paths import BRACKETS, Path
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.findings.finding import Location, Problems

KIND, GROUP = "APIConversion", "apis.kcp.io"
_API_VERSION = f"{GROUP}/v1alpha1"  # the only one of these kinds; others of kcp have newer versions
DROP_ANNOTATION = "conversion-drop"  # the annotation for what kcp has no member for: {from: {to: [path]}} as JSON
DocumentPath = tuple[str | int, ...]
PlaceLookup = Callable[[DocumentPath], Location]

_END_MEMBERS = ("field", "from"), ("destination", "to")  # the second is another name of the first
_EXCLUSIVE_MEMBERS = ("transformation", "function", "default", "itemRules")  # of which one alone can hold
_RULE_MEMBERS = (*_END_MEMBERS[0], *_END_MEMBERS[1], "forEach", *_EXCLUSIVE_MEMBERS, "key")
_NON_NULL_MEMBERS = ("default", "function", "key")
_KEY_PATTERN = re.compile(r"(?:self\.)?[^.\[\]'\"]+")
_CONVERSION_MEMBERS = ("from", "to", "rules", "preserve", "drop")


class RulePlace(Location):
    """A location with its path in a document, since several elements can share a location."""

    path: DocumentPath = ()

    def resolve(self) -> Location:
        """Return the location without the path."""
        return Location(self.file, self.line, self.column)


class ConversionRule(Record):
    """One rule of one direction, its paths without version prefixes."""

    field: Path
    destination: Path
    origin: Location
    transformation: Any = None
    key: str = ""
    function: str = ""
    default: Any = None
    implicit: bool = False  # derived, not declared
    partial: bool = False  # it converts a field for another rule of entries
    value: str = ""  # the field of items that a partial rule computes from a scalar, or the reverse

    def is_inverse(self, other: ConversionRule) -> bool:
        """Return True if a rule of the other direction is the inverse."""
        plain = self.default is None and other.default is None
        return plain and self.field == other.destination and self.destination == other.field


class DirectionRules(Record):
    """The rules of one direction, and its preserved and dropped fields."""

    source: str
    target: str
    rules: tuple[ConversionRule, ...]
    preserve: tuple[tuple[Path, Location], ...]
    drop: tuple[tuple[Path, Location], ...]
    origin: Location
    invalid: bool = False  # its problems are reported


class RuleFile(Record):
    """One APIConversion: the name of its CRD or schema, and its directions."""

    name: str
    directions: tuple[DirectionRules, ...]
    origin: Location

    def is_applicable(self, crd: Crd) -> bool:
        """Return True if the rules apply to a CRD; names of schemas have a prefix before that of the CRD."""
        return self.name == crd.name or self.name.endswith(f".{crd.name}")

    def find_direction(self, source: str, target: str) -> DirectionRules | None:
        """Return the rules of one direction; None if there are none."""
        return next(
            (direction for direction in self.directions if (direction.source, direction.target) == (source, target)),
            None,
        )


class _RuleScope(Record):
    """The two ends of rules: the start of their paths, and allowed prefixes."""

    prefixes: tuple[str, str]
    containers: tuple[Path, Path] = ((), ())

    def enter_items(self, rule: ConversionRule) -> _RuleScope:
        """Return the scope of the item rules of a rule."""
        ends = (rule.field, rule.destination)
        field, destination = (end if end and end[-1] in BRACKETS else (*end, paths.ITEM) for end in ends)
        return _RuleScope(("self", "item"), (field, destination))


def report_unknown_version(document: Mapping[str, Any], kind: str, find_place: PlaceLookup, problems: Problems) -> None:
    """Report an apiVersion that kcp does not have for APIConversion and APIResourceSchema; it may be missing."""
    api_version = document.get("apiVersion", _API_VERSION)
    if api_version != _API_VERSION:
        message = f"unknown version of {kind}: {bounded_json.format_string(api_version)}"
        hint = f"the supported version is {_API_VERSION}"
        problems.report("conversion-rule", message, find_place(("apiVersion",)), hint=hint)


class RuleReader:
    """Reads one document."""

    def __init__(self, places: PlaceLookup, problems: Problems) -> None:
        self._find_place, self._problems = places, problems
        self._dropped: Mapping[str, Any] = {}

    def read(self, document: Mapping[str, Any]) -> RuleFile:
        """Read the rules of an APIConversion; report its errors."""
        report_unknown_version(document, KIND, self._get_place, self._problems)
        metadata = document.get("metadata")
        name = bounded_json.format_string(metadata.get("name", "")) if isinstance(metadata, dict) else ""
        self._dropped = _read_drop_annotation(metadata)
        spec = self._read_mapping(document.get("spec"), ("spec",), ("conversions",))
        if "conversions" in spec and spec["conversions"] is None:
            self._report('"conversions" is not a list: null', ("spec", "conversions"))
        return self.read_directions(name, spec.get("conversions"), ("spec", "conversions"))

    def read_directions(self, name: str, entries: Any, around: DocumentPath) -> RuleFile:
        """Read a list of conversions at a path of a document."""
        directions: list[DirectionRules] = []
        for index, entry in enumerate(self._read_items(entries, around)):
            at: DocumentPath = (*around, index)
            direction = self._read_direction(entry, at)
            if any((other.source, other.target) == (direction.source, direction.target) for other in directions):
                self._report(f'duplicate direction "{direction.source}" to "{direction.target}"', at)
            else:
                directions.append(direction)
        return RuleFile(name, tuple(directions), self._get_place(()))

    def _get_place(self, at: DocumentPath) -> Location:
        location = self._find_place(at)
        return RulePlace(location.file, location.line, location.column, at)

    def _read_direction(self, entry: Any, at: DocumentPath) -> DirectionRules:
        before = len(self._problems.findings)
        members = self._read_mapping(entry, at, _CONVERSION_MEMBERS)
        source, target = (bounded_json.format_string(members.get(name, "")) for name in ("from", "to"))
        rules = [
            rule
            for index, rule_entry in enumerate(self._read_items(members.get("rules"), (*at, "rules")))
            for rule in self._read_rules(rule_entry, (*at, "rules", index), _RuleScope((source, target)))
        ]
        dropped_by_target = self._dropped.get(source)
        annotated = dropped_by_target.get(target) if isinstance(dropped_by_target, dict) else None
        dropped = [
            *self._read_items(members.get("drop"), (*at, "drop")),
            *(annotated if isinstance(annotated, list) else ()),
        ]
        preserved = self._read_items(members.get("preserve"), (*at, "preserve"))
        preserve = tuple(self._read_paths(preserved, (*at, "preserve"), source))
        drop = tuple(self._read_paths(dropped, (*at, "drop"), source))
        faulty = len(self._problems.findings) > before
        return DirectionRules(source, target, tuple(rules), preserve, drop, self._get_place(at), faulty)

    def _read_paths(self, entries: Sequence[Any], at: DocumentPath, version: str) -> Iterator[tuple[Path, Location]]:
        for index, entry in enumerate(entries):
            path = self._read_path(entry, (*at, index), version)
            if path:
                yield path, self._get_place((*at, index))

    def _read_rules(self, entry: Any, at: DocumentPath, ends: _RuleScope) -> Iterator[ConversionRule]:
        """Read a rule and its item rules."""
        members = self._read_mapping(entry, at, _RULE_MEMBERS)
        field, destination = self._read_end(members, at, ends, 0), self._read_end(members, at, ends, 1)
        if field is None or destination is None:
            return
        self._check_members(members, at)
        if "key" in members and (field[-1:], destination[-1:]) != ((paths.ITEM,), (paths.VALUE,)):
            key = bounded_json.format_json(members["key"])
            self._report(f'"key" {key} is not in a rule from items of a list to entries of a map', (*at, "key"))
        if not _KEY_PATTERN.fullmatch(bounded_json.format_string(members.get("key", "self"))):
            key = bounded_json.format_json(members["key"])
            hint = "name the field of an item that becomes the key: key: self.FIELD"
            self._report(f'"key" is not the name of a field: {key}', (*at, "key"), hint)
            return
        rule = ConversionRule(field, destination, self._get_place(at), **_read_extras(members))
        yield from self._read_for_each(rule, members, at, ends) if "forEach" in members else (rule,)
        for index, item_rule in enumerate(self._read_items(members.get("itemRules"), (*at, "itemRules"))):
            yield from self._read_rules(item_rule, (*at, "itemRules", index), ends.enter_items(rule))

    def _read_end(self, members: Mapping[str, Any], at: DocumentPath, ends: _RuleScope, end: int) -> Path | None:
        """Return the path of an end of a rule, by either of its two names; report an invalid one and return None."""
        present_names = [name for name in _END_MEMBERS[end] if name in members]
        if end == 0 and not present_names and "default" in members:
            return ()
        end_paths = [
            self._read_path(members[name], at, ends.prefixes[end], bare=bool(ends.containers[end]))
            for name in present_names
        ]
        if not end_paths and any(name in _RULE_MEMBERS for name in members):
            self._report(f'rule has no "{_END_MEMBERS[end][0]}" (keys: {", ".join(members)})', at)
        if not end_paths or None in end_paths:
            return None
        if len(set(end_paths)) > 1:
            one, other = (f'"{name}": {bounded_json.format_json(members[name])}' for name in present_names)
            self._report(f"rule has both {one} and {other}", (*at, present_names[1]))
        return (*ends.containers[end], *(end_paths[0] or ()))

    def _read_for_each(
        self, rule: ConversionRule, members: Mapping[str, Any], at: DocumentPath, ends: _RuleScope
    ) -> Iterator[ConversionRule]:
        """Return a forEach rule as the equivalent rule of map entries."""
        entries = self._read_path(members["forEach"], (*at, "forEach"), ends.prefixes[0])
        transformation = rule.transformation
        if entries is None or entries[-1:] != (paths.VALUE,) or not isinstance(transformation, dict | str):
            has_entries = entries is not None and entries[-1:] == (paths.VALUE,)
            problem = "has no transformation" if has_entries else "does not lead to the entries of a map"
            hint = 'write forEach: MAP[key] and a transformation, which can read "key", "value" and "self"'
            value = bounded_json.format_json(members["forEach"])
            self._report(f'"forEach" {problem}: {value}', (*at, "forEach"), hint)
            return
        expressions = (
            [transformation]
            if isinstance(transformation, str)
            else list(map(bounded_json.format_string, transformation.values()))
        )
        if set(BRACKETS).intersection(rule.field) and any(
            has_variable(expression, "self") for expression in expressions
        ):
            field_path = bounded_json.format_json(paths.format_path(rule.field))
            self._report(f'"self" with "forEach" is in a list or map: {field_path}', (*at, "forEach"))
            return
        # The variables of a rule of the object, as variables of a rule of the map.
        names = {"value": "self", "self": ".".join(("root", paths.format_path(rule.field)))}
        fields = (
            {name: _rename_variables(expression, names) for name, expression in transformation.items()}
            if isinstance(transformation, dict)
            else None
        )
        transformation = _rename_variables(transformation, names) if fields is None else fields
        yield rule.replace(field=(*ends.containers[0], *entries), transformation=transformation)

    def _check_members(self, members: Mapping[str, Any], at: DocumentPath) -> None:
        """Report invalid and contradictory members of a rule."""
        present = [name for name in _EXCLUSIVE_MEMBERS if members.get(name) is not None and members[name] != "self"]
        if isinstance(members.get("transformation"), dict) and "itemRules" in present:
            present.remove("itemRules")
        if len(present) > 1:
            self._report(" and ".join(f'"{name}"' for name in present) + " cannot be used together", (*at, present[1]))
        for name in _NON_NULL_MEMBERS:
            if name in members and members[name] is None:
                self._report(f'"{name}" is null', (*at, name))
        name_error = find_function_name_error(members["function"]) if "function" in members else ""
        if name_error:
            self._report(f'"function" {name_error}', (*at, "function"))

    def _read_mapping(self, entry: Any, at: DocumentPath, allowed: Sequence[str]) -> Mapping[str, Any]:
        if not isinstance(entry, dict) or not entry:
            actual = "nothing" if entry is None or entry == {} else bounded_json.format_json(entry)
            self._report(f"expected a mapping of {', '.join(allowed)}, got {actual}", at)
            return {}
        for name in entry:
            if name not in allowed:
                hint = self._problems.suggest(str(name), allowed)
                self._report(f'unknown key "{name}"', (*at, name), hint)
        return entry

    def _read_items(self, value: Any, at: DocumentPath) -> Sequence[Any]:
        """Return the items of a list; none for null. Report other values."""
        if value is None or isinstance(value, list):
            return value or ()
        self._report(f'"{at[-1] if at else "conversions"}" is not a list: {bounded_json.format_json(value)}', at)
        return ()

    def _read_path(self, value: Any, at: DocumentPath, version: str, *, bare: bool = False) -> Path | None:
        """Read a path in any spelling: with a leading dot, or with the version, `self` or `item` as prefix.

        With `bare`, the prefix alone is a path as well.
        """
        if not isinstance(value, str) or not value:
            self._report(f"path is not a string, or empty: {bounded_json.format_json(value)}", at)
            return None
        try:
            path = paths.parse_path(value)
        except paths.PathSyntaxError as error:
            self._problems.report("conversion-path", str(error), self._get_place(at))
            return None
        if problem := control_fault("the path", value):
            self._problems.report("name-control", problem, self._get_place(at))
        return path[1:] if (bare or len(path) > 1) and path[0] in (version, "self") else path

    def _report(self, problem: str, at: DocumentPath, hint: str = "") -> None:
        self._problems.report("conversion-rule", problem, self._get_place(at), hint=hint)


def _read_extras(members: Mapping[str, Any]) -> dict[str, Any]:
    strings = {name: bounded_json.format_string(members[name]) for name in ("key", "function") if name in members}
    transformation = members.get("transformation")
    return {
        **strings,
        "transformation": None if transformation == "self" else transformation,
        "default": members.get("default"),
    }


def _rename_variables(value: Any, names: Mapping[str, str]) -> Any:
    """Rename variables of an expression; return other values unchanged."""
    return rename_variables(value, names) if isinstance(value, str) else value


def _read_drop_annotation(metadata: Any) -> Mapping[str, Any]:
    """Read the dropped fields of the annotation; empty if it has another format."""
    annotations = metadata.get("annotations") if isinstance(metadata, dict) else None
    for name, value in annotations.items() if isinstance(annotations, dict) else ():
        if isinstance(name, str) and name.endswith(f"/{DROP_ANNOTATION}") and isinstance(value, str):
            try:
                dropped = bounded_json.parse_json(value)
            except ValueError:
                continue
            return dropped if isinstance(dropped, dict) else {}
    return {}
