"""The shared state of a run: the sink of findings and the expanded CEL rules."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.suggestions import did_you_mean, suggest
from protoc_gen_crd.findings.finding import Excerpt, Place, Problems
from protoc_gen_crd.generation.macro_source_map import MacroSourceMap
from protoc_gen_crd.markers.marker import Marker
from protoc_gen_crd.proto.source_locations import CommentPlace
from protoc_gen_crd.schema.cel_names import escape_cel_name
from protoc_gen_crd.schema.schema import PRESERVE, SKIPPED, Schema

if TYPE_CHECKING:
    from protoc_gen_crd.cel.parser.issues import Issue, Rejection
    from protoc_gen_crd.cel.parser.macro_expansion import Budget

_MACRO = r"\b(?:default|oneof|index|unrollmap)\s*\("
_SELF = r"\bself\s*\.\s*([A-Za-z_][A-Za-z0-9_]*)(?!\s*\()"
_INDEX = r"\bself\s*\.\s*index\s*\("  # the macro, whose arguments are fields
_RESOURCE_FIELDS = (
    "apiVersion",
    "kind",
    "metadata",
)  # added to the message that is one when its rules have been read
_KEEP_FIELD_HINT = "keep it in the CRD with channel_fields=policy"  # selectable fields have no channel of their own
_OPERATORS = {"=<": "<=", "=>": ">=", "<>": "!=", ">": "!=", "=": "==", "and": "&&", "or": "||", "not": "!"}
_MOST_FIELDS = 20  # in a message
_NO_FIELDS = ("array", "boolean", "integer", "number", "string")


class RunContext:
    """The Context of markers; see `markers.appliers`."""

    def __init__(self, problems: Problems, channels: Sequence[str]) -> None:
        self.problems = problems
        self.converts = False
        self.macro_source_map = MacroSourceMap(_locate_in_marker)
        self._channels = channels
        # Shortcut expanded-rules: the expansion of a rule is a function of its text, and a rule that cannot be expanded
        # is not kept.
        self._expanded: dict[str, str] = {}
        self._printed: dict[str, str | Rejection] = {}
        self._budget: Budget | None = None  # of all macros
        self._objects: set[str] = set()
        self._fields: tuple[Mapping[str, Schema], bool, frozenset[str]] = {}, False, frozenset()
        self._left_out: dict[int, tuple[Mapping[str, Schema], Mapping[str, str]]] = {}
        self._values: dict[str, str] = {}  # hints by words of servers

    def add_object_message(self, message: str) -> None:
        """Remember a message that describes whole objects, by its full name."""
        self._objects.add(message)

    def omit_properties(self, properties: Mapping[str, Schema], ranges: Mapping[str, str]) -> None:
        """Remember fields that are not among the properties of the version being made, with their ranges."""
        self._left_out[id(properties)] = properties, ranges

    @property
    def has_omissions(self) -> bool:
        """Report whether a version or channel omits a field so far."""
        return bool(self._left_out)

    def get_omitted(self, properties: Mapping[str, Schema]) -> Collection[str]:
        """The fields that are not among some properties in the version being made."""
        return self._left_out.get(id(properties), ({}, {}))[1]

    def record_omitted_value(self, name: str, where: str, others: Sequence[str]) -> None:
        """Remember a value of an enum that is not among those of the version being made, and where it is."""
        listed = ", ".join([f'"{each}"' for each in others])
        words = f'Unsupported value: "{name}": supported values: {listed}'
        self._values[words] = _format_absence_hint(name, where)

    def is_known_channel(self, channel: str, at: Place | None, owner: str, excerpt: Excerpt | None = None) -> bool:
        """Report whether a release channel is declared in the settings; add a finding if not."""
        if channel in self._channels:
            return True
        problem = f'unknown release channel "{channel}" (channels: {", ".join(self._channels)})'
        hint = suggest(channel, self._channels) or 'declare it under "channels" in the settings file'
        self.problems.report("channel-unknown", problem, at, path=owner, hint=hint, excerpt=excerpt)
        return False

    def choose_later_channel(self, channel: str, other: str) -> str:
        """The later one of two release channels; one that is unknown is the earlier."""
        return max(channel, other, key=lambda name: self._channels.index(name) if name in self._channels else -1)

    def describe_absence(self, properties: Mapping[str, Schema], name: str) -> str:
        """A hint for a field that other versions have."""
        known = self._left_out.get(id(properties), ({}, {}))[1].get(name, "")
        return _format_absence_hint(name, known) if known else ""

    def list_absence_hints(self) -> dict[str, str]:
        """The same hints for all such fields, by the words of servers about a rule or a path that speaks of one."""
        words = {**self._values}
        found = {name: where for _, ranges in self._left_out.values() for name, where in ranges.items()}
        for name, where in found.items():
            hint = _format_absence_hint(name, where) if where else ""
            words[f"undefined field '{escape_cel_name(name)}'"] = words[f'.{name}": must be a valid path'] = hint
            if where.startswith("channel "):
                hint = f'"{name}" exists only in {where}: {_KEEP_FIELD_HINT}'
            words[f'.{name}": is an invalid path'] = hint
        return words

    def expand_macros(self, rule: str, marker: Marker, schema: Schema, *, one_line: bool) -> str | None:
        """A rule without our macros stays as it is written; one with them is printed in canonical form.

        `one_line` takes out the line breaks of the canonical form: a rule with line breaks must have a message.
        """
        text = self._expanded.get(rule)
        if text is None:
            text = self._expand_rule(rule, marker)
            if text is None:
                return None
            self._expanded[rule] = text
        if not self._check_selected_fields(rule, marker, schema):
            return None
        if text is rule:
            self.macro_source_map.add(marker, rule, rule)
            return rule
        made = text.replace("\n", " ") if one_line else text
        self.macro_source_map.add(marker, rule, made)
        return made

    def preprocess(self, rule: str) -> str | Rejection:
        """A rule with our macros expanded, in canonical form; or what is wrong with it."""
        known = self._printed.get(rule)
        if known is None:
            from protoc_gen_crd.cel.macros import preprocess  # noqa: PLC0415
            from protoc_gen_crd.cel.parser.macro_expansion import Budget  # noqa: PLC0415 - an API without rules pays nothing for CEL

            self._budget = self._budget or Budget()
            known = self._printed[rule] = preprocess(rule, self._budget)
        return known

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
            self.problems.report("cel-syntax", problem, place, path=marker.owner, hint=hint, excerpt=excerpt)
        return None

    def _check_selected_fields(self, rule: str, marker: Marker, schema: Schema) -> bool:
        """Report whether every `self.name` is a field of the schema. API servers reject rules that select others."""
        if schema.type == "object" and (schema.get(PRESERVE) or not schema.properties):
            return True
        if schema.type != "object" and schema.type not in _NO_FIELDS:
            return True
        known = self._get_cel_names(
            schema.properties, whole=marker.owner in self._objects or "spec" in schema.properties
        )
        if all(match[1] in known for match in re.finditer(_SELF, rule)) and not re.search(_INDEX, rule):
            return True
        missing = [(name, at) for name, at in _find_selected_fields(rule) if name not in known]
        if not missing:
            return True
        first, at = missing[0]
        names = " and ".join(f'"{name}"' for name, _ in missing)
        place, excerpt = _locate_in_marker(marker, rule, at, len(first))
        problem = f"rule selects {names}, not in the schema of type {schema.type}{_format_fields(known)}"
        hint = self.describe_absence(schema.properties, first) or self.problems.suggest(first, known) or marker.hint
        if not hint and schema.type != "object":
            hint = "self is the value itself: put a rule about several fields on their message"
        self.problems.report("cel-field", problem, place, path=marker.owner, hint=hint, excerpt=excerpt)
        return False

    def _get_cel_names(self, properties: Mapping[str, Schema], *, whole: bool) -> frozenset[str]:
        """Fields as CEL has to write them; worked out once for all rules of an object.

        Shortcut selected-names: the names are a function of the properties, which are kept alive and not written to.
        """
        if properties is not self._fields[0] or whole is not self._fields[1]:
            names = frozenset(map(escape_cel_name, (*properties, *(_RESOURCE_FIELDS if whole else ()))))
            self._fields = properties, whole, names
        return self._fields[2]


def _suggest_operator(rule: str, at: int) -> str:
    """A hint for an operator of another language at a place in a rule."""
    found = re.compile(r"=<|=>|<>|(?<=<)>|=|and\b|or\b|not\b", re.IGNORECASE).match(rule, at)
    return did_you_mean(_OPERATORS[found[0].lower()]) if found else ""


def _format_fields(names: Collection[str]) -> str:
    """The fields that a rule can select, as the end of a message; of many only the first."""
    shown = sorted(names)[:_MOST_FIELDS]
    rest = f" and {len(names) - len(shown)} more" if len(names) > len(shown) else ""
    return f" (fields: {', '.join(shown)}{rest})" if shown else ""


def _locate_in_marker(marker: Marker, rule: str, offset: int, width: int = 1) -> tuple[Place, Excerpt]:
    """The place of a part of a rule, exact in a comment that holds the rule as it is, and what to show of it."""
    start = marker.text.find(rule)
    if start < 0 or not isinstance(marker.at, CommentPlace):
        return marker.at, Excerpt(rule, offset, width)
    at = CommentPlace(marker.at.element, marker.at.line, marker.at.column + start + offset, marker.text)
    return at, Excerpt(marker.text, start + offset, width)


def _find_malformed_macros(rule: str) -> Sequence[Issue]:
    from protoc_gen_crd.cel.macros import find_misused_macros  # noqa: PLC0415

    return find_misused_macros(rule)


@lru_cache(maxsize=1024)
def _find_selected_fields(rule: str) -> Sequence[tuple[str, int]]:
    """The fields that a rule selects of self, with their offsets in the rule."""
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
                stack.append(node.target)  # a macro may call its items self: what follows servers are asked
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
    same = "channel" if where.startswith("channel ") else "range"
    return f'"{name}" exists only in {where}: give everything that uses it the same {same}'
