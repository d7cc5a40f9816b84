"""Collector of the markers of an element, from its options and comments. Unreadable markers are findings."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from protoc_gen_crd.findings.finding import Place, Problems
from protoc_gen_crd.markers.comment_markers import MarkerLineReader
from protoc_gen_crd.markers.comments import Comment, MarkerLine, has_deprecated_paragraph, read_comment
from protoc_gen_crd.markers.duplicate_values import check_markers, check_members, get_meaning
from protoc_gen_crd.markers.foreign_options import ForeignOptions
from protoc_gen_crd.markers.marker import NO_MARKERS, ElementMarkers, Marker, MessageMembers
from protoc_gen_crd.markers.marker_diagnostics import MarkerDiagnostics
from protoc_gen_crd.markers.marker_ranges import ENDS, RangeReader, get_bounds
from protoc_gen_crd.markers.option_declarations import (
    EMPTY_DURING,
    PACKAGE,
    find_empty_during,
    flatten_options,
    get_message_options,
    is_valid_value,
)
from protoc_gen_crd.markers.resource_markers import report_twice
from protoc_gen_crd.markers.vocabularies.registry import READERS
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.custom_options import OptionValue
from protoc_gen_crd.proto.model import Element, Enum, EnumValue, Field, File, Message, Oneof
from protoc_gen_crd.proto.source_locations import PACKAGE_PATH, ElementPlace
from protoc_gen_crd.settings.settings import Settings

if TYPE_CHECKING:
    from protoc_gen_crd.markers.overrides import Overrides

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
_DEFAULTS = Settings()


class MarkerCollector:
    """Reads each element once."""

    def __init__(
        self, api: ApiSet, problems: Problems, settings: Settings = _DEFAULTS, *, overrides: Overrides | None = None
    ) -> None:
        self.foreign = ForeignOptions(api, problems, settings)
        self.options = self.foreign.options
        self.overrides = overrides
        self._settings = settings
        self._api = api
        self._problems = problems
        self._mistakes = MarkerDiagnostics(api, problems)
        self._lines = MarkerLineReader(self._mistakes)
        self._ranges = RangeReader(problems)
        self._comments: dict[int, Comment] = {}
        self._marks: dict[int, ElementMarkers] = {}
        self._packages: dict[str, tuple[MessageMembers, ...]] = {}
        self._deprecated_files: dict[str, bool] = {}

    def read_comment(self, element: Element) -> Comment:
        """The element's comment, read."""
        known = self._comments.get(id(element))
        if known is None:
            known = self._comments[id(element)] = read_comment(element.comment, element.at)
        return known

    def get_description(self, element: Element) -> str:
        """Return the comment above an element without markers, or the trailing comment if that is empty."""
        above = self.read_comment(element)
        behind = "" if above.text.strip() else element.at.source.get_trailing_comment(element.at.path)
        return read_comment(behind, element.at).description if behind else above.description

    def is_deprecated(self, element: Element) -> bool:
        """Return whether an element is deprecated, or the file of a message or enum: by its option or its comment."""
        if element.deprecated or has_deprecated_paragraph(element.comment, element.at):
            return True
        return isinstance(element, Enum | Message) and self._is_file_deprecated(element.at.source.file)

    def _is_file_deprecated(self, name: str) -> bool:
        known = self._deprecated_files.get(name)
        if known is None:
            file = self._api.get_file(name)
            comment = file.source.leading.get(PACKAGE_PATH, "")
            known = file.deprecated or has_deprecated_paragraph(comment, ElementPlace(file.source, PACKAGE_PATH))
            self._deprecated_files[name] = known
        return known

    def collect(self, element: Element) -> ElementMarkers:
        """Return the markers of a field, message, enum, enum value or oneof."""
        known = self._marks.get(id(element))
        if known is None:
            known = self._marks[id(element)] = self._collect_element(element)
        return known

    def copy(self, problems: Problems) -> MarkerCollector:
        """Return a collector with the same settings that reports to another collector of findings."""
        return MarkerCollector(self._api, problems, self._settings, overrides=self.overrides)

    def has_markers(self, element: Element) -> bool:
        """Return whether an element may have markers, without reading them."""
        overridden = self.overrides is not None and self.overrides.get(element.full_name) is not None
        return bool(element.options) or "+" in element.comment or overridden

    def is_collected(self, element: Element | File) -> bool:
        """Return whether the markers of an element, or of the package of a file, have been collected."""
        return element.name in self._packages if isinstance(element, File) else id(element) in self._marks

    def find_json_name_place(self, fields: Iterable[Field], name: str) -> Place | None:
        """The place of an override that gives one of some fields this JSON name."""
        return self.overrides.find_json_name_place(fields, name) if self.overrides else None

    def collect_package(self, file: File) -> tuple[MessageMembers, ...]:
        """Return the markers of a package: file options and comments of the package line."""
        known = self._packages.get(file.name)
        if known is None:
            known = self._packages[file.name] = tuple(self._read_package(file))
        return known

    def _collect_element(self, element: Element) -> ElementMarkers:
        lines = self.read_comment(element).markers
        override = self.overrides.get(element.full_name) if self.overrides else None
        inherited = self.foreign.list_inherited(element)
        if not (lines or element.options or inherited or override):
            return NO_MARKERS
        owner, letter, names = _ELEMENTS[type(element)]
        schema: list[Marker] = []
        members: list[MessageMembers] = []
        at = element.at.append(_OPTIONS_FIELD[type(element)]) if element.options else element.at
        foreign: list[OptionValue] = []
        for option in self.options.read(owner, element.options):
            package, _, name = option.name.rpartition(".")
            if package == PACKAGE and name in names:
                self._split_option(option, name, names[name], at, element.full_name, schema, members)
            elif option.name in READERS:
                foreign += [] if override and override.drops_option(option.name) else [option]
            else:
                self.foreign.report_unread(option, at, element.full_name)
        for marker in self._read_lines(lines, letter, element.full_name, element):
            (schema if isinstance(marker, Marker) else members).append(marker)  # type: ignore[arg-type]
        if override:
            schema = [*override.filter_markers(schema), *override.markers]
            members = [*override.filter_members(members), *override.members]
        if foreign or inherited:
            schema, members = self._merge_foreign_options(foreign, inherited, element, at, (schema, members))
        if self._api.get_file(element.at.source.file).target:
            check_markers(schema, self._problems)
            check_members(members, element.full_name, self._problems)
        kept = [
            marker for marker in _merge_list_markers(schema) if not self._mistakes.check_target(marker, letter, element)
        ]
        self._check_line_breaks(kept)
        if not any(marker.within or marker.option.name in ENDS for marker in kept) and letter != "V":
            return ElementMarkers(tuple(kept), tuple(members))
        return self._add_ranges(kept, members, element.full_name)

    def _merge_foreign_options(
        self,
        found: Sequence[OptionValue],
        inherited: Sequence[tuple[OptionValue, ElementPlace]],
        element: Element,
        at: ElementPlace,
        own: tuple[list[Marker], list[MessageMembers]],
    ) -> tuple[list[Marker], list[MessageMembers]]:
        """Return markers and members with those of options of other vocabularies that no override replaces."""
        merged, members = self.foreign.merge(found, inherited, element, at, own)
        if self.overrides is None:
            return merged, members
        package = self._api.get_file(element.at.source.file).package
        return self.overrides.filter_foreign(element.full_name, package, merged, members, len(own[1]))

    def _read_lines(
        self, lines: Sequence[MarkerLine], letter: str, owner: str, element: Element | None
    ) -> Iterator[Marker | MessageMembers]:
        """Read the marker lines of an element, without repetitions in the spelling of the same tool."""
        seen: set[object] = set()
        for line in lines:
            standing = line.place_on(letter, owner, element)
            if line.text in seen:
                self._mistakes.report_repeated_line(standing)
            elif found := tuple(self._lines.read(standing)):
                meaning = get_meaning(line.text, found) if len(lines) > 1 else None
                if meaning in seen:
                    self._mistakes.report_redundant_line(standing)
                else:
                    seen |= {line.text, meaning}
                    yield from found

    def _check_line_breaks(self, markers: Iterable[Marker]) -> None:
        """Report values that YAML cannot represent as written."""
        for marker in markers:
            if _has_line_break(marker.value):
                problem = f'"{marker.text}" contains U+0085, which YAML reads as a line break'
                self._problems.report("marker-value", problem, marker.at, path=marker.owner, excerpt=marker.excerpt)

    def _add_ranges(self, markers: list[Marker], members: list[MessageMembers], owner: str) -> ElementMarkers:
        """Return the markers with the version ranges of the element and of single markers."""
        ends: list[Marker | MessageMembers] = [marker for marker in markers if marker.option.name in ENDS]
        ends += [one for one in members if one.message == "EnumValue" and get_bounds(one.values)]
        given: dict[str, Any] = {}
        for one in ends:
            values = {one.option.name: one.value} if isinstance(one, Marker) else one.values
            for end in ENDS:
                if end in values and given.setdefault(end, values[end]) != values[end]:
                    problem = f'"{end}" is set twice, to "{given[end]}" and "{values[end]}"'
                    self._problems.report("marker-contradiction", problem, one.at, path=owner, excerpt=one.excerpt)
        spans = self._ranges.read_ranges(get_bounds(given), ends[-1].at, owner, ends[-1].excerpt) if ends else ()
        kept = [made for marker in markers if marker.option.name not in ENDS and (made := self._add_range(marker))]
        return ElementMarkers(tuple(kept), tuple(members), spans or ())

    def _add_range(self, marker: Marker) -> Marker | None:
        """Return a marker with its ranges, None if they are invalid."""
        if not marker.within:
            return marker
        spans = self._ranges.read_ranges(marker.within, marker.at, marker.owner, marker.excerpt)
        return None if spans is None else marker.replace(spans=spans)

    def _read_package(self, file: File) -> list[MessageMembers]:
        found: list[MessageMembers] = []
        at = ElementPlace(file.source, (_FILE_OPTIONS,))
        for option in self.options.read("FileOptions", file.options):
            if option.name == f"{PACKAGE}.file":
                self._split_option(option, "file", "Package", at, file.package, [], found)
            else:
                self.foreign.report_unread(option, at, file.package)
        element = ElementPlace(file.source, PACKAGE_PATH)
        texts = [*file.source.get_detached_comments(PACKAGE_PATH), file.source.leading.get(PACKAGE_PATH, "")]
        for text in texts:
            lines = read_comment(text, element).markers
            found += [
                one for one in self._read_lines(lines, "P", file.package, None) if isinstance(one, MessageMembers)
            ]
        if self.overrides and (override := self.overrides.get(file.package)):
            found = [*override.filter_members(found), *override.members]
        self._check_agreement(found, file.package)
        return found

    def _check_agreement(self, given: list[MessageMembers], package: str) -> None:
        """Report options of a package that are set to different values."""
        values: dict[str, Any] = {}
        for members in given:
            for name, value in members.values.items():
                if values.setdefault(name, value) != value:
                    report_twice(name, values[name], value, members, package, self._problems)

    def _split_option(
        self,
        option: OptionValue,
        name: str,
        message: str,
        at: ElementPlace,
        owner: str,
        schema: list[Marker],
        members: list[MessageMembers],
    ) -> None:
        """Split an option of options.proto into markers."""
        place = at.append(*option.path)
        spelling = f"({PACKAGE}.{name})"
        values = self._filter_known(option.value, message, spelling, place, owner)
        if message != "Schema":
            members.append(MessageMembers(message, values, spelling, place))
            return
        for numbers in find_empty_during(values):
            self._problems.report("marker-value", EMPTY_DURING, place.append(*numbers), path=owner)
        for leaf in flatten_options(values):
            text = ".".join((spelling, *leaf.steps, leaf.option.name))
            at = place.append(*leaf.numbers)
            made = Marker(leaf.option, leaf.steps, leaf.value, text, at, owner, unread=leaf.option.json)
            schema.append(made.replace(within=leaf.within) if leaf.within else made)

    def _filter_known(
        self, values: object, message: str, spelling: str, at: ElementPlace, owner: str
    ) -> dict[str, Any]:
        """Return the supported members with valid values, and report the others."""
        known = get_message_options(message)
        good: dict[str, Any] = {}
        for name, value in values.items() if isinstance(values, dict) else [("", values)]:
            option = known.get(name)
            if option is None or not is_valid_value(option, value):
                what = (
                    f'"{name}" in {spelling}' if name and option is None else _describe_mismatch(value, spelling, name)
                )
                problem = f"this version of protoc-gen-crd does not support {what}"
                hint = "use the options.proto of this version, or a newer version"
                self._problems.report("option-newer", problem, at, path=owner, hint=hint)
            elif option.kind != "message" or option.message.endswith("Entry"):
                good[name] = value
            else:
                below = [
                    self._filter_known(one, option.message, f"{spelling}.{name}", at, owner) for one in _to_list(value)
                ]
                good[name] = below if option.repeated else below[0]
        return good


_KINDS: Mapping[type, str] = {dict: "a message", list: "a list", str: "a string", bytes: "bytes"}


def _describe_mismatch(value: object, spelling: str, name: str) -> str:
    return f"{_KINDS.get(type(value), f'the value {value}')} for {spelling}{'.' * bool(name)}{name}"


def _to_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _has_line_break(value: object) -> bool:
    """Check for U+0085, which YAML readers replace by a blank: Kubernetes' YAML writer does not escape it."""
    if isinstance(value, str):
        return "\x85" in value or "\\u0085" in value
    if isinstance(value, dict):
        return any(map(_has_line_break, value.values()))
    return isinstance(value, list) and any(map(_has_line_break, value))


def _merge_list_markers(markers: list[Marker]) -> Iterable[Marker]:
    """Merge comment lines that each set one value of a list, as protoc does for options."""
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
