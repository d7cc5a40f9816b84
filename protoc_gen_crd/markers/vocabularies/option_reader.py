"""Reader of the options of other vocabularies on an element, which merges them with native markers.

It does not depend on single vocabularies. Options that cannot be read or translated are findings.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any, Protocol, cast

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.suggestions import suggest
from protoc_gen_crd.findings.finding import Problems, Severity
from protoc_gen_crd.kubernetes.supported_versions import KUBERNETES_GO, parse_minors
from protoc_gen_crd.markers.marker import Marker, MessageMembers
from protoc_gen_crd.markers.option_declarations import SCHEMA
from protoc_gen_crd.markers.vocabularies.registry import READERS, FieldBehavior
from protoc_gen_crd.markers.vocabularies.vocabulary_rows import RuleConstraint
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.custom_options import OptionReader, OptionValue
from protoc_gen_crd.proto.element_model import Element, Field
from protoc_gen_crd.proto.source_locations import ElementPlace, Path
from protoc_gen_crd.regex.syntax_check import check
from protoc_gen_crd.schema.schema import Schema
from protoc_gen_crd.settings.settings import Settings

Key = tuple[tuple[str, ...], str]  # steps and name of a native option

_RANK = {name: rank for rank, name in enumerate(READERS)}
_MISFIT = (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError)
# Options that can be set several times on an element, or whose contradictions are reported elsewhere.
_ADDED = frozenset(["all_of", "at_least_one_of", "at_most_one_of", "exactly_one_of", "rules"])
_SEVERAL = _ADDED | {"required"}
_PRESENCE = ("required", "non_empty")
_VALUES = ("any_of", "enum", "format", "pattern")  # options that restrict the characters of a string
# Keywords without an option.
_LOGICAL_KEYWORDS = {
    name: SCHEMA["format"].replace(name=name, kind="message", keyword=keyword, types=())
    for name, keyword in (("any_of", "anyOf"), ("all_of", "allOf"), ("not", "not"))
}
# Options that apply together with others of the same name, in allOf.
_COMBINED = ("any_of", "not", "pattern")


class ReadingContext(Record):
    """The context that readers share. `outputs` are the fields that only servers write, `fixed` the immutable ones."""

    api: ApiSet
    options: OptionReader
    problems: Problems
    outputs: list[FieldBehavior]
    fixed: list[FieldBehavior]
    settings: Settings


class OptionNode(Record):
    """A message in the value of an option: its members, its type, its spelling, and its descriptor path."""

    values: Mapping[str, Any]
    type_name: str
    path: str
    numbers: Path


class ElementOptions:
    """Collector of the markers that the options of an element set."""

    def __init__(
        self,
        tools: ReadingContext,
        element: Element,
        at: ElementPlace,
        members: Sequence[MessageMembers] = (),
        overriding: Collection[Key] = (),
    ) -> None:
        self.tools = tools
        self.element = element
        self._native_members = members
        self.markers: list[Marker] = []
        self.members: list[MessageMembers] = []
        self.needed: Marker | None = None  # requires the field, unless another marker sets its presence
        self._at = at
        self._taken: set[Key] = set()
        self._overriding = overriding  # options that markers of higher precedence set in some versions or all

    def is_overridden(self, steps: tuple[str, ...]) -> bool:
        """Return whether markers of higher precedence restrict the string at these steps."""
        return any((steps, name) in self._overriding for name in _VALUES)

    def drain_markers(self) -> list[Marker]:
        """Return and clear the markers. It is called after each option, so that keywords of options are compared."""
        markers, self.markers = self.markers, []
        self._taken.clear()
        return markers

    def mark_taken(self, keys: Iterable[Key]) -> None:
        """Mark options as set, so that constraints are added in addition to them."""
        self._taken.update(keys)

    def make_node(self, option: OptionValue, extendee: str) -> OptionNode:
        """Return the node of an option whose type is a message."""
        extension = self.tools.api.find_extension(f"google.protobuf.{extendee}", option.path[0])
        return OptionNode(option.value, extension.type_name if extension else "", f"({option.name})", option.path)

    def find_field(self, node: OptionNode, name: str) -> Field | None:
        """Return the declaration of a member, None if it is unknown."""
        message = self.tools.api.find_message(node.type_name)
        return next((field for field in message.fields if field.name == name), None) if message else None

    def get_member_node(self, node: OptionNode, name: str, index: int = -1) -> OptionNode:
        """Return the node of a member, or of the item at an index of its list."""
        field = self.find_field(node, name)
        value = node.values[name]
        numbers = (*node.numbers, *([field.number] if field else []), *([index] if index >= 0 else []))
        item = value[index] if index >= 0 else value
        values = item if isinstance(item, dict) else {}
        return OptionNode(values, field.type_name if field else "", f"{node.path}.{name}", numbers)

    def get_message(self, node: OptionNode, name: str) -> OptionNode:
        """Return the node of a member that is a message. Raises TypeError if it has another type."""
        if not isinstance(node.values[name], dict):
            raise TypeError(name)
        return self.get_member_node(node, name)

    def add_marker(
        self, option: str, value: Any, node: OptionNode, steps: tuple[str, ...] = (), *, unread: bool = False
    ) -> None:
        """Add a marker at the place of a node. Patterns that API servers reject are reported instead."""
        if option == "pattern" and (fault := self._find_pattern_error(value)):
            self.report_untranslated(node, fault)
            return
        declared = _LOGICAL_KEYWORDS.get(option) or SCHEMA[option]
        at = self._at.append(*node.numbers)
        yields = () if option in _ADDED else (option,)
        owner = self.element.full_name
        self.markers.append(
            Marker(declared, steps, value, node.path, at, owner, unread=unread, foreign=True, is_default=yields)
        )

    def _find_pattern_error(self, pattern: str) -> str:
        """Return why an API server of the selected Kubernetes versions rejects a pattern; empty if none does."""
        versions = sorted({KUBERNETES_GO[minor] for minor in parse_minors(self.tools.settings.kubernetes)})
        return next((fault for version in versions if (fault := check(pattern, go=version))), "")

    def set_output_only(self, node: OptionNode) -> None:
        """Record that only a server writes the field, as fields of the status."""
        self.add_marker("required", value=False, node=node)
        self.tools.outputs.append(FieldBehavior(self.element, node.path, self._at.append(*node.numbers)))

    def set_immutable(self, node: OptionNode) -> None:
        """Record that the field cannot be changed once it is set."""
        self.add_marker("immutable", value=True, node=node)
        self.tools.fixed.append(FieldBehavior(self.element, node.path, self._at.append(*node.numbers)))

    def set_required(self, node: OptionNode) -> None:
        """Require the field because its zero value is rejected."""
        at, value = self._at.append(*node.numbers), True
        self.needed = Marker(
            SCHEMA["required"], (), value, node.path, at, self.element.full_name, foreign=True, is_default=_PRESENCE
        )

    def add_constraint(self, constraint: RuleConstraint, node: OptionNode, steps: tuple[str, ...]) -> None:
        """Add a constraint: its keywords, or its rule if one of the keywords is already used. All patterns apply."""
        keys = [(steps, name) for name, _ in constraint.keywords]
        if constraint.keywords and not any(key in self._taken for key in keys):
            self._taken.update(keys)
            first = len(self.markers)
            for name, value in constraint.keywords:
                self.add_marker(name, _make_keyword_value(name, value), node, steps)
            names = tuple([name for name, _ in constraint.keywords])  # a native option replaces the whole constraint
            self.markers[first:] = [marker.replace(is_default=names) for marker in self.markers[first:]]
        elif len(keys) == 1 and keys[0][1] in _COMBINED:
            self._add_combined(*constraint.keywords[0], node, steps)
        elif constraint.rule:
            self.add_marker("rules", [{"rule": constraint.rule, "message": constraint.message}], node, steps)

    def _add_combined(self, name: str, value: Any, node: OptionNode, steps: tuple[str, ...]) -> None:
        """Add a keyword that applies together with others of the same name."""
        if name == "pattern" and (fault := self._find_pattern_error(value)):
            self.report_untranslated(node, fault)
            return
        branch = Schema({(_LOGICAL_KEYWORDS.get(name) or SCHEMA[name]).keyword: _make_keyword_value(name, value)})
        existing = next(
            (marker for marker in self.markers if marker.option.name == "all_of" and marker.steps == steps), None
        )
        if existing is None:
            self.add_marker("all_of", [branch], node, steps)
        else:
            existing.value.append(branch)

    def add_members(self, message: str, values: Mapping[str, Any], node: OptionNode) -> None:
        """Add members of a resource or of a oneof."""
        self.members.append(MessageMembers(message, dict(values), node.path, self._at.append(*node.numbers)))

    @property
    def is_resource(self) -> bool:
        """True if a native option or a comment declares the message as a Kubernetes resource."""
        return any(members.message == "Resource" for members in self._native_members)

    def add_missing_members(self, values: Mapping[str, Any], node: OptionNode) -> None:
        """Add members that a declared resource does not set."""
        resource = [members for members in self._native_members if members.message == "Resource"]
        declared = {name for members in resource for name in members.values}
        missing = {name: value for name, value in values.items() if name not in declared}
        if resource and missing:
            self.add_members("Resource", missing, node)

    def report_untranslated(self, node: OptionNode, reason: str, hint: str = "") -> None:
        """Report an option that is not translated."""
        problem = f"API servers cannot enforce {node.path}: {reason}"
        self.report("vocabulary-unsupported", problem, node, hint)

    def report_unknown(self, node: OptionNode, known: Iterable[str]) -> None:
        """Report a member that has no row in the table."""
        problem = f"unknown option {node.path}"
        self.report("vocabulary-unknown", problem, node, suggest(node.path.rpartition(".")[2], known))

    def report_repeated(self, node: OptionNode) -> None:
        """Report a repeated value of a list."""
        if self.tools.api.get_file(self.element.at.source.file).target:
            self.report("marker-redundant", f"value of {node.path} is repeated", node)

    def report(
        self, rule: str, problem: str, node: OptionNode, hint: str = "", severity: Severity | None = None
    ) -> None:  # fmt: skip
        """Report a finding at a node."""
        at = self._at.append(*node.numbers)
        path = self.element.full_name
        self.tools.problems.report(rule, problem, at, path=path, hint=hint, severity=severity)


def _make_keyword_value(name: str, value: Any) -> Any:
    if name == "any_of":
        return list(map(_make_schema, value))
    return _make_schema(value) if name == "not" else value


def _make_schema(keywords: Mapping[str, Any]) -> Schema:
    """Make a schema from plain keywords."""
    names = {keyword: name for name, keyword in (("any_of", "anyOf"), ("not", "not"))}
    return Schema({keyword: _make_keyword_value(names.get(keyword, ""), value) for keyword, value in keywords.items()})


class VocabularyReader(Protocol):
    """The module of a vocabulary."""

    def read(self, option: OptionValue, reading: ElementOptions) -> None:
        """Read an option."""


def merge_foreign_options(
    options: Sequence[OptionValue],
    element: Element,
    at: ElementPlace,
    tools: ReadingContext,
    native: tuple[list[Marker], list[MessageMembers]],
    inherited: Sequence[tuple[OptionValue, ElementPlace]] = (),
) -> tuple[list[Marker], list[MessageMembers]]:
    """Merge native markers and members with those of other vocabularies. Markers of higher precedence are last.

    `inherited` are options of the message that apply to the field in addition to its options, with their places.
    """
    schema, members = native
    set_options = {(marker.steps, marker.option.name): marker for marker in schema if not marker.within}
    overriding = {(marker.steps, marker.option.name) for marker in schema}
    reading = ElementOptions(tools, element, at, members, overriding)
    result: list[Marker] = []
    for option in sorted(options, key=lambda option: _RANK[option.name]):
        _read(option, reading)
        result = [*_filter_agreeing(reading.drain_markers(), set_options, tools.problems), *result]
        overriding |= set_options.keys()
    for option, place in inherited:
        result = [*_read_inherited(option, ElementOptions(tools, element, place), overriding), *result]
    needed = reading.needed
    if needed and not any(_is_presence_marker(marker) for marker in (*schema, *result)):
        result.append(needed)
    return [*result, *schema], [*members, *reading.members]


def _read_inherited(option: OptionValue, reading: ElementOptions, set_options: Collection[Key]) -> list[Marker]:
    reading.mark_taken(set_options)
    _read(option, reading)
    return reading.drain_markers()


@cache
def _load_reader(module: str) -> VocabularyReader:
    return cast(VocabularyReader, import_module(f"{__package__}.{module}"))


def _is_presence_marker(marker: Marker) -> bool:
    """Return whether a marker sets for all versions whether the field is required."""
    return marker.option.name in _PRESENCE and not marker.steps and not marker.within


def _read(option: OptionValue, reading: ElementOptions) -> None:
    try:
        _load_reader(READERS[option.name]).read(option, reading)
    except _MISFIT:
        node = OptionNode({}, "", f"({option.name})", option.path)
        problem = f"{node.path} is declared with another type than in its vocabulary"
        reading.report("vocabulary-unknown", problem, node)


def _to_plain(value: Any) -> Any:
    """Convert schemas in a value to plain keywords, which can be compared."""
    if isinstance(value, Schema):
        return {keyword: _to_plain(inner) for keyword, inner in value.keywords.items()}
    return list(map(_to_plain, value)) if isinstance(value, list) else value


def _filter_agreeing(markers: Sequence[Marker], set_options: dict[Key, Marker], problems: Problems) -> Iterator[Marker]:
    """Yield the markers of an option that no marker of higher precedence sets, and report contradictions."""
    before = dict(set_options)
    for marker in markers:
        key = marker.steps, marker.option.name
        first = None if marker.option.name in _SEVERAL else before.get(key)
        if first is None:
            set_options[key] = marker
            yield marker
        elif first.overrides or _to_plain(first.value) == _to_plain(marker.value):
            continue
        elif marker.option.name in _LOGICAL_KEYWORDS:  # both apply
            yield marker.replace(
                option=_LOGICAL_KEYWORDS["all_of"], value=[Schema({marker.option.keyword: marker.value})]
            )
        else:
            problem = f'{first.text} and {marker.text} set "{marker.name}" to different values'
            hint = f"{first.text} takes precedence"
            problems.report("marker-contradiction", problem, marker.at, path=marker.owner, hint=hint)
