"""Findings and suggestions for lines that are not valid markers."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from protoc_gen_crd.findings.finding import Excerpt, Problems
from protoc_gen_crd.markers.comment_parser import ElementMarkerLine
from protoc_gen_crd.markers.ignored_markers import INERT, VALUELESS
from protoc_gen_crd.markers.marker import Marker
from protoc_gen_crd.markers.marker_aliases import ALIASES, ITEMS, NAMES
from protoc_gen_crd.markers.marker_argument_parser import MarkerNames
from protoc_gen_crd.markers.marker_recognition import find_included_marker
from protoc_gen_crd.markers.option_declarations import get_message_options
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.element_model import Element, Field, Message
from protoc_gen_crd.proto.source_locations import CommentPlace

if TYPE_CHECKING:
    from protoc_gen_crd.markers.unknown_marker_names import UnknownNames

_OF_RESOURCES = ("+kubebuilder:printcolumn", "+kubebuilder:subresource", "+kubebuilder:selectablefield")
_CUE_TAG = "+cue-gen:"  # continues on further lines
_ON = {
    "F": "a field",
    "T": "a message",
    "E": "an enum",
    "V": "an enum value",
    "O": "a oneof",
    "P": "the package line",
    "S": "a service",
    "M": "an RPC",
}
_TARGETS = {"F": "FIELD", "T": "MESSAGE", "E": "ENUM"}
_FITS = {"F": "fields", "T": "messages", "E": "enums", "O": "oneofs", "P": "the package line"}
# Rules without effect on the CRD. In an imported file, they are not reported.
_HARMLESS = frozenset(["marker-dialect", "marker-redundant"])


class MarkerDiagnostics:
    """Reports invalid marker lines. There is one instance for a run."""

    def __init__(self, api: ApiSet, problems: Problems) -> None:
        self._api = api
        self._problems = problems

    def report(self, rule: str, message: str, line: ElementMarkerLine, offset: int, *, hint: str = "") -> None:
        """Report a finding at an offset in a line."""
        if rule in _HARMLESS and not self._api.get_file(line.at.element.source.file).target:
            return
        at = CommentPlace(line.at.element, line.at.line, line.at.column + offset, line.text)
        self._problems.report(rule, message, at, path=line.owner, hint=hint, excerpt=Excerpt(line.text, offset))

    def check_target(self, marker: Marker, letter: str, element: Element) -> bool:
        """Report a marker whose option does not apply to its element. Return True if it is reported."""
        option = marker.option
        if option.whole and marker.steps:
            problem = f'"{option.name}" applies to a whole element, not to "{marker.name}"'
        elif option.targets and _TARGETS[letter] not in option.targets:
            where = " or ".join(_FITS[candidate] for candidate, target in _TARGETS.items() if target in option.targets)
            spelling = marker.text.partition("=")[0]
            problem = f'"{spelling}" applies to {where}, not to {_ON[letter]}'
        else:
            return False
        hint = "" if marker.overrides else self.suggest_message(element)
        if isinstance(element, Message) and option.name in get_message_options("Resource"):
            hint = f'did you mean "resource.{option.name}"?'
        self._problems.report("marker-target", problem, marker.at, path=marker.owner, hint=hint, excerpt=marker.excerpt)
        return True

    def report_unknown(self, line: ElementMarkerLine, parts: MarkerNames) -> None:
        """Report a line with an unknown marker, unless the marker belongs to another tool."""
        head = parts.anonymous.strip()
        segments = head.split(":")
        first = segments[0]
        is_inert = first.partition(".")[0] in INERT or any(":".join(segments[:count]) in INERT for count in (2, 3))
        if is_inert and not (head in VALUELESS and "=" in line.text):
            return
        if head in NAMES and parts.anonymous[len(head) :].isspace():
            self._report_blank(line, head)
            return
        names = [
            name for spelling in (parts.anonymous, parts.name) for name in (spelling, spelling.replace(ITEMS, ":", 1))
        ]
        fits = sorted({target for alias, target in ALIASES if alias in names and (target == "T" or ITEMS not in head)})
        if fits:
            self.report_misplaced(line, "".join(fits))
        else:
            self._unknown_names.report(line, parts)

    @cached_property
    def _unknown_names(self) -> UnknownNames:
        from protoc_gen_crd.markers.unknown_marker_names import UnknownNames  # noqa: PLC0415 - few lines have such names

        return UnknownNames(self)

    def _report_blank(self, line: ElementMarkerLine, name: str) -> None:
        """Report a marker with a blank before its equals sign."""
        offset = line.text.index(name) + len(name)
        problem = f'blank after the name of a marker: "{line.text.partition("=")[0]}="'
        value = line.text.partition("=")[2].lstrip()
        hint = f'write "{line.text[:offset]}{"=" if value else ""}{value}"'
        self.report("marker-unknown", problem, line, offset, hint=hint)

    def report_suspicious(self, line: ElementMarkerLine) -> None:
        """Report a line that is not a marker because of a missing plus or characters around it."""
        if line.text[0] != "+":
            problem = f'marker does not start with "+": "{line.text.partition("=")[0]}"'
            where = (
                "before it" if line.text[0].isalpha() else f'instead of "{line.text.partition(line.suspected_name)[0]}"'
            )
            hint = f"write a plus {where}, or put it in quotes if it is prose"
            self.report("marker-missing-plus", problem, line, 0, hint=hint)
            return
        if line.is_embedded:
            self._report_embedded(line, line.text, 0)
            return
        content = f"{line.before}{line.text}"
        name = f"+{line.suspected_name}"
        self.report(
            "marker-unknown",
            f'line does not start with "+" and the name of a marker: "{content.partition("=")[0]}"',
            line,
            0,
            hint=f'write "{name.partition("=")[0]}", or put it in quotes if it is prose',
        )

    def check_included(self, line: ElementMarkerLine) -> None:
        """Report markers that the value of another marker includes, or that follow a marker of another tool."""
        marker = find_included_marker(line.text)
        if marker and not line.text.startswith(_CUE_TAG):
            self._report_embedded(line, marker, len(line.text) - len(marker))

    def _report_embedded(self, line: ElementMarkerLine, marker: str, offset: int) -> None:
        name = marker.split(maxsplit=1)[0].partition("=")[0]
        problem = f'marker has no effect after other text on its line: "{name}"'
        hint = "move it to a line of its own, or put it in quotes if it is prose"
        self.report("marker-embedded", problem, line, offset, hint=hint)

    def report_repeated_line(self, line: ElementMarkerLine) -> None:
        """Report a line that repeats a line above it."""
        self.report("marker-redundant", f'marker "{line.text}" is repeated', line, 0)

    def report_redundant_line(self, line: ElementMarkerLine) -> None:
        """Report a line that sets the same as a line above it."""
        problem = f'marker "{line.text}" has the same meaning as one above it'
        self.report("marker-redundant", problem, line, 0)

    def report_misplaced(self, line: ElementMarkerLine, fits: str) -> None:
        """Report a marker on a wrong element; `fits` are the letters of the elements that it applies to."""
        where = " or ".join(_FITS[target] for target in fits if target in _FITS)
        self.report(
            "marker-target",
            f'"{line.text.partition("=")[0]}" applies to {where}, not to {_ON[line.letter]}',
            line,
            0,
            hint=self._suggest_type_marker(line) or self.suggest_message(line.element) if "T" in fits else "",
        )

    def _suggest_type_marker(self, line: ElementMarkerLine) -> str:
        """Suggest the message type of a field for a marker of messages."""
        field = line.element
        if line.text.startswith(_OF_RESOURCES) and isinstance(field, Field):
            return self.suggest_message(field) or "move it above the message of the resource"
        owner = self._api.find_message(field.type_name) if isinstance(field, Field) and "OneOf" in line.text else None
        if owner is not None and owner.is_map_entry:
            owner = self._api.find_message(owner.fields[1].type_name)
        if owner is None or not self._api.get_file(owner.file).target:
            return ""
        return f'move it above message "{owner.name}", which the field contains'

    def suggest_message(self, element: Element | None) -> str:
        """Return a hint for the first element of a message: the comment after `{` may be intended for the message."""
        parent = self._api.find_message(element.full_name.rpartition(".")[0]) if element else None
        if element is None or parent is None:
            return ""
        siblings = [
            *parent.fields[:1],
            *map(self._api.find_message, parent.messages),
            *map(self._api.find_enum, parent.enums),
        ]
        line = element.at.resolve().line
        if any(0 < sibling.at.resolve().line < line for sibling in siblings if sibling is not None):
            return ""
        return (
            f'a comment right after "{{" belongs to "{element.name}": '
            f'to mark message "{parent.name}", move it above the message'
        )
