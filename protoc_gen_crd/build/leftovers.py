"""What no CRD has looked at: markers of targets that no resource uses, and comments that belong to no element.

Of files that are imported only those count that schemas come from, and no others' than the user's.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from protoc_gen_crd.base.diagnostics import Excerpt, Location, Place, Problems
from protoc_gen_crd.base.render.sources import NEARBY, Sources, counted, find
from protoc_gen_crd.build.messages import MessageBuilder
from protoc_gen_crd.build.sources import target_messages
from protoc_gen_crd.markers.collect import Collector
from protoc_gen_crd.markers.declared import PACKAGE
from protoc_gen_crd.markers.lost import BEHIND, DETACHED, dropped_markers, lost_markers
from protoc_gen_crd.markers.vocabularies import READERS
from protoc_gen_crd.proto.load import ApiSet
from protoc_gen_crd.proto.model import File

_OTHERS = ("google.", "k8s.io.")  # packages whose comments are made for other tools


def check_leftovers(api: ApiSet, collector: Collector, messages: MessageBuilder, problems: Problems) -> None:
    """Read every marker of the targets, so that none is skipped in silence."""
    for message in target_messages(api):
        messages.check(message)
        for oneof in message.oneofs:
            collector.marks(oneof)
        for name in message.enums:
            _check_enum(name, api, collector, messages)
    sources = Sources(api.paths)
    for file in api.targets():
        collector.package(file)
        for name in file.enums:
            _check_enum(name, api, collector, messages)
        _check_extensions(file, api, collector, problems)
        _check_lost(file, sources, problems)
        if not file.source.told and (file.messages or file.enums):
            problems.report(
                "source-missing",
                "a file to generate should come with its comments, found none and no places",
                Location(file.name),
                path=file.package,
                hint="build the image with --include_source_info; without it only options count, not comment markers",
            )
    for name in messages.files():
        file = api.file(name)
        if not (file.target or f"{file.package}.".startswith(_OTHERS)):
            _check_lost(file, sources, problems)


def _check_enum(name: str, api: ApiSet, collector: Collector, messages: MessageBuilder) -> None:
    enum = api.enum(name)
    if enum is not None:
        messages.check_enum(name)
        for value in enum.values:
            collector.marks(value)


def _check_extensions(file: File, api: ApiSet, collector: Collector, problems: Problems) -> None:
    """Report options on extensions, which no schema holds: ours, and those of other vocabularies that are read."""
    for name, options, at in api.marked_extensions(file):
        for option in collector.options.read("FieldOptions", options):
            if option.name.rpartition(".")[0] == PACKAGE:
                problem = f'"({option.name})" must stand on a field of a message, found on the extension "{name}"'
                rule = "marker-target"
                hint = "declare the field in the message, or remove the option: no schema has extensions"
            elif option.name in READERS:
                found = f'found ({option.name}) on the extension "{name}"'
                problem = f"an option must be one that an API server can enforce, {found}"
                rule, hint = "vocabulary-untranslated", "no schema has extensions: declare the field in the message"
            else:
                continue
            problems.report(rule, problem, at.below(*option.path), path=name, hint=hint)


def _has_code(sources: Sources, at: Location, excerpt: Excerpt) -> bool:
    """Whether anything but comments stands on the line of a marker, if the text is at hand."""
    line = sources.line(sources.exact(at, excerpt))
    return excerpt.text in line and bool(re.sub(r"/\*.*?\*/|//.*", "", line).strip())


def _check_lost(file: File, sources: Sources, problems: Problems) -> None:
    lines = sources.lines(file.name)
    dropped = dropped_markers(file, lines) if file.source.told else ()
    taken: set[Place] = set()
    for text, place, where in (*lost_markers(file), *dropped):
        excerpt = Excerpt(text)
        inline = where == DETACHED and _has_code(sources, place.resolve(), excerpt)
        at = _below(place, text, lines, taken) if inline or where == BEHIND else place
        taken.add(at)
        if where == BEHIND and at is not place and _leads(lines, at.resolve().line):
            where = DETACHED
        hint = "remove the blank line" if where == DETACHED else "move it"
        if where in (DETACHED, BEHIND) and _adjoins(lines, sources.exact(at.resolve(), excerpt).line, text):
            where, hint = "in one that another comment stands below", "write all of them in one form, // or /* */"
        if inline:
            where, hint = "on a line with a statement", "move it to a line of its own above its element"
        problem = f"a marker must stand in the comment right above its element, found it {where}"
        problems.report("marker-detached", problem, at, path=file.package, hint=hint, excerpt=excerpt)


def _below(place: Place, text: str, lines: Sequence[str], taken: Collection[Place]) -> Place:
    """Where a marker behind an element stands, if the text is at hand: on the line of its end or below."""
    at = place.resolve()
    for number in range(max(at.line, 1), min(at.line + NEARBY, len(lines) + 1)):
        line = lines[number - 1]
        for column in [match.start() for match in re.finditer(re.escape(text), line)] or [find(line, text, 1)]:
            found = Location(at.file, number, counted(line, column))
            if column >= 0 and found not in taken:
                return found
    return place


def _leads(lines: Sequence[str], number: int) -> bool:
    """Whether the comment on a line has the line for itself, and what follows is a blank line and a statement."""
    if not lines[number - 1].lstrip().startswith(_COMMENT):
        return False
    rest = [line.strip() for line in lines[number:]]
    below = next((index for index, line in enumerate(rest) if not line.startswith(_COMMENT)), len(rest))
    following = next((line for line in rest[below:] if line), "}")
    return not "".join(rest[below : below + 1]) and not following.startswith("}")


def _adjoins(lines: Sequence[str], number: int, text: str) -> bool:
    """Whether no blank line stands between a marker and the statement below: protoc parts comments of two forms."""
    line = lines[number - 1] if 0 < number <= len(lines) else ""
    if text not in line or not line.lstrip().startswith(_COMMENT):
        return False
    rest = "\n".join(lines[number - 1 :])
    begins, ends = rest.find("/*"), rest.find("*/")
    rest = rest[ends:] if ends >= 0 and not 0 <= begins < ends else rest
    below = re.sub(r"/\*.*?\*/", "//", rest, flags=re.DOTALL).split("\n")[1:]
    following = next((line.strip() for line in below if not line.lstrip().startswith("//")), "")
    return following != "" and following[0] not in "};"


_COMMENT = ("//", "/*", "*")
