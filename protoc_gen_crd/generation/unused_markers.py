"""Check of markers that no CRD uses: those outside resources, and those in detached comments.

Imported files are checked if CRDs use their messages, except files of Google and Kubernetes.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from protoc_gen_crd.findings.finding import Excerpt, Location, Place, Problems
from protoc_gen_crd.findings.source_lines import SEARCH_DISTANCE, SourceFiles, count_protoc_columns, find_in_line
from protoc_gen_crd.generation.message_schemas import MessageBuilder
from protoc_gen_crd.markers.detached_comments import (
    BEHIND,
    DETACHED,
    EMBEDDED,
    list_dropped_markers,
    list_unattached_markers,
)
from protoc_gen_crd.markers.marker_collector import MarkerCollector
from protoc_gen_crd.markers.option_declarations import PACKAGE
from protoc_gen_crd.markers.vocabularies.registry import READERS
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.element_model import Element, File

_OTHERS = ("google.", "k8s.io.")  # packages whose comments are for other tools


def check_unused_markers(
    api: ApiSet,
    collector: MarkerCollector,
    messages: MessageBuilder,
    problems: Problems,
    group_elements: Collection[str] = (),
) -> None:
    """Read every marker of the targets, so that none is silently ignored.

    `group_elements` are the services, RPCs, and types of gRPC API groups, whose markers need no schema.
    """
    for message in api.target_messages:
        if message.full_name in group_elements:
            _collect(collector, (message, *message.fields))
        else:
            messages.check_message(message)
        _collect(collector, message.oneofs)
        for name in message.enums:
            _check_enum(name, api, collector, messages)
    sources = SourceFiles(api.paths)
    for file in api.list_targets():
        collector.collect_package(file)
        for service in api.list_services(file):
            _collect(collector, (service, *service.methods))
        for name in file.enums:
            _check_enum(name, api, collector, messages)
        _check_extensions(file, api, collector, problems)
        _check_detached_comments(file, sources, problems)
        if not file.source.has_source_info and (file.messages or file.enums):
            problems.report(
                "source-missing",
                "file has neither comments nor source positions",
                Location(file.name),
                path=file.package,
                hint="build the image with --include_source_info; without it only options are read",
            )
    for name in messages.list_files():
        file = api.get_file(name)
        if not (file.target or f"{file.package}.".startswith(_OTHERS)):
            _check_detached_comments(file, sources, problems)


def _collect(collector: MarkerCollector, elements: Iterable[Element]) -> None:
    for element in elements:
        collector.collect(element)


def _check_enum(name: str, api: ApiSet, collector: MarkerCollector, messages: MessageBuilder) -> None:
    enum = api.find_enum(name)
    if enum is not None:
        messages.check_enum(name)
        for value in enum.values:
            collector.collect(value)


def _check_extensions(file: File, api: ApiSet, collector: MarkerCollector, problems: Problems) -> None:
    """Report native and foreign options on extensions, which schemas do not contain."""
    for name, options, at in api.list_marked_extensions(file):
        for option in collector.options.read("FieldOptions", options):
            if option.name.rpartition(".")[0] == PACKAGE:
                problem = f'"({option.name})" has no effect on the extension "{name}"'
                rule = "marker-target"
                hint = "schemas do not contain extensions: declare the field in the message, or remove the option"
            elif option.name in READERS:
                problem = f'({option.name}) on the extension "{name}" cannot be enforced'
                rule = "vocabulary-unsupported"
                hint = "schemas do not contain extensions: declare the field in the message"
            else:
                continue
            problems.report(rule, problem, at.append(*option.path), path=name, hint=hint)


def _has_code(sources: SourceFiles, at: Location, excerpt: Excerpt) -> bool:
    """Return whether the line of a marker contains more than comments, if the source is available."""
    line = sources.read_line(sources.locate(at, excerpt))
    return excerpt.text in line and bool(re.sub(r"/\*.*?\*/|//.*", "", line).strip())


def _check_detached_comments(file: File, sources: SourceFiles, problems: Problems) -> None:
    lines = sources.read_lines(file.name)
    dropped = list_dropped_markers(file, lines) if file.source.has_source_info else ()
    used: set[Place] = set()
    for marker, place, where in (*list_unattached_markers(file), *dropped):
        excerpt = Excerpt(marker)
        inline = where == DETACHED and _has_code(sources, place.resolve(), excerpt)
        at = _find_marker_place(place, marker, lines, used) if inline or where in (BEHIND, EMBEDDED) else place
        used.add(at)
        if where == BEHIND and at is not place and _is_leading(lines, at.resolve().line):
            where = DETACHED
        hint = "remove the blank line" if where == DETACHED else "move it directly above its element"
        if where in (DETACHED, BEHIND) and _is_adjacent(lines, sources.locate(at.resolve(), excerpt).line, marker):
            where, hint = "in a comment that another comment follows", "write all of them in one form, // or /* */"
        if inline:
            where, hint = "on a line with a statement", "move it to a line of its own above its element"
        problem = f"marker has no effect: it is {where}, not in the comment directly above an element"
        rule = "marker-embedded" if where == EMBEDDED else "marker-detached"
        problems.report(rule, problem, at, path=file.package, hint=hint, excerpt=excerpt)


def _find_marker_place(place: Place, marker: str, lines: Sequence[str], used: Collection[Place]) -> Place:
    """Return the place of a marker after an element, if the source is available: on its last line or below."""
    at = place.resolve()
    for number in range(max(at.line, 1), min(at.line + SEARCH_DISTANCE, len(lines) + 1)):
        line = lines[number - 1]
        for column in [match.start() for match in re.finditer(re.escape(marker), line)] or [
            find_in_line(line, marker, 1)
        ]:
            location = Location(at.file, number, count_protoc_columns(line, column))
            if column >= 0 and location not in used:
                return location
    return place


def _is_leading(lines: Sequence[str], number: int) -> bool:
    """Return whether a comment is alone on its line and followed by a blank line and a statement."""
    if not lines[number - 1].lstrip().startswith(_COMMENT):
        return False
    following_lines = [line.strip() for line in lines[number:]]
    index_after = next(
        (position for position, line in enumerate(following_lines) if not line.startswith(_COMMENT)),
        len(following_lines),
    )
    following = next((line for line in following_lines[index_after:] if line), "}")
    return not "".join(following_lines[index_after : index_after + 1]) and not following.startswith("}")


def _is_adjacent(lines: Sequence[str], number: int, marker: str) -> bool:
    """Return whether no blank line separates a marker from the next statement. protoc splits comments of two forms."""
    line = lines[number - 1] if 0 < number <= len(lines) else ""
    if marker not in line or not line.lstrip().startswith(_COMMENT):
        return False
    source = "\n".join(lines[number - 1 :])
    start, end = source.find("/*"), source.find("*/")
    source = source[end:] if end >= 0 and not 0 <= start < end else source
    lines_below = re.sub(r"/\*.*?\*/", "//", source, flags=re.DOTALL).split("\n")[1:]
    following = next((line.strip() for line in lines_below if not line.lstrip().startswith("//")), "")
    return following != "" and following[0] not in "};"


_COMMENT = ("//", "/*", "*")
