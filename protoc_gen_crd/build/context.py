"""What a run shares: the sink of findings and the expansion of CEL rules, each text once."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from protoc_gen_crd.base.diagnostics import Excerpt, Place, Problems
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.suggestions import suggestion
from protoc_gen_crd.build.rewritten import Rewritten
from protoc_gen_crd.markers.marker import Marker
from protoc_gen_crd.proto.locations import CommentPlace
from protoc_gen_crd.schema.celnames import cel_name
from protoc_gen_crd.schema.types import PRESERVE, Schema

if TYPE_CHECKING:
    from protoc_gen_crd.cel.issues import Issue, Refusal

_MACRO = r"\b(?:default|oneof|index|unrollmap)\s*\("
_SELF = r"\bself\s*\.\s*([A-Za-z_][A-Za-z0-9_]*)(?!\s*\()"
_INDEX = r"\bself\s*\.\s*index\s*\("  # the macro, whose arguments are fields
_OF_EVERY_RESOURCE = (
    "apiVersion",
    "kind",
    "metadata",
)  # added to the message that is one when its rules have been read
_KEPT = "let the CRD have it, with channel_fields=guarded"  # what selectable fields can do, which have no channel
_NO_FIELDS = ("array", "boolean", "integer", "number", "string")


class RunContext:
    """The Context of markers; see `markers.special`."""

    def __init__(self, problems: Problems, channels: Sequence[str]) -> None:
        self.problems = problems
        self.converts = False
        self.rewritten = Rewritten(_inside)
        self._channels = channels
        self._expanded: dict[str, str] = {}
        self._printed: dict[str, str | Refusal] = {}
        self._objects: set[str] = set()
        self._fields: tuple[Mapping[str, Schema], bool, frozenset[str]] = {}, False, frozenset()
        self._left_out: dict[int, tuple[Mapping[str, Schema], Mapping[str, str]]] = {}
        self._values: dict[str, str] = {}  # hints by words of servers

    def is_object(self, message: str) -> None:
        """Remember a message that describes whole objects, by its full name."""
        self._objects.add(message)

    def leave_out(self, properties: Mapping[str, Schema], ranges: Mapping[str, str]) -> None:
        """Remember fields that are not among the properties of the version being made, with their ranges."""
        self._left_out[id(properties)] = properties, ranges

    @property
    def leaves_out(self) -> bool:
        """Whether a version or channel made so far lacks a field."""
        return bool(self._left_out)

    def left_out(self, properties: Mapping[str, Schema]) -> Collection[str]:
        """The fields that are not among some properties in the version being made."""
        return self._left_out.get(id(properties), ({}, {}))[1]

    def leave_out_value(self, name: str, where: str, others: Sequence[str]) -> None:
        """Remember a value of an enum that is not among those of the version being made, and where it is."""
        listed = ", ".join([f'"{each}"' for each in others])
        words = f'Unsupported value: "{name}": supported values: {listed}'
        self._values[words] = _only(name, where)

    def knows(self, channel: str, at: Place | None, owner: str, excerpt: Excerpt | None = None) -> bool:
        """Whether a release channel is one of the settings; if not, there is a finding."""
        if channel in self._channels:
            return True
        problem = f'a release channel must be one of {", ".join(self._channels)}, found "{channel}"'
        hint = suggestion(channel, self._channels) or 'name it under "channels" in the settings file'
        self.problems.report("channel-unknown", problem, at, path=owner, hint=hint, excerpt=excerpt)
        return False

    def later(self, channel: str, other: str) -> str:
        """The later one of two release channels; one that is unknown is the earlier."""
        return max(channel, other, key=lambda name: self._channels.index(name) if name in self._channels else -1)

    def absence(self, properties: Mapping[str, Schema], name: str) -> str:
        """A hint for a field that other versions have."""
        known = self._left_out.get(id(properties), ({}, {}))[1].get(name, "")
        return _only(name, known) if known else ""

    def absences(self) -> dict[str, str]:
        """The same hints for all such fields, by the words of servers about a rule or a path that speaks of one."""
        words = {**self._values}
        for properties, ranges in self._left_out.values():
            for name in ranges:
                hint = self.absence(properties, name)
                words[f"undefined field '{cel_name(name)}'"] = words[f'.{name}": must be a valid path'] = hint
                only = (
                    f'"{name}" is there in {ranges[name]} only: {_KEPT}'
                    if ranges[name].startswith("channel ")
                    else hint
                )
                words[f'.{name}": is an invalid path'] = only
        return words

    def expand(self, rule: str, marker: Marker, schema: Schema, *, one_line: bool) -> str | None:
        """A rule without our macros stays as it is written; one with them is printed in canonical form.

        `one_line` takes out the line breaks of the canonical form: a rule with line breaks must have a message.
        """
        text = self._expanded.get(rule)
        if text is None:
            text = self._read(rule, marker)
            if text is None:
                return None
            self._expanded[rule] = text
        if not self._selects(rule, marker, schema):
            return None
        if text is rule:
            self.rewritten.add(marker, rule, rule)
            return rule
        made = text.replace("\n", " ") if one_line else text
        self.rewritten.add(marker, rule, made)
        return made

    def preprocess(self, rule: str) -> str | Refusal:
        """A rule with our macros expanded, in canonical form; or what is wrong with it."""
        known = self._printed.get(rule)
        if known is None:
            from protoc_gen_crd.cel.macros import preprocess  # noqa: PLC0415 - an API without rules pays nothing for CEL

            known = self._printed[rule] = preprocess(rule)
        return known

    def _read(self, rule: str, marker: Marker) -> str | None:
        printed = self.preprocess(rule)
        if isinstance(printed, str):
            if not re.search(_MACRO, rule):
                return rule
            issues: Sequence[Issue] = _misformed(rule) if re.search(_MACRO, printed) else ()
            if not issues:
                return printed
        else:
            issues = printed.issues
        for issue in issues:
            place, excerpt = _inside(marker, rule, max(issue.at, 0))
            problem = f"a rule must be CEL, found {issue.message}"
            self.problems.report("cel-syntax", problem, place, path=marker.owner, excerpt=excerpt)
        return None

    def _selects(self, rule: str, marker: Marker, schema: Schema) -> bool:
        """Whether every `self.name` is a field of the schema. A rule that selects others is taken by no server."""
        if schema.type == "object" and (schema.get(PRESERVE) or not schema.properties):
            return True
        if schema.type != "object" and schema.type not in _NO_FIELDS:
            return True
        known = self._names(schema.properties, whole=marker.owner in self._objects or "spec" in schema.properties)
        if all(match[1] in known for match in re.finditer(_SELF, rule)) and not re.search(_INDEX, rule):
            return True
        missing = [(name, at) for name, at in _selected(rule) if name not in known]
        if not missing:
            return True
        first, at = missing[0]
        names = " and ".join(f'"{name}"' for name, _ in missing)
        found = "an object" if schema.type == "object" else f"a value of type {schema.type}"
        place, excerpt = _inside(marker, rule, at, len(first))
        problem = f"a rule must select fields that its schema has, found {names} of {found}"
        hint = self.absence(schema.properties, first) or self.problems.suggestion(first, known) or marker.hint
        if not hint and schema.type != "object":
            hint = "self is the value itself: a rule about several fields stands on their message"
        self.problems.report("cel-field", problem, place, path=marker.owner, hint=hint, excerpt=excerpt)
        return False

    def _names(self, properties: Mapping[str, Schema], *, whole: bool) -> frozenset[str]:
        """Fields as CEL has to write them; worked out once for all rules of an object."""
        if properties is not self._fields[0] or whole is not self._fields[1]:
            names = frozenset(map(cel_name, (*properties, *(_OF_EVERY_RESOURCE if whole else ()))))
            self._fields = properties, whole, names
        return self._fields[2]


def _inside(marker: Marker, rule: str, offset: int, width: int = 1) -> tuple[Place, Excerpt]:
    """The place of a part of a rule, exact in a comment that holds the rule as it is, and what to show of it."""
    start = marker.text.find(rule)
    if start < 0 or not isinstance(marker.at, CommentPlace):
        return marker.at, Excerpt(rule, offset, width)
    at = CommentPlace(marker.at.element, marker.at.line, marker.at.column + start + offset, marker.text)
    return at, Excerpt(marker.text, start + offset, width)


def _misformed(rule: str) -> Sequence[Issue]:
    from protoc_gen_crd.cel.macros import misformed  # noqa: PLC0415

    return misformed(rule)


@lru_cache(maxsize=1024)
def _selected(rule: str) -> Sequence[tuple[str, int]]:
    """The fields that a rule selects of self, with their offsets in the rule."""
    from protoc_gen_crd.cel.syntax import parse  # noqa: PLC0415

    tree = parse(rule)
    places: dict[str, int] = {}
    for at, name in sorted(_selections(tree)):
        places.setdefault(name, rule.find(name, at))
    return tuple(places.items())


def _selections(root: object) -> Iterator[tuple[int, str]]:
    from protoc_gen_crd.cel.ast import Call, Ident, Select  # noqa: PLC0415

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


def _only(name: str, where: str) -> str:
    same = "channel" if where.startswith("channel ") else "range"
    return f'"{name}" is there in {where} only: give what speaks of it the same {same}'
