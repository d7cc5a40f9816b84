"""Collector of the markers of an element, from its options and comments. Invalid markers are findings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from protoc_gen_crd.findings.finding import Place, Problems
from protoc_gen_crd.markers.comment_parser import (
    Comment,
    ElementMarkerLine,
    MarkerLine,
    has_deprecated_paragraph,
    needs_parsing,
    read_comment,
    read_description,
)
from protoc_gen_crd.markers.declared_resources import report_twice
from protoc_gen_crd.markers.duplicate_values import LineMeanings, check_markers, check_members
from protoc_gen_crd.markers.foreign_options import ForeignOptions
from protoc_gen_crd.markers.invalid_marker_findings import MarkerDiagnostics
from protoc_gen_crd.markers.marker import NO_MARKERS, ElementMarkers, Marker, MessageMembers
from protoc_gen_crd.markers.marker_line_reader import MarkerLineReader
from protoc_gen_crd.markers.marker_ranges import ENDS, RangeReader, get_bounds
from protoc_gen_crd.markers.option_declarations import (
    EMPTY_DURING,
    EMPTY_DURING_HINT,
    PACKAGE,
    find_empty_during,
    flatten_options,
    get_message_options,
    is_valid_value,
)
from protoc_gen_crd.markers.vocabularies.registry import READERS
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.custom_options import OptionValue
from protoc_gen_crd.proto.element_model import Element, Enum, EnumValue, Field, File, Message, Method, Oneof, Service
from protoc_gen_crd.proto.source_locations import PACKAGE_PATH, ElementPlace
from protoc_gen_crd.schema.schema import Schema
from protoc_gen_crd.settings.settings import Settings

if TYPE_CHECKING:
    from protoc_gen_crd.markers.overrides import ElementOverride, Overrides

# Element class -> (its options message, the letter of its comment markers, its options in options.proto by name)
_ELEMENTS = {
    Field: ("FieldOptions", "F", {"field": "Schema"}),
    Message: ("MessageOptions", "T", {"message": "Schema", "resource": "Resource"}),
    Enum: ("EnumOptions", "E", {"enum": "Schema"}),
    EnumValue: ("EnumValueOptions", "V", {"enum_value": "EnumValue"}),
    Oneof: ("OneofOptions", "O", {"oneof": "Oneof"}),
    Service: ("ServiceOptions", "S", {"service": "Service"}),
    Method: ("MethodOptions", "M", {"method": "Method"}),
}
_OPTIONS_FIELD = {
    Field: 8,
    Message: 7,
    Enum: 3,
    EnumValue: 3,
    Oneof: 2,
    Service: 3,
    Method: 4,
}  # number of `options` in the descriptor
_FILE_OPTIONS = 8
_REPEATING = ("F", "T")  # letters of elements whose markers have no hints about the element
_TYPES_AND_SERVICES = (Enum, Message, Service)
_DEFAULTS = Settings()
_NUMBERS = (bool, int, float)
_LINE_BREAK_HINT = "write a space or a line feed instead"


class MarkerCollector:
    """Collects the markers of elements. Each element is read once."""

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
        # Shortcut known-lines: a line without findings sets the same option to the same value on every element of a
        # letter, and lines that set different options are not compared.
        self._known: dict[tuple[str, str, str], Marker] = {}
        self._marks: dict[int, ElementMarkers] = {}
        self._packages: dict[str, tuple[MessageMembers, ...]] = {}
        self._deprecated_files: dict[str, bool] = {}

    def read_comment(self, element: Element) -> Comment:
        """Return the parsed comment of an element."""
        comment = self._comments.get(id(element))
        if comment is None:
            comment = self._comments[id(element)] = read_comment(element.comment, element.at)
        return comment

    def get_description(self, element: Element) -> str:
        """Return the comment above an element without its markers, or the trailing comment if that is empty."""
        return read_description(element, self.read_comment(element))

    def is_deprecated(self, element: Element) -> bool:
        """Return whether the option or comment of an element, or of the file of a message or enum, deprecates it."""
        if element.deprecated or has_deprecated_paragraph(element.comment, element.at):
            return True
        return type(element) in _TYPES_AND_SERVICES and self._is_file_deprecated(element.at.source.file)

    def _is_file_deprecated(self, name: str) -> bool:
        deprecated = self._deprecated_files.get(name)
        if deprecated is None:
            file = self._api.get_file(name)
            comment = file.source.leading.get(PACKAGE_PATH, "")
            deprecated = file.deprecated or has_deprecated_paragraph(comment, ElementPlace(file.source, PACKAGE_PATH))
            self._deprecated_files[name] = deprecated
        return deprecated

    def collect(self, element: Element) -> ElementMarkers:
        """Return the markers of a field, message, enum, enum value or oneof."""
        markers = self._marks.get(id(element))
        if markers is None:
            markers = self._marks[id(element)] = self._collect_element(element)
        return markers

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
        """Return the place of the override that sets this JSON name for one of the fields."""
        return self.overrides.find_json_name_place(fields, name) if self.overrides else None

    def collect_package(self, file: File) -> tuple[MessageMembers, ...]:
        """Return the markers of a package: its file options and the comments of the package line."""
        members = self._packages.get(file.name)
        if members is None:
            members = self._packages[file.name] = tuple(self._read_package(file))
        return members

    def _collect_element(self, element: Element) -> ElementMarkers:
        lines = self.read_comment(element).markers if needs_parsing(element.comment) else ()
        override = self.overrides.get(element.full_name) if self.overrides else None
        inherited = self.foreign.list_inherited(element)
        if not (lines or element.options or inherited or override):
            return NO_MARKERS
        at = element.at.append(_OPTIONS_FIELD[type(element)]) if element.options else element.at
        schema, members, foreign = self._read_options(element, at, override)
        for marker in self._read_lines(lines, _ELEMENTS[type(element)][1], element.full_name, element):
            (schema if isinstance(marker, Marker) else members).append(marker)  # type: ignore[arg-type]
        if override:
            schema = [*override.filter_markers(schema), *override.markers]
            members = [*override.filter_members(members), *override.members]
        if foreign or inherited:
            schema, members = self.foreign.merge(foreign, inherited, element, at, (schema, members))
            if override:
                schema, members = list(override.filter_markers(schema)), list(override.filter_members(members))
        return self._check_element(element, schema, members)

    def _read_options(
        self, element: Element, at: ElementPlace, override: ElementOverride | None
    ) -> tuple[list[Marker], list[MessageMembers], list[OptionValue]]:
        """Return the markers and members of the options of an element, and its options of other vocabularies."""
        owner, _, names = _ELEMENTS[type(element)]
        schema: list[Marker] = []
        members: list[MessageMembers] = []
        foreign: list[OptionValue] = []
        for option in self.options.read(owner, element.options):
            package, _, name = option.name.rpartition(".")
            if package == PACKAGE and name in names:
                self._split_option(option, name, names[name], at, element.full_name, schema, members)
            elif option.name in READERS:
                foreign += [] if override and override.drops_option(option.name) else [option]
            else:
                self.foreign.report_unsupported(option, at, element.full_name)
        return schema, members, foreign

    def _check_element(self, element: Element, schema: list[Marker], members: list[MessageMembers]) -> ElementMarkers:
        """Report invalid markers of an element, and return the others with their version ranges."""
        letter = _ELEMENTS[type(element)][1]
        if self._api.get_file(element.at.source.file).target:
            check_markers(schema, self._problems)
            check_members(members, element.full_name, self._problems)
        applicable = [
            marker for marker in _merge_list_markers(schema) if not self._mistakes.check_target(marker, letter, element)
        ]
        self._check_line_breaks(applicable)
        if not any(marker.within or marker.option.name in ENDS for marker in applicable) and letter != "V":
            return ElementMarkers(tuple(applicable), tuple(members))
        return self._add_ranges(applicable, members, element.full_name)

    def _read_lines(
        self, lines: Sequence[MarkerLine], letter: str, owner: str, element: Element | None
    ) -> Sequence[Marker | MessageMembers]:
        """Read the marker lines of an element, and report repetitions in the spelling of the same tool."""
        if known := self._find_known(lines, letter):
            return [
                Marker(marker.option, marker.steps, marker.value, line.text, line.at, owner)
                for line, marker in zip(lines, known, strict=True)
            ]
        if len(lines) == 1:
            return self._read_line(lines[0].place_on(letter, owner, element))
        result: list[Marker | MessageMembers] = []
        texts: set[str] = set()
        meanings = LineMeanings()
        for line in lines:
            element_line = line.place_on(letter, owner, element)
            if line.text in texts:
                self._mistakes.report_repeated_line(element_line)
            elif markers := self._read_line(element_line):
                if meanings.add(line.text, markers):
                    self._mistakes.report_redundant_line(element_line)
                else:
                    texts.add(line.text)
                    result += markers
        return result

    def _find_known(self, lines: Sequence[MarkerLine], letter: str) -> Sequence[Marker]:
        """Return the markers that other elements have on these lines; none unless all are known and of own options."""
        known = [marker for line in lines if (marker := self._known.get((letter, line.before, line.text)))]
        if len(known) < len(lines):
            return ()
        if len(known) == 1:
            return known
        return known if len({(marker.option.name, marker.steps) for marker in known}) == len(known) else ()

    def _read_line(self, line: ElementMarkerLine) -> Sequence[Marker | MessageMembers]:
        count = len(self._problems.findings)
        markers = self._lines.read(line)
        if " +" in line.text and len(self._problems.findings) == count:
            self._mistakes.check_included(line)
        is_clean = len(self._problems.findings) == count and line.letter in _REPEATING and "\ufffd" not in line.text
        if is_clean and len(markers) == 1:  # garbled text is a finding only in files where it is not valid
            marker = markers[0]
            if isinstance(marker, Marker) and marker.at is line.at and not (marker.within or marker.unread):
                self._known[line.letter, line.before, line.text] = marker
        return markers

    def _check_line_breaks(self, markers: Iterable[Marker]) -> None:
        """Report values that YAML cannot represent as written."""
        for marker in markers:
            if type(marker.value) not in _NUMBERS and _has_line_break(marker.value):
                problem = f'"{marker.text}" contains U+0085, which YAML reads as a line break'
                self._problems.report(
                    "marker-value", problem, marker.at, path=marker.owner, hint=_LINE_BREAK_HINT, excerpt=marker.excerpt
                )

    def _add_ranges(self, markers: list[Marker], members: list[MessageMembers], owner: str) -> ElementMarkers:
        """Return the markers with their version ranges and with those of the element."""
        ends: list[Marker | MessageMembers] = [marker for marker in markers if marker.option.name in ENDS]
        ends += [marker for marker in members if marker.message == "EnumValue" and get_bounds(marker.values)]
        bounds: dict[str, Any] = {}
        for marker in ends:
            values = {marker.option.name: marker.value} if isinstance(marker, Marker) else marker.values
            for end in ENDS:
                if end in values and bounds.setdefault(end, values[end]) != values[end]:
                    problem = f'"{end}" is set twice, to "{bounds[end]}" and "{values[end]}"'
                    self._problems.report(
                        "marker-contradiction", problem, marker.at, path=owner, excerpt=marker.excerpt
                    )
        spans = self._ranges.read_ranges(get_bounds(bounds), ends[-1].at, owner, ends[-1].excerpt) if ends else ()
        applicable = [
            ranged for marker in markers if marker.option.name not in ENDS and (ranged := self._add_range(marker))
        ]
        return ElementMarkers(tuple(applicable), tuple(members), spans or ())

    def _add_range(self, marker: Marker) -> Marker | None:
        """Return a marker with its parsed ranges, None if they are invalid."""
        if not marker.within:
            return marker
        spans = self._ranges.read_ranges(marker.within, marker.at, marker.owner, marker.excerpt)
        return None if spans is None else marker.replace(spans=spans)

    def _read_package(self, file: File) -> list[MessageMembers]:
        members: list[MessageMembers] = []
        at = ElementPlace(file.source, (_FILE_OPTIONS,))
        for option in self.options.read("FileOptions", file.options):
            if option.name == f"{PACKAGE}.file":
                self._split_option(option, "file", "Package", at, file.package, [], members)
            else:
                self.foreign.report_unsupported(option, at, file.package)
        element = ElementPlace(file.source, PACKAGE_PATH)
        comments = [*file.source.get_detached_comments(PACKAGE_PATH), file.source.leading.get(PACKAGE_PATH, "")]
        for comment in comments:
            lines = read_comment(comment, element).markers
            members += [
                marker
                for marker in self._read_lines(lines, "P", file.package, None)
                if isinstance(marker, MessageMembers)
            ]
        if self.overrides and (override := self.overrides.get(file.package)):
            members = [*override.filter_members(members), *override.members]
        self._check_agreement(members, file.package)
        return members

    def _check_agreement(self, markers: list[MessageMembers], package: str) -> None:
        """Report options of a package that are set more than once, to different values."""
        values: dict[str, Any] = {}
        for members in markers:
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
            at = place.append(*numbers)
            self._problems.report("marker-value", EMPTY_DURING, at, path=owner, hint=EMPTY_DURING_HINT)
        for leaf in flatten_options(values):
            option_path = ".".join((spelling, *leaf.steps, leaf.option.name))
            at = place.append(*leaf.numbers)
            marker = Marker(leaf.option, leaf.steps, leaf.value, option_path, at, owner, unread=leaf.option.json)
            schema.append(marker.replace(within=leaf.within) if leaf.within else marker)

    def _filter_known(
        self, values: object, message: str, spelling: str, at: ElementPlace, owner: str
    ) -> dict[str, Any]:
        """Return the supported members with valid values, and report the others."""
        options = get_message_options(message)
        valid: dict[str, Any] = {}
        for name, value in values.items() if isinstance(values, dict) else [("", values)]:
            option = options.get(name)
            if option is None or not is_valid_value(option, value):
                subject = (
                    f'"{name}" in {spelling}' if name and option is None else _describe_mismatch(value, spelling, name)
                )
                problem = f"this version of protoc-gen-crd does not support {subject}"
                hint = "use the options.proto of this version, or a newer version"
                self._problems.report("option-newer", problem, at, path=owner, hint=hint)
            elif option.kind != "message" or option.message.endswith("Entry"):
                valid[name] = value
            else:
                messages = [
                    self._filter_known(inner, option.message, f"{spelling}.{name}", at, owner)
                    for inner in _to_list(value)
                ]
                valid[name] = messages if option.repeated else messages[0]
        return valid


_KINDS: Mapping[type, str] = {dict: "a message", list: "a list", str: "a string", bytes: "bytes"}


def _describe_mismatch(value: object, spelling: str, name: str) -> str:
    return f"{_KINDS.get(type(value), f'the value {value}')} for {spelling}{'.' * bool(name)}{name}"


def _to_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _has_line_break(value: object) -> bool:
    """Check for U+0085. Kubernetes' YAML writer does not escape it, and YAML readers replace it with a blank."""
    if isinstance(value, str):
        return "\x85" in value or "\\u0085" in value
    if isinstance(value, Schema):
        value = value.keywords
    if isinstance(value, dict):
        return any(map(_has_line_break, value.values()))
    return isinstance(value, (list, tuple)) and any(map(_has_line_break, value))


def _merge_list_markers(markers: list[Marker]) -> Iterable[Marker]:
    """Merge comment lines that each set one value of a list, as protoc does for options."""
    if len(markers) < 2:
        return markers
    merged: dict[object, Marker] = {}
    for marker in markers:
        key: object = id(marker)
        if marker.unread and marker.option.repeated:
            key = marker.option.name, marker.steps, marker.within, marker.is_comment_line
        previous = merged.get(key)
        if previous:
            parts = (*(previous.parts or (previous,)), marker)
            marker = previous.replace(value=[*previous.value, *marker.value], parts=parts)
        merged[key] = marker
    return merged.values()
