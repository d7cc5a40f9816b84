"""Reader of marker lines in comments, which selects the parser by the spelling of the marker.

invalid_marker_findings.py reports lines that are not markers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.markers import cue_gen_tags
from protoc_gen_crd.markers.comment_parser import ElementMarkerLine
from protoc_gen_crd.markers.invalid_marker_findings import MarkerDiagnostics
from protoc_gen_crd.markers.marker import Marker, MessageMembers
from protoc_gen_crd.markers.marker_aliases import ALIASES, NAMES, NO_OPTION, VALIDATION, Alias, RepeatedKeyError
from protoc_gen_crd.markers.marker_argument_parser import MarkerNames, ParsedMarker, parse_marker, split_names
from protoc_gen_crd.markers.marker_ranges import ENDS, Bounds, parse_prefix
from protoc_gen_crd.markers.marker_value_parser import MAX_DEPTH
from protoc_gen_crd.markers.option_declarations import SCHEMA
from protoc_gen_crd.markers.xvalidation import RAW, read_rule
from protoc_gen_crd.proto.source_locations import CommentPlace

_OWN = "protoc-gen-crd:"
_RESOURCE = r"resource\b"
_CUE = "cue-gen:"
_ALIASED = ("kubebuilder:", "k8s:")
_NESTING = {"map-value-validation:": "values", "list-value-validation:": "items"}
_LETTERS = {
    "F": "F",
    "T": "T",
    "E": "ET",
    "V": "",
    "O": "O",
    "P": "P",
    "S": "",
    "M": "",
}  # the targets of aliases that apply to an element

Marking = Marker | MessageMembers
_Finding = tuple[str, str, int | None, str]  # rule, message, offset in the marker (None for the whole line), hint


class _ParsedLine(Record):
    """A parsed line without its place: an option or NO_OPTION, its value, and the findings."""

    option: str
    value: Any
    findings: Sequence[_Finding]


class MarkerLineReader:
    """Reads marker lines in any spelling."""

    def __init__(self, mistakes: MarkerDiagnostics) -> None:
        self._mistakes = mistakes
        self._report = mistakes.report
        self._memo: dict[tuple[str, str], ParsedMarker] = {}
        self._aliases: dict[tuple[str, str], _ParsedLine | None] = {}

    def read(self, line: ElementMarkerLine) -> Sequence[Marking]:
        """Return the markers of a line; nothing, with a finding, if it is invalid."""
        marker_text = line.text[1:]
        if "\ufffd" in marker_text and line.at.element.path in line.at.element.source.garbled:
            self._report("marker-parse", "marker is not valid UTF-8", line, marker_text.index("\ufffd") + 1)
            return ()
        if line.is_suspicious:
            self._mistakes.report_suspicious(line)
            return ()
        if marker_text.startswith(_CUE):
            return self._read_cue(line)
        if marker_text.startswith(_OWN):
            return self._read_versioned(line, marker_text[len(_OWN) :])
        return self._read_alias(line, marker_text, ())

    def _read_cue(self, line: ElementMarkerLine) -> Sequence[Marking]:
        if line.letter not in "TF":
            self._mistakes.report_misplaced(line, "T")
            return ()
        members = cue_gen_tags.parse_tag(line, self._report)
        if line.letter == "T":
            return members
        return tuple([self._make_marker("channel", channel.values["channel"], line) for channel in members])

    def _read_native(self, line: ElementMarkerLine, marker_text: str) -> Iterator[Marking]:
        steps: tuple[str, ...] = ()
        suffix = marker_text
        while len(steps) < MAX_DEPTH and (prefix := next((p for p in _NESTING if suffix.startswith(p)), "")):
            steps = (*steps, _NESTING[prefix])
            suffix = suffix[len(prefix) :]
        if steps:
            if line.letter in "FT":
                yield from self._read_alias(
                    line, suffix if suffix.startswith("kubebuilder:") else VALIDATION + suffix, steps
                )
            else:
                self._mistakes.report_misplaced(line, "F")
        elif suffix.startswith("duration-validation:"):
            yield from self._read_duration(line, suffix.partition(":")[2])
        elif suffix == "validation:XIntOrString":
            yield from self._read_schema_option(line, "int_or_string", True)
        elif suffix.startswith("validation:IgnoreSubValidation:"):
            yield from self._read_ignore(line, suffix.removeprefix("validation:IgnoreSubValidation:"))
        elif line.letter != "T" and re.match(_RESOURCE, suffix):
            self._mistakes.report_misplaced(line, "T")
        else:
            from protoc_gen_crd.markers.native_marker_syntax import NativeMarkerReader  # noqa: PLC0415 - many APIs have none

            yield from NativeMarkerReader(self._report).read(line, suffix)

    def _read_versioned(self, line: ElementMarkerLine, marker_text: str) -> Sequence[Marking]:
        """Read a line with the native prefix: a native marker, or a range before a marker of any spelling."""
        within, rest = parse_prefix(marker_text)
        if within is None:
            return tuple(self._read_native(line, rest))
        return [ranged for marker in self._read_any(line, rest) if (ranged := self._add_range(marker, within, line))]

    def _read_any(self, line: ElementMarkerLine, marker_text: str) -> Sequence[Marking]:
        """Read the marker after a range: a marker in any spelling without its plus, or a native option."""
        if marker_text.startswith(_OWN):
            return self._read_versioned(line, marker_text[len(_OWN) :])
        if marker_text.startswith(_CUE):
            shift = len(line.text) - len(marker_text) - 1
            at = CommentPlace(line.at.element, line.at.line, line.at.column + shift, f"+{marker_text}")
            return self._read_cue(line.replace(text=f"+{marker_text}", at=at))
        name = split_names(marker_text)
        if marker_text.startswith(_ALIASED) or (name.name in NAMES and name.name not in SCHEMA):
            return self._read_alias(line, marker_text, ())
        return tuple(self._read_native(line, marker_text))

    def _add_range(self, marker: Marking, within: Bounds, line: ElementMarkerLine) -> Marking | None:
        """Restrict a marker to a range of versions."""
        if isinstance(marker, Marker) and marker.option.name not in ENDS:
            return marker.replace(within=(within, *marker.within))
        if isinstance(marker, MessageMembers) and marker.message == "Resource":
            return marker.replace(within=(within, *marker.within))
        problem = f'"{line.text}" has a version range, but only markers of schemas and resources can have one'
        self._report("marker-target", problem, line, len(_OWN) + 1)
        return None

    def _read_duration(self, line: ElementMarkerLine, value: str) -> Iterator[Marking]:
        if value == "none":
            yield from self._read_schema_option(line, "no_duration_check", True)
        else:
            self._report(
                "marker-value",
                f'invalid duration-validation "{value}": the only possible value is "none"',
                line,
                len(line.text) - len(value),
            )

    def _read_ignore(self, line: ElementMarkerLine, marker_text: str) -> Iterator[Marking]:
        from protoc_gen_crd.base.json_strings import parse_strings  # noqa: PLC0415 - a rare marker

        try:
            messages = parse_strings(marker_text)
        except ValueError:
            messages = None
        if isinstance(messages, list) and messages and all(isinstance(message, str) for message in messages):
            yield from self._read_schema_option(line, "ignore_rules", messages)
        else:
            problem = f"IgnoreSubValidation is not a JSON list of strings: {marker_text}"
            self._report("marker-parse", problem, line, len(line.text) - len(marker_text))

    def _read_schema_option(self, line: ElementMarkerLine, option: str, value: Any) -> Iterator[Marking]:
        if line.letter in "FTE":
            yield self._make_marker(option, value, line)
        else:
            self._mistakes.report_misplaced(line, "F")

    def _make_marker(self, option: str, value: Any, line: ElementMarkerLine) -> Marker:
        return Marker(SCHEMA[option], (), value, line.text, line.at, line.owner)

    def _read_alias(self, line: ElementMarkerLine, marker_text: str, steps: tuple[str, ...]) -> Sequence[Marking]:
        key = marker_text, line.letter
        if key not in self._aliases:
            alias = _find_alias(split_names(marker_text), line.letter)
            self._aliases[key] = None if alias is None else self._parse_alias(alias, marker_text)
        parsed = self._aliases[key]
        if parsed is None:
            self._mistakes.report_unknown(line, split_names(marker_text))
            return ()
        for rule, problem, offset, hint in parsed.findings:
            at = 0 if offset is None else len(line.text) - len(marker_text) + offset
            self._report(rule, problem, line, at, hint=hint)
        if parsed.option == NO_OPTION:
            return ()
        if parsed.option in ("resource", "package", "oneof"):
            if line.letter == "E":
                self._mistakes.report_misplaced(line, "T")
                return ()
            return (MessageMembers(parsed.option.capitalize(), parsed.value, line.text, line.at),)
        *more, name = parsed.option.split(".")
        hint = self._mistakes.suggest_message(line.element) if line.letter == "E" else ""
        return (Marker(SCHEMA[name], (*steps, *more), parsed.value, line.text, line.at, line.owner, hint),)

    def _parse_alias(self, alias: Alias, marker_text: str) -> _ParsedLine:
        """Parse the arguments of an alias. `marker_text` is the marker without its plus."""
        shift, rest = len(alias.name), marker_text[len(alias.name) :]
        parsed, ambiguity = self._parse_arguments(alias, rest), None
        if alias.name == RAW:
            parsed, ambiguity = read_rule(rest, lambda marker_text: self._parse_arguments(alias, marker_text))
        findings: list[_Finding] = [
            ("marker-parse", error.message, shift + error.offset, error.hint) for error in parsed.errors
        ]
        findings += [("marker-dialect", error.message, shift + error.offset, error.hint) for error in parsed.notes]
        if ambiguity:
            findings.append(("rule-ambiguous", ambiguity.message, shift + ambiguity.offset, ambiguity.hint))
        if parsed.errors or alias.option == NO_OPTION or _is_constant(alias, parsed.values, marker_text):
            return _ParsedLine(NO_OPTION, None, findings)
        try:
            return _ParsedLine(alias.option, alias.value(parsed.values), findings)
        except ValueError as exception:
            rule = "marker-repeated" if isinstance(exception, RepeatedKeyError) else "marker-value"
            return _ParsedLine(NO_OPTION, None, [*findings, (rule, str(exception), None, "")])

    def _parse_arguments(self, alias: Alias, arguments: str) -> ParsedMarker:
        parsed = self._memo.get((alias.name, arguments))
        if parsed is None:
            parsed = self._memo[alias.name, arguments] = parse_marker(arguments, alias.definition)
        return parsed


def _find_alias(parts: MarkerNames, letter: str) -> Alias | None:
    """Return the alias with one of these names for elements of this letter."""
    places = [(name, target) for name in (parts.anonymous, parts.name) for target in _LETTERS[letter]]
    return next((ALIASES[place] for place in places if place in ALIASES), None)


def _is_constant(alias: Alias, values: Mapping[str, Any], marker_text: str) -> bool:
    """Check for a Go constant, `ref(...)`. It sets no default, which the parser has already reported."""
    return alias.option == "default" and values.get("") is None and "ref(" in marker_text
