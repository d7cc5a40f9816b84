"""Edits of options and comment markers: replace a value, repeat or remove an entry, add a member to a resource."""

from __future__ import annotations

from protoc_gen_crd.base.text_edits import (
    TextEdit,
    extend_to_lines,
    find_line_end,
    find_line_start,
    get_indent,
    get_line_break,
    starts_line,
)
from protoc_gen_crd.proto.option_text_values import TextEntry
from protoc_gen_crd.proto.source_elements import SourceElement, SourceFile, SourceOption
from protoc_gen_crd.proto.source_tokens import Token
from protoc_gen_crd.versioning.option_members import VersionMember, list_marker_lines

RESOURCE, SERVICE = 62412, 62411  # extensions of options.proto
_MARKERS = {RESOURCE: "resource.", SERVICE: ""}  # prefixes of members in comments


def replace_value(member: VersionMember, value: str) -> TextEdit:
    """Return the edit that gives a member another version."""
    return TextEdit(member.start, member.end, f"{member.quote}{value}{member.quote}")


def repeat_value(member: VersionMember, value: str, depth: int = -1) -> TextEdit:
    """Return the edit that adds an item with another version after a member, or else repeats the entry around it.

    `depth` is the index of the entry that is repeated.
    """
    if depth == -1 and member.items:
        if member.is_line and not member.quote and member.entries[0].start == member.holder[0]:
            return _extend_tag(member, value)
        return _insert_after(
            member.file, member.start, member.end, f"{member.quote}{value}{member.quote}", is_item=True
        )
    entry = _get_entry(member, depth)
    repeated = _replace_in(member, entry.start, entry.end, value)
    if _is_holder(member, entry):
        return _repeat_holder(member, value)
    return _insert_after(member.file, entry.start, entry.end, repeated, is_item=entry.is_item)


def _insert_after(file: SourceFile, start: int, end: int, repeated: str, *, is_item: bool) -> TextEdit:
    """Return the edit that adds an entry after another one: on its own line if the other one is, after its comment."""
    separator = _find_separator(file, end)
    after = separator.end if separator else end
    comment_end = file.source.find_comment_end(after)
    comma = "," if is_item else ""
    if not starts_line(file.text, start) or file.text[comment_end : find_line_end(file.text, comment_end)].strip():
        return TextEdit(end, end, f"{comma} {repeated}")
    line = f"{get_line_break(file.text)}{get_indent(file.text, start)}{repeated}"
    if separator or not is_item:
        return TextEdit(comment_end, comment_end, line + (separator.text if separator else ""))
    return TextEdit(end, comment_end, f"{comma}{file.text[end:comment_end]}{line}")


def _find_separator(file: SourceFile, end: int) -> Token | None:
    """Return the separator after an entry on the same line, None for none."""
    token = file.source.find_next_token(end)
    is_separator = token and token.text in (",", ";") and token.start < find_line_end(file.text, end)
    return token if is_separator else None


def _extend_tag(member: VersionMember, value: str) -> TextEdit:
    """Return the edit that adds a version to a +cue-gen tag, which lists several versions under another key."""
    start = member.holder[0]
    line = member.file.text[start : member.end]
    renamed = line.replace(":version:", ":versions:", 1)
    return TextEdit(start, member.end, f"{renamed},{value}")


def _get_entry(member: VersionMember, depth: int) -> TextEntry:
    return member.entries[depth]


def _is_holder(member: VersionMember, entry: TextEntry) -> bool:
    """Return whether an entry is the value of the whole option or marker."""
    return entry is member.entries[0]


def _replace_in(member: VersionMember, start: int, end: int, value: str) -> str:
    text = member.file.text
    return f"{text[start : member.start]}{member.quote}{value}{member.quote}{text[member.end : end]}"


def _repeat_holder(member: VersionMember, value: str) -> TextEdit:
    """Return the edit that repeats an option or marker line with another version."""
    start, end = member.holder
    text, repeated = member.file.text, _replace_in(member, start, end, value)
    if member.is_line:
        head = text[find_line_start(text, start) : start]
        head = head.replace("/**", " * ").replace("/*", " * ") if "/*" in head else head
        return TextEdit(end, end, f"{get_line_break(text)}{head}{repeated}")
    if text[end - 1] == ";":
        return _add_line(member.file, start, end, repeated)
    return TextEdit(end, end, f", {repeated}")


def _add_line(file: SourceFile, start: int, end: int, line: str) -> TextEdit:
    """Return the edit that adds a line with the same indentation after a statement and its comment."""
    after = file.source.find_comment_end(end)
    return TextEdit(after, after, f"{get_line_break(file.text)}{get_indent(file.text, start)}{line}")


def remove_value(member: VersionMember, depth: int = -1) -> TextEdit:
    """Return the edit that removes a version from its list, or the entry at `depth` around it."""
    if depth == -1 and member.items > 1:
        return _cut(member.file, member.start, member.end)
    entry = _get_entry(member, depth)
    if not _is_holder(member, entry):
        return _cut(member.file, entry.start, entry.end)
    if member.is_line:
        return remove_line(member.file, *member.holder)
    return remove_option(member.file, *member.holder)


def remove_line(file: SourceFile, start: int, end: int) -> TextEdit:
    """Return the edit that removes the line of a comment marker."""
    text = file.text
    line = find_line_start(text, start)
    head = text[line:start].strip()
    if head in ("//", "*", "") and not text[end : text.find("\n", end)].strip():
        return extend_to_lines(text, line + len(text[line:start]) - len(text[line:start].lstrip()), end)
    return TextEdit(start, end)


def remove_option(file: SourceFile, start: int, end: int) -> TextEdit:
    """Return the edit that removes an option: its statement, or its item of the brackets of a field."""
    if file.text[end - 1] == ";":
        return _extend_to_lines(file, start, end)
    tokens = file.source.list_tokens(0, start)
    following = file.source.find_next_token(end)
    if tokens and tokens[-1].text == "[" and following and following.text == "]":
        opening = len(file.text[: tokens[-1].start].rstrip())
        return TextEdit(opening, following.end)
    return _cut(file, start, end)


def _cut(file: SourceFile, start: int, end: int) -> TextEdit:
    """Return the removal of an entry with the separator after it, or else the one before it."""
    following = file.source.find_next_token(end)
    if following is None or following.text not in (",", ";"):
        removal = _extend_to_lines(file, start, end)
        before = file.source.list_tokens(0, start)
        if before and before[-1].text == ",":
            line = file.text[before[-1].end : find_line_end(file.text, before[-1].end)]  # with the comment of its entry
            is_above = before[-1].end + len(line) <= removal.start
            return TextEdit(before[-1].start, removal.end, line if is_above else "")
        return removal
    removal = _extend_to_lines(file, start, following.end)
    if removal.end > following.end:
        return removal
    rest = file.text[following.end :]
    return TextEdit(start, following.end + len(rest) - len(rest.lstrip(" \t")))


def _extend_to_lines(file: SourceFile, start: int, end: int) -> TextEdit:
    """Return the removal of a part, with the comments above and after it if nothing else is on its line."""
    if not starts_line(file.text, start):
        return extend_to_lines(file.text, start, end)
    comments = file.source.list_comments_before(start)
    is_above = comments and file.text.count("\n", comments[-1].end, start) == 1
    if is_above and starts_line(file.text, comments[0].start):
        start = comments[0].start
    return extend_to_lines(file.text, start, file.source.find_comment_end(end))


def add_member(file: SourceFile, element: SourceElement, name: str, value: str, extension: int = RESOURCE) -> TextEdit:
    """Return the edit that adds a member to the resource of a message, or to a service, in the form of the others.

    `value` is in text format.
    """
    option = next((candidate for candidate in element.options if candidate.path[0] == extension), None)
    if option is None:
        unquoted = value[1:-1] if value.startswith('"') else value
        return add_marker(file, element, f"+protoc-gen-crd:{_MARKERS[extension]}{name}={unquoted}")
    if option.names:
        return _add_statement(file, option, name, value)
    return _add_entry(file, option, name, value)


def _add_statement(file: SourceFile, option: SourceOption, name: str, value: str) -> TextEdit:
    text = file.text
    head = text[option.start : option.end].partition(")")[0]
    return _add_line(file, option.start, option.end, f"{head}).{name} = {value};")


def _add_entry(file: SourceFile, option: SourceOption, name: str, value: str) -> TextEdit:
    """Return the edit that adds an entry to the message of an option: after the versions, or else at the end."""
    outer = [entry for entry in option.entries if len(entry.names) == 1 and not entry.is_item]
    versions = [entry for entry in outer if entry.names[0] in ("versions", "storage_version")]
    if not outer:
        tokens = file.source.list_tokens(option.start, option.end)
        opening = next(token.end for token in tokens if token.text in ("{", "<"))
        return TextEdit(opening, opening, f"{name}: {value}")
    entry = (versions or outer)[-1]
    return _insert_after(file, entry.start, entry.end, f"{name}: {value}", is_item=False)


def add_marker(file: SourceFile, element: SourceElement, marker: str) -> TextEdit:
    """Return the edit that adds a comment marker above an element, after the last one."""
    text, line_break = file.text, get_line_break(file.text)
    lines = list(list_marker_lines(file, element))
    if lines:
        last = lines[-1]
        head = text[find_line_start(text, last.start) : last.start]
        head = head.replace("/**", " * ").replace("/*", " * ") if "/*" in head else head
        return TextEdit(last.end, last.end, f"{line_break}{head}{marker}")
    if element.comments and element.comments[-1].text.startswith("/*"):
        end = element.comments[-1].end - 2
        return TextEdit(end, end, f"{line_break}{get_indent(text, element.start)} * {marker}{line_break} ")
    indent = get_indent(text, element.start)
    return TextEdit(element.start, element.start, f"// {marker}{line_break}{indent}")
