"""The shared state of a run: findings, expanded CEL rules, and omitted fields."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.suggestions import did_you_mean, suggest
from protoc_gen_crd.findings.finding import Excerpt, Place, Problems, Severity
from protoc_gen_crd.generation.macro_source_map import MacroSourceMap, format_fields
from protoc_gen_crd.markers.marker import Marker
from protoc_gen_crd.proto.source_locations import CommentPlace
from protoc_gen_crd.schema.cel_names import escape_cel_name
from protoc_gen_crd.schema.schema import PRESERVE, SKIPPED, Schema

if TYPE_CHECKING:
    from protoc_gen_crd.cel.parser.issues import Issue, Rejection
    from protoc_gen_crd.cel.shared_expansions import SharedExpansions

_MACRO = r"\b(?:default|oneof|index|unrollmap)\s*\("
_SELF = r"(?a)\bself\s*\.\s*([^\W\d]\w*+)(?!\s*\()"  # possessive: no part of the name of a method
_INDEX = r"\bself\s*\.\s*index\s*\("  # the macro, whose arguments are fields
_RESOURCE_FIELDS = (
    "apiVersion",
    "kind",
    "metadata",
)  # added to the message that is one when its rules have been read
_KEEP_FIELD_HINT = "keep it in the CRD with channel_fields=policy"  # selectable fields have no channel of their own
_OPERATORS = {"=<": "<=", "=>": ">=", "<>": "!=", ">": "!=", "=": "==", "and": "&&", "or": "||", "not": "!"}
_NO_FIELDS = ("array", "boolean", "integer", "number", "string")


class RunContext:
    """The MarkerContext of `markers.marker_behavior`."""

    def __init__(self, problems: Problems, channels: Sequence[str]) -> None:
        self.problems = problems
        self.converts = False
        self.group_options: list[Marker] = []
        self.has_key_rules = False  # True once the keys of a map have a rule
        self.macro_source_map = MacroSourceMap(_locate_in_marker)
        self._channels = channels
        # Shortcut expanded-rules: the expansion of a rule is a function of the rule as written, and invalid rules are
        # not cached.
        self._expanded: dict[str, str] = {}
        self._expansions: SharedExpansions | None = None
        self._objects: set[str] = set()
        self._fields: tuple[Mapping[str, Schema], bool, frozenset[str]] = {}, False, frozenset()
        self._omitted: dict[int, tuple[Mapping[str, Schema], Mapping[str, str]]] = {}
        self._values: dict[str, str] = {}  # hints by a part of the error message of API servers

    def add_object_message(self, message: str) -> None:
        """Record a message of shape OBJECT by its full name."""
        self._objects.add(message)

    def omit_properties(self, properties: Mapping[str, Schema], ranges: Mapping[str, str]) -> None:
        """Record fields that properties of the current version omit, with their ranges."""
        self._omitted[id(properties)] = properties, ranges

    @property
    def has_omissions(self) -> bool:
        """True if a version or channel has omitted a field so far."""
        return bool(self._omitted)

    def get_omitted(self, properties: Mapping[str, Schema]) -> Collection[str]:
        """Return the fields that properties of the current version omit."""
        return self._omitted.get(id(properties), ({}, {}))[1]

    def record_omitted_value(self, name: str, where: str, others: Sequence[str]) -> None:
        """Record an enum value that the current version omits, with its ranges or channel, and the other values."""
        listed = ", ".join([f'"{value}"' for value in others])
        message = f'Unsupported value: "{name}": supported values: {listed}'
        self._values[message] = _format_absence_hint(name, where)

    def is_known_channel(self, channel: str, at: Place | None, owner: str, excerpt: Excerpt | None = None) -> bool:
        """Return whether the settings declare a release channel, and report it if not."""
        if channel in self._channels:
            return True
        problem = f'unknown release channel "{channel}" (channels: {", ".join(self._channels)})'
        hint = suggest(channel, self._channels) or 'declare it under "channels" in the settings file'
        self.problems.report("channel-unknown", problem, at, path=owner, hint=hint, excerpt=excerpt)
        return False

    def choose_later_channel(self, channel: str, other: str) -> str:
        """Return the later one of two release channels. An unknown channel is the earliest."""
        return max(channel, other, key=lambda name: self._channels.index(name) if name in self._channels else -1)

    def describe_absence(self, properties: Mapping[str, Schema], name: str) -> str:
        """Return a hint for a field that only other versions have; else empty."""
        where = self._omitted.get(id(properties), ({}, {}))[1].get(name, "")
        return _format_absence_hint(name, where) if where else ""

    def list_absence_hints(self) -> dict[str, str]:
        """Return the hints for all omitted fields, by a part of the error message for rules or paths that use them."""
        hints = {**self._values}
        locations = {name: where for _, ranges in self._omitted.values() for name, where in ranges.items()}
        for name, where in locations.items():
            hint = _format_absence_hint(name, where) if where else ""
            hints[f"undefined field '{escape_cel_name(name)}'"] = hints[f'.{name}": must be a valid path'] = hint
            if where.startswith("channel "):
                hint = f'"{name}" exists only in {where}: {_KEEP_FIELD_HINT}'
            hints[f'.{name}": is an invalid path'] = hint
        return hints

    def expand_macros(self, rule: str, marker: Marker, schema: Schema, *, one_line: bool) -> str | None:
        """Expand our macros in a rule. Return None, with findings, if the rule is invalid.

        An expanded rule is in canonical form; a rule without macros is returned as written. With `one_line`, the
        canonical form has no line breaks: API servers require a message for rules with line breaks.
        """
        expanded = self._expanded.get(rule)
        if expanded is None:
            expanded = self._expand_rule(rule, marker)
            if expanded is None:
                return None
            self._expanded[rule] = expanded
        if not self._check_selected_fields(rule, marker, schema):
            return None
        if expanded is rule:
            self.macro_source_map.add(marker, rule, rule)
            return rule
        printed = expanded.replace("\n", " ") if one_line else expanded
        self.macro_source_map.add(marker, rule, printed)
        return printed

    def preprocess(self, rule: str) -> str | Rejection:
        """Return a rule with our macros expanded in canonical form, or the rejection of an invalid rule."""
        if self._expansions is None:
            from protoc_gen_crd.cel.shared_expansions import SharedExpansions  # noqa: PLC0415 - APIs without rules do not need CEL

            self._expansions = SharedExpansions()
        return self._expansions.expand(rule)

    def _expand_rule(self, rule: str, marker: Marker) -> str | None:
        printed = self.preprocess(rule)
        if isinstance(printed, str):
            if not re.search(_MACRO, rule):
                return rule
            issues: Sequence[Issue] = _find_malformed_macros(rule) if re.search(_MACRO, printed) else ()
            if not issues:
                return printed
        else:
            issues = printed.issues
        for issue in issues:
            place, excerpt = _locate_in_marker(marker, rule, max(issue.at, 0))
            problem = f"invalid CEL: {issue.message}"
            hint = _suggest_operator(rule, max(issue.at, 0))
            severity = _get_severity(marker)
            self.problems.report(
                "cel-syntax", problem, place, path=marker.owner, hint=hint, excerpt=excerpt, severity=severity
            )
        return None

    def _check_selected_fields(self, rule: str, marker: Marker, schema: Schema) -> bool:
        """Report selected fields `self.name` that the schema does not have. Return False if there are any."""
        if schema.type == "object" and (schema.get(PRESERVE) or not schema.properties):
            return True
        if schema.type != "object" and schema.type not in _NO_FIELDS:
            return True
        cel_names = self._get_cel_names(
            schema.properties, whole=marker.owner in self._objects or "spec" in schema.properties
        )
        has_index = "index" in rule and re.search(_INDEX, rule)
        if not has_index and cel_names.issuperset(re.findall(_SELF, rule)):
            return True
        missing = [(name, at) for name, at in _find_selected_fields(rule) if name not in cel_names]
        if not missing:
            return True
        first, at = missing[0]
        names = " and ".join(f'"{name}"' for name, _ in missing)
        place, excerpt = _locate_in_marker(marker, rule, at, len(first))
        fields = format_fields(cel_names) or f" of type {schema.type}"
        problem = f"rule selects unknown field{'s' if len(missing) > 1 else ''} {names}{fields}"
        hint = self.describe_absence(schema.properties, first) or self.problems.suggest(first, cel_names) or marker.hint
        if not hint and schema.type != "object":
            hint = "self is the value itself: put a rule about several fields on their message"
        severity = _get_severity(marker)
        self.problems.report(
            "cel-field", problem, place, path=marker.owner, hint=hint, excerpt=excerpt, severity=severity
        )
        return False

    def _get_cel_names(self, properties: Mapping[str, Schema], *, whole: bool) -> frozenset[str]:
        """Return the names of fields in CEL. The result for the last properties is cached for all rules of an object.

        Shortcut selected-names: the names are a function of the properties, which are kept alive and not changed.
        """
        if properties is not self._fields[0] or whole is not self._fields[1]:
            names = frozenset(map(escape_cel_name, (*properties, *(_RESOURCE_FIELDS if whole else ()))))
            self._fields = properties, whole, names
        return self._fields[2]


def _get_severity(marker: Marker) -> Severity | None:
    """Return the severity of an invalid rule: one of another vocabulary is left out, so that the CRD is installable."""
    return Severity.WARNING if marker.foreign else None


def _suggest_operator(rule: str, at: int) -> str:
    """A hint for an operator of another language at a place in a rule."""
    match = re.compile(r"=<|=>|<>|(?<=<)>|=|and\b|or\b|not\b", re.IGNORECASE).match(rule, at)
    return did_you_mean(_OPERATORS[match[0].lower()]) if match else ""


def _locate_in_marker(marker: Marker, rule: str, offset: int, width: int = 1) -> tuple[Place, Excerpt]:
    """Return the place of a part of a rule and its excerpt. The place is exact if a comment contains the rule."""
    start = marker.text.find(rule)
    if start < 0 or not isinstance(marker.at, CommentPlace):
        return marker.at, Excerpt(rule, offset, width)
    at = CommentPlace(marker.at.element, marker.at.line, marker.at.column + start + offset, marker.text)
    return at, Excerpt(marker.text, start + offset, width)


def _find_malformed_macros(rule: str) -> Sequence[Issue]:
    from protoc_gen_crd.cel.project_macros import find_misused_macros  # noqa: PLC0415

    return find_misused_macros(rule)


@lru_cache(maxsize=1024)
def _find_selected_fields(rule: str) -> Sequence[tuple[str, int]]:
    """Return the fields that a rule selects from self, with their offsets in the rule."""
    from protoc_gen_crd.cel.parser.parser import parse  # noqa: PLC0415

    tree = parse(rule)
    places: dict[str, int] = {}
    for at, name in sorted(_iterate_selections(tree)):
        places.setdefault(name, rule.find(name, at))
    return tuple(places.items())


def _iterate_selections(root: object) -> Iterator[tuple[int, str]]:
    from protoc_gen_crd.cel.parser.ast import Call, Ident, Select  # noqa: PLC0415

    stack = [root]
    while stack:
        node = stack.pop()
        if isinstance(node, tuple):
            stack.extend(node)
        elif isinstance(node, Record):
            if isinstance(node, Call) and any(isinstance(arg, Ident) and arg.name == "self" for arg in node.args[:-1]):
                stack.append(node.target)  # a macro can name its variable self; API servers check it
                continue
            if isinstance(node, Select) and isinstance(node.operand, Ident) and node.operand.name == "self":
                yield node.at, node.field
            if isinstance(node, Call) and node.function == "index" and isinstance(node.target, Ident):
                names = [arg for arg in node.args[1:2] if node.target.name == "self" and isinstance(arg, Ident)]
                yield from ((name.at, name.name) for name in names)
            stack.extend(getattr(node, field) for field in type(node)._fields)


def _format_absence_hint(name: str, where: str) -> str:
    if where == SKIPPED:
        return f'"{name}" is left out with "skip": remove the rule or path, or do not skip the field'
    noun = "channel" if where.startswith("channel ") else "range"
    return f'"{name}" exists only in {where}: give everything that uses it the same {noun}'
