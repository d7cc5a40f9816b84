"""Check for markers of fields, types, enums, and oneofs that default mode reads and the Go plugin ignores.

The Go plugin reads lines of comments by substring, only on messages and fields. Lines with another finding are not
reported again.
"""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.findings.finding import Excerpt, Place, Problems
from protoc_gen_crd.generation.istio.validation_lines import ALT_NAME, SIGNS
from protoc_gen_crd.markers.marker import Marker, MessageMembers
from protoc_gen_crd.markers.marker_collector import MarkerCollector
from protoc_gen_crd.markers.option_declarations import PACKAGE
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.element_model import Element, Field, Message

_READ = (*SIGNS, ALT_NAME)
_NATIVE = ("+", f"({PACKAGE}.")


def report_unread_markers(api: ApiSet, collector: MarkerCollector, problems: Problems) -> None:
    """Report each marker of the targets that has no effect in the Go plugin."""
    unread = [
        (marker, element)
        for element in _iterate_elements(api)
        if element.options or "+" in element.comment
        for marker in _find_unread_markers(element, collector)
    ]
    reported = {_get_line(finding.at) for finding in problems.findings if unread and finding.at}
    for marker, element in unread:
        place = marker.at
        if _get_line(place) in reported:
            continue
        problem = f'ignored with compat=istio: "{marker.text}"'
        hint = "Istio's generator does not read this marker; default mode does"
        excerpt: Excerpt | None = marker.excerpt
        problems.report("istio-ignored", problem, place, path=element.full_name, hint=hint, excerpt=excerpt)


def _get_line(place: Place) -> tuple[str, int]:
    """Return the line of a place. Other findings about a marker can be located at any column of it."""
    at = place.resolve()
    return at.file, at.line


def _iterate_elements(api: ApiSet) -> Iterator[Element]:
    """Yield the elements of the targets that can have such markers."""
    enums = [name for file in api.list_targets() for name in file.enums]
    for message in api.target_messages:
        yield message
        yield from message.fields
        yield from message.oneofs
        enums += message.enums
    for name in enums:
        if enum := api.find_enum(name):
            yield enum
            yield from enum.values


def _find_unread_markers(element: Element, collector: MarkerCollector) -> Iterator[Marker | MessageMembers]:
    marks = collector.collect(element)
    is_supported = isinstance(element, Field | Message)
    for marker in marks.schema:
        if _is_native(marker) and not (is_supported and _is_read(marker.text)) and _has_effect(marker):
            yield marker
    if not is_supported:
        yield from (members for members in marks.members if _is_native(members) and any(members.values.values()))


def _is_read(text: str) -> bool:
    """Return whether the Go plugin reads a line. Most lines begin with what it searches for."""
    return text.startswith(_READ) or any(sign in text for sign in _READ)


def _is_native(marker: Marker | MessageMembers) -> bool:
    """Return whether a marker is a comment line or an option of this project, not of another vocabulary."""
    return marker.text.startswith(_NATIVE)


def _has_effect(marker: Marker) -> bool:
    """Return whether a marker changes the schema. A marker for an optional field does not."""
    return marker.option.name != "required" or bool(marker.value)
