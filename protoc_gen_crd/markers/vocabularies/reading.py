"""Options of other vocabularies on one element: read by the module of each, then put beside our own markers.

May not know what a vocabulary means. What cannot be read or translated is a finding.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any, Protocol, cast

from protoc_gen_crd.base.diagnostics import Problems, Severity
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.suggestions import suggestion
from protoc_gen_crd.markers.declared import SCHEMA
from protoc_gen_crd.markers.marker import Marker, Members
from protoc_gen_crd.markers.vocabularies import READERS, Behavior
from protoc_gen_crd.markers.vocabularies.rows import Said
from protoc_gen_crd.proto.load import ApiSet
from protoc_gen_crd.proto.locations import ElementPlace, Path
from protoc_gen_crd.proto.model import Element, Field
from protoc_gen_crd.proto.options import OptionReader, OptionValue
from protoc_gen_crd.schema.types import Schema

Key = tuple[tuple[str, ...], str]  # steps and name of an option of ours

_RANK = {name: rank for rank, name in enumerate(READERS)}
_MISFIT = (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError)
# Options of which an element may have several, or of which contradictions are found elsewhere.
_ADDED = frozenset(["all_of", "at_least_one_of", "at_most_one_of", "exactly_one_of", "rules"])
_SEVERAL = _ADDED | {"required"}
_PRESENCE = ("required", "non_empty")
# What options.proto has no name for: any of several sets of keywords, all of them.
_JUNCTORS = {
    name: SCHEMA["format"].replace(name=name, kind="message", keyword=keyword, types=("string",))
    for name, keyword in (("any_of", "anyOf"), ("all_of", "allOf"))
}


class Tools(Record):
    """What readers share."""

    api: ApiSet
    options: OptionReader
    problems: Problems
    outputs: list[Behavior]
    fixed: list[Behavior]
    numbered: bool = False  # objects may have the number of an enum's value for its name


class Node(Record):
    """A message value of an option: its members, its type, and how it is spelled and placed."""

    values: Mapping[str, Any]
    type_name: str
    path: str
    numbers: Path


class Reading:
    """Collects what the options of one element say."""

    def __init__(self, tools: Tools, element: Element, at: ElementPlace, members: Sequence[Members] = ()) -> None:
        self.tools = tools
        self.element = element
        self._resource = [one for one in members if one.message == "Resource"]
        self.markers: list[Marker] = []
        self.members: list[Members] = []
        self.needed: Marker | None = None  # says that the field is required, unless something else speaks of that
        self._at = at
        self._taken: set[Key] = set()

    def taken_out(self) -> list[Marker]:
        """The markers of one option. Keywords that two options set are compared, not taken for one another."""
        found, self.markers = self.markers, []
        self._taken.clear()
        return found

    def node(self, option: OptionValue, extendee: str) -> Node:
        """The value of an option whose type is a message."""
        extension = self.tools.api.extension(f"google.protobuf.{extendee}", option.path[0])
        return Node(option.value, extension.type_name if extension else "", f"({option.name})", option.path)

    def field(self, node: Node, name: str) -> Field | None:
        """The declaration of a member."""
        message = self.tools.api.message(node.type_name)
        return next((field for field in message.fields if field.name == name), None) if message else None

    def below(self, node: Node, name: str, index: int = -1) -> Node:
        """The place of a member, with its value if that is a message; of a list, one of its values."""
        field = self.field(node, name)
        value = node.values[name]
        numbers = (*node.numbers, *([field.number] if field else []), *([index] if index >= 0 else []))
        given = value[index] if index >= 0 else value
        values = given if isinstance(given, dict) else {}
        return Node(values, field.type_name if field else "", f"{node.path}.{name}", numbers)

    def message(self, node: Node, name: str) -> Node:
        """A member that is a message. Raises TypeError where it is declared as something else."""
        if not isinstance(node.values[name], dict):
            raise TypeError(name)
        return self.below(node, name)

    def mark(self, option: str, value: Any, node: Node, steps: tuple[str, ...] = (), *, unread: bool = False) -> Marker:
        """A marker, placed at what a node is about."""
        declared = _JUNCTORS.get(option) or SCHEMA[option]
        at = self._at.below(*node.numbers)
        yields = () if option in _ADDED else (option,)
        marker = Marker(declared, steps, value, node.path, at, self.element.full_name, unread=unread)
        marker = marker.replace(foreign=True, yields=yields)
        self.markers.append(marker)
        return marker

    def output(self, node: Node) -> None:
        """The field is written by a server alone, which holds where the status is."""
        self.mark("required", value=False, node=node)
        self.tools.outputs.append(Behavior(self.element, node.path, self._at.below(*node.numbers)))

    def fix(self, node: Node) -> None:
        """The field stays as it was once it is set."""
        marker = self.mark("immutable", value=True, node=node)
        self.tools.fixed.append(Behavior(self.element, node.path, marker.at))

    def need(self, node: Node) -> None:
        """The field cannot be left out, since its zero value is refused."""
        at = self._at.below(*node.numbers)
        value = True
        needed = Marker(SCHEMA["required"], (), value, node.path, at, self.element.full_name)
        self.needed = needed.replace(foreign=True, yields=_PRESENCE)

    def add(self, said: Said, node: Node, steps: tuple[str, ...]) -> None:
        """A constraint: its keywords, unless one has been used before, else its rule; of patterns, all hold."""
        keys = [(steps, name) for name, _ in said.keywords]
        if said.keywords and not any(key in self._taken for key in keys):
            self._taken.update(keys)
            first = len(self.markers)
            for name, value in said.keywords:
                plain = [Schema(one) for one in value] if name == "any_of" else value
                self.mark(name, plain, node, steps)
            names = tuple([name for name, _ in said.keywords])  # what one of ours replaces is the constraint
            self.markers[first:] = [marker.replace(yields=names) for marker in self.markers[first:]]
        elif len(keys) == 1 and said.keywords[0][0] == "pattern":
            self._beside(Schema({"pattern": said.keywords[0][1]}), node, steps)
        elif said.rule:
            self.mark("rules", [{"rule": said.rule, "message": said.message}], node, steps)

    def _beside(self, more: Schema, node: Node, steps: tuple[str, ...]) -> None:
        """What holds beside keywords of the same names."""
        given = next((one for one in self.markers if one.option.name == "all_of" and one.steps == steps), None)
        if given is None:
            self.mark("all_of", [more], node, steps)
        else:
            given.value.append(more)

    def member(self, message: str, values: Mapping[str, Any], node: Node) -> None:
        """Members of a resource or of a oneof."""
        self.members.append(Members(message, dict(values), node.path, self._at.below(*node.numbers)))

    @property
    def is_resource(self) -> bool:
        """Whether our own option or a comment makes the message a resource of Kubernetes."""
        return bool(self._resource)

    def supplement(self, values: Mapping[str, Any], node: Node) -> None:
        """Members of what is a resource without them, as far as it does not say them itself."""
        said = {name for one in self._resource for name in one.values}
        given = {name: value for name, value in values.items() if name not in said}
        if self.is_resource and given:
            self.member("Resource", given, node)

    def untranslated(self, node: Node, reason: str, hint: str = "") -> None:
        """What an option says is lost."""
        problem = f"an option must be one that an API server can enforce, found {node.path}: {reason}"
        self.report("vocabulary-untranslated", problem, node, hint)

    def unknown(self, node: Node, known: Iterable[str]) -> None:
        """A member that the table has no row for."""
        problem = f"an option must be one that this tool knows, found {node.path}"
        self.report("vocabulary-unknown", problem, node, suggestion(node.path.rpartition(".")[2], known))

    def twice(self, node: Node) -> None:
        """What stood in a list before."""
        if self.tools.api.file(self.element.at.source.file).target:
            self.report("marker-redundant", f"an option should hold a value once, found {node.path} twice", node)

    def report(
        self, rule: str, problem: str, node: Node, hint: str = "", severity: Severity | None = None
    ) -> None:  # fmt: skip
        """A finding about a node."""
        at = self._at.below(*node.numbers)
        path = self.element.full_name
        self.tools.problems.report(rule, problem, at, path=path, hint=hint, severity=severity)


class Reader(Protocol):
    """A module of a vocabulary."""

    def read(self, option: OptionValue, reading: Reading) -> None:
        """Read one option."""


def with_foreign(
    options: Sequence[OptionValue],
    element: Element,
    at: ElementPlace,
    tools: Tools,
    own: tuple[list[Marker], list[Members]],
) -> tuple[list[Marker], list[Members]]:
    """Our own markers and members with those of options of other vocabularies: markers of higher precedence last."""
    schema, members = own
    reading = Reading(tools, element, at, members)
    taken = {(marker.steps, marker.option.name): marker for marker in schema if not marker.within}
    found: list[Marker] = []
    for option in sorted(options, key=lambda option: _RANK[option.name]):
        _read(option, reading)
        found = [*_agreeing(reading.taken_out(), taken, tools.problems), *found]
    needed = reading.needed
    if needed and not any(_of_presence(marker) for marker in (*schema, *found)):
        found.append(needed)
    return [*found, *schema], [*members, *reading.members]


@cache
def _reader(module: str) -> Reader:
    return cast(Reader, import_module(f"{__package__}.{module}"))


def _of_presence(marker: Marker) -> bool:
    """Whether a marker says in all versions whether the field must be there."""
    return marker.option.name in _PRESENCE and not marker.steps and not marker.within


def _read(option: OptionValue, reading: Reading) -> None:
    try:
        _reader(READERS[option.name]).read(option, reading)
    except _MISFIT:
        node = Node({}, "", f"({option.name})", option.path)
        problem = f"an option must be declared as its vocabulary declares it, found another type in {node.path}"
        reading.report("vocabulary-unknown", problem, node)


def _agreeing(markers: Sequence[Marker], taken: dict[Key, Marker], problems: Problems) -> Iterator[Marker]:
    """The markers of one option that do not repeat or contradict what one of higher precedence says."""
    before = dict(taken)
    for marker in markers:
        key = marker.steps, marker.option.name
        first = None if marker.option.name in _SEVERAL else before.get(key)
        if first is None:
            taken[key] = marker
            yield marker
        elif first.value != marker.value:
            problem = f'"{marker.name}" must be the same in all vocabularies, found {first.text} and {marker.text}'
            hint = f"{first.text} comes first"
            problems.report("marker-contradiction", problem, marker.at, path=marker.owner, hint=hint)
