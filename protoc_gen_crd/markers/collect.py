"""Options and comment lines of an element to its markers. What cannot be read is a finding, never silence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.markers.comments import Comment, MarkerLine, read_comment
from protoc_gen_crd.markers.declared import IDLE, PACKAGE, fits, idle, leaves, message_options
from protoc_gen_crd.markers.lines import LineReader
from protoc_gen_crd.markers.marker import NO_MARKS, Marker, Marks, Members
from protoc_gen_crd.markers.mistakes import Mistakes
from protoc_gen_crd.markers.ranges import ENDS, Ranges, bounds
from protoc_gen_crd.markers.repeats import check_markers, check_members, said
from protoc_gen_crd.markers.resource import report_twice
from protoc_gen_crd.markers.vocabularies import READERS, Behavior
from protoc_gen_crd.proto.load import ApiSet
from protoc_gen_crd.proto.locations import PACKAGE_PATH, ElementPlace
from protoc_gen_crd.proto.model import Element, Enum, EnumValue, Field, File, Message, Oneof
from protoc_gen_crd.proto.options import OptionReader, OptionValue

# Element class -> (its options message, the letter of its comment markers, its options in options.proto by name)
_ELEMENTS = {
    Field: ("FieldOptions", "F", {"field": "Schema"}),
    Message: ("MessageOptions", "T", {"message": "Schema", "resource": "Resource"}),
    Enum: ("EnumOptions", "E", {"enum": "Schema"}),
    EnumValue: ("EnumValueOptions", "V", {"enum_value": "EnumValue"}),
    Oneof: ("OneofOptions", "O", {"oneof": "Oneof"}),
}
_OPTIONS_FIELD = {Field: 8, Message: 7, Enum: 3, EnumValue: 3, Oneof: 2}  # number of `options` in the descriptor
_FILE_OPTIONS = 8


class Collector:
    """Reads each element once."""

    def __init__(self, api: ApiSet, problems: Problems, *, numbered: bool = False) -> None:
        self.options = OptionReader(api, problems)
        self.outputs: list[Behavior] = []  # fields that only a server writes, as far as they have been read
        self.fixed: list[Behavior] = []  # fields that stay as they were, likewise
        self._api = api
        self._problems = problems
        self._numbered = numbered  # whether objects may have the number of an enum's value for its name
        self._mistakes = Mistakes(api, problems)
        self._lines = LineReader(self._mistakes)
        self._ranges = Ranges(problems)
        self._comments: dict[int, Comment] = {}
        self._marks: dict[int, Marks] = {}
        self._packages: dict[str, tuple[Members, ...]] = {}

    def comment(self, element: Element) -> Comment:
        """The element's comment, read."""
        known = self._comments.get(id(element))
        if known is None:
            known = self._comments[id(element)] = read_comment(element.comment, element.at)
        return known

    def description(self, element: Element) -> str:
        """What the comment above an element says of it, less the markers; the one behind it if that is blank."""
        above = self.comment(element)
        behind = "" if above.text.strip() else element.at.source.behind(element.at.path)
        return read_comment(behind, element.at).description if behind else above.description

    def deprecated(self, element: Element) -> bool:
        """Whether an element is deprecated, or the file with its message or enum."""
        return element.deprecated or (
            isinstance(element, Enum | Message) and self._api.file(element.at.source.file).deprecated
        )

    def marks(self, element: Element) -> Marks:
        """Everything marked on a field, message, enum, enum value or oneof."""
        known = self._marks.get(id(element))
        if known is None:
            known = self._marks[id(element)] = self._read(element)
        return known

    def package(self, file: File) -> tuple[Members, ...]:
        """What a file says of itself: its options and the markers in the comments of its package line."""
        known = self._packages.get(file.name)
        if known is None:
            known = self._packages[file.name] = tuple(self._read_package(file))
        return known

    def _read(self, element: Element) -> Marks:
        lines = self.comment(element).markers
        if not lines and not element.options:
            return NO_MARKS
        owner, letter, names = _ELEMENTS[type(element)]
        schema: list[Marker] = []
        members: list[Members] = []
        at = element.at.below(_OPTIONS_FIELD[type(element)]) if element.options else element.at
        foreign: list[OptionValue] = []
        for option in self.options.read(owner, element.options):
            package, _, name = option.name.rpartition(".")
            if package == PACKAGE and name in names:
                self._option(option, name, names[name], at, element.full_name, schema, members)
            elif option.name in READERS:
                foreign.append(option)
        for marker in self._of_lines(lines, letter, element.full_name, element):
            (schema if isinstance(marker, Marker) else members).append(marker)  # type: ignore[arg-type]
        if foreign:
            from protoc_gen_crd.markers.vocabularies.reading import Tools, with_foreign  # noqa: PLC0415 - few use one

            tools = Tools(self._api, self.options, self._problems, self.outputs, self.fixed, self._numbered)
            schema, members = with_foreign(foreign, element, at, tools, (schema, members))
        if self._api.file(element.at.source.file).target:
            check_markers(schema, self._problems)
            check_members(members, element.full_name, self._problems)
        kept = [marker for marker in _gathered(schema) if not self._mistakes.misfit(marker, letter, element)]
        self._check_texts(kept)
        if not any(marker.within or marker.option.name in ENDS for marker in kept) and letter != "V":
            return Marks(tuple(kept), tuple(members))
        return self._spanned(kept, members, element.full_name)

    def _of_lines(
        self, lines: Sequence[MarkerLine], letter: str, owner: str, element: Element | None
    ) -> Iterator[Marker | Members]:
        """What the marker lines of an element say, less those that say it again in the spelling of one tool."""
        seen: set[object] = set()
        for line in lines:
            standing = line.on(letter, owner, element)
            if line.text in seen:
                self._mistakes.twice(standing)
            elif found := tuple(self._lines.read(standing)):
                meaning = said(line.text, found) if len(lines) > 1 else None
                if meaning in seen:
                    self._mistakes.again(standing)
                else:
                    seen |= {line.text, meaning}
                    yield from found

    def _check_texts(self, markers: Iterable[Marker]) -> None:
        """Report what the file would not hold as it was written."""
        for marker in markers:
            if _breaks(marker.value):
                problem = f'a value must not hold U+0085, a line break to YAML, found it in "{marker.text}"'
                self._problems.report("marker-value", problem, marker.at, path=marker.owner, excerpt=marker.excerpt)

    def _spanned(self, markers: list[Marker], members: list[Members], owner: str) -> Marks:
        """The marks with their ranges made of what is written: of the element, and of single markers."""
        ends: list[Marker | Members] = [marker for marker in markers if marker.option.name in ENDS]
        ends += [one for one in members if one.message == "EnumValue" and bounds(one.values)]
        given: dict[str, Any] = {}
        for one in ends:
            values = {one.option.name: one.value} if isinstance(one, Marker) else one.values
            for end in ENDS:
                if end in values and given.setdefault(end, values[end]) != values[end]:
                    problem = f'"{end}" must be set once, found "{given[end]}" and "{values[end]}"'
                    self._problems.report("marker-contradiction", problem, one.at, path=owner, excerpt=one.excerpt)
        spans = self._ranges.of(bounds(given), ends[-1].at, owner, ends[-1].excerpt) if ends else ()
        kept = [made for marker in markers if marker.option.name not in ENDS and (made := self._ranged(marker))]
        return Marks(tuple(kept), tuple(members), spans or ())

    def _ranged(self, marker: Marker) -> Marker | None:
        """A marker with its ranges; None where they cannot be read."""
        if not marker.within:
            return marker
        spans = self._ranges.of(marker.within, marker.at, marker.owner, marker.excerpt)
        return None if spans is None else marker.replace(spans=spans)

    def _read_package(self, file: File) -> list[Members]:
        found: list[Members] = []
        at = ElementPlace(file.source, (_FILE_OPTIONS,))
        for option in self.options.read("FileOptions", file.options):
            if option.name == f"{PACKAGE}.file":
                self._option(option, "file", "Package", at, file.package, [], found)
        element = ElementPlace(file.source, PACKAGE_PATH)
        texts = [*file.source.detached(PACKAGE_PATH), file.source.leading.get(PACKAGE_PATH, "")]
        for text in texts:
            lines = read_comment(text, element).markers
            found += [one for one in self._of_lines(lines, "P", file.package, None) if isinstance(one, Members)]
        self._check_agreement(found, file.package)
        return found

    def _check_agreement(self, given: list[Members], package: str) -> None:
        """What is said of a package twice must be the same."""
        said: dict[str, Any] = {}
        for members in given:
            for name, value in members.values.items():
                if said.setdefault(name, value) != value:
                    report_twice(name, said[name], value, members, package, self._problems)

    def _option(
        self,
        option: OptionValue,
        name: str,
        message: str,
        at: ElementPlace,
        owner: str,
        schema: list[Marker],
        members: list[Members],
    ) -> None:
        """Split an option of options.proto into markers."""
        place = at.below(*option.path)
        spelling = f"({PACKAGE}.{name})"
        values = self._known(option.value, message, spelling, place, owner)
        if message != "Schema":
            members.append(Members(message, values, spelling, place))
            return
        for numbers in idle(values):
            self._problems.report("marker-value", IDLE, place.below(*numbers), path=owner)
        for leaf in leaves(values):
            text = ".".join((spelling, *leaf.steps, leaf.option.name))
            at = place.below(*leaf.numbers)
            made = Marker(leaf.option, leaf.steps, leaf.value, text, at, owner, unread=leaf.option.json)
            schema.append(made.replace(within=leaf.within) if leaf.within else made)

    def _known(self, values: object, message: str, spelling: str, at: ElementPlace, owner: str) -> dict[str, Any]:
        """The members that this version of the tool knows, with values of the kinds that it knows."""
        known = message_options(message)
        good: dict[str, Any] = {}
        for name, value in values.items() if isinstance(values, dict) else [("", values)]:
            option = known.get(name)
            if option is None or not fits(option, value):
                what = f'"{name}" in {spelling}' if name and option is None else _misfit(value, spelling, name)
                problem = f"options must be known to this version of the tool, found {what}"
                hint = "use the options.proto that belongs to the tool, or a newer tool"
                self._problems.report("option-newer", problem, at, path=owner, hint=hint)
            elif option.kind != "message" or option.message.endswith("Entry"):
                good[name] = value
            else:
                below = [self._known(one, option.message, f"{spelling}.{name}", at, owner) for one in _listed(value)]
                good[name] = below if option.repeated else below[0]
        return good


_KINDS: Mapping[type, str] = {dict: "a message", list: "a list", str: "text", bytes: "bytes"}


def _misfit(value: object, spelling: str, name: str) -> str:
    return f"{_KINDS.get(type(value), f'the value {value}')} for {spelling}{'.' * bool(name)}{name}"


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _breaks(value: object) -> bool:
    """Whether readers of YAML get a blank for a character of it: Kubernetes' own writer does not escape that one."""
    if isinstance(value, str):
        return "\x85" in value or "\\u0085" in value
    if isinstance(value, dict):
        return any(map(_breaks, value.values()))
    return isinstance(value, list) and any(map(_breaks, value))


def _gathered(markers: list[Marker]) -> Iterable[Marker]:
    """The markers, with comment lines that each give one value of a list as one marker, as protoc does for options."""
    if len(markers) < 2:
        return markers
    made: dict[object, Marker] = {}
    for marker in markers:
        key: object = id(marker)
        if marker.unread and marker.option.repeated:
            key = marker.option.name, marker.steps, marker.within, marker.excerpt is None
        known = made.get(key)
        if known:
            parts = (*(known.parts or (known,)), marker)
            marker = known.replace(value=[*known.value, *marker.value], parts=parts)
        made[key] = marker
    return made.values()
