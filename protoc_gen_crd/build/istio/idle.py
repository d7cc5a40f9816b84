"""What markers of fields, types, enums and oneofs say that the Go plugin does not read, though default mode does.

It reads lines of comments by substring, on messages and fields alone. What default mode refuses too is not told.
"""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.base.diagnostics import Excerpt, Place, Problems
from protoc_gen_crd.build.istio.lines import ALT_NAME, SIGNS
from protoc_gen_crd.build.sources import target_messages
from protoc_gen_crd.markers.collect import Collector
from protoc_gen_crd.markers.declared import PACKAGE
from protoc_gen_crd.markers.marker import Marker, Members
from protoc_gen_crd.proto.load import ApiSet
from protoc_gen_crd.proto.model import Element, Field, Message

_READ = (*SIGNS, ALT_NAME)


def report_idle(api: ApiSet, collector: Collector, problems: Problems) -> None:
    """Report each marker of the targets that has no effect."""
    idle = [(marker, element) for element in _elements(api) for marker in _idle(element, collector)]
    told = {_line(finding.at) for finding in problems.findings if idle and finding.at}
    for marker, element in idle:
        place = marker.at
        if _line(place) in told:
            continue
        problem = f'what a marker says must be in the CRD, found "{marker.text}" left out by compat=istio'
        hint = "Istio's generator does not read it; default mode does"
        excerpt: Excerpt | None = marker.excerpt
        problems.report("istio-lost", problem, place, path=element.full_name, hint=hint, excerpt=excerpt)


def _line(place: Place) -> tuple[str, int]:
    """The line of a place: what is wrong with a marker is told at some column of it."""
    at = place.resolve()
    return at.file, at.line


def _elements(api: ApiSet) -> Iterator[Element]:
    """All that may have such markers in the targets."""
    enums = [name for file in api.targets() for name in file.enums]
    for message in target_messages(api):
        yield message
        yield from message.fields
        yield from message.oneofs
        enums += message.enums
    for name in enums:
        if enum := api.enum(name):
            yield enum
            yield from enum.values


def _idle(element: Element, collector: Collector) -> Iterator[Marker | Members]:
    if "+" not in element.comment and not element.options:
        return
    marks = collector.marks(element)
    read = isinstance(element, Field | Message)
    for marker in marks.schema:
        if _is_ours(marker) and not (read and any(sign in marker.text for sign in _READ)) and _changes(marker):
            yield marker
    if not read:
        yield from (one for one in marks.members if _is_ours(one) and any(one.values.values()))


def _is_ours(marker: Marker | Members) -> bool:
    """Whether a marker is a line of a comment or an option of ours; those of other vocabularies are for other tools."""
    return marker.text.startswith(("+", f"({PACKAGE}."))


def _changes(marker: Marker) -> bool:
    """Whether a marker says more than what is so without it: an optional field is none."""
    return marker.option.name != "required" or bool(marker.value)
