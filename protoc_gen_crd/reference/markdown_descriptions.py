"""Descriptions as safe Markdown: no HTML, no headings, and every code fence is closed.

Most descriptions are written in Markdown. Their paragraphs, lists, code and links are preserved. Markup that would
affect the page outside the description, or look like the page's own, is escaped.

Source: CommonMark 0.31, GitHub Flavored Markdown for tables and bare links.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from protoc_gen_crd.base.markdown_escapes import SPECIAL, code, fenced, printable

_FENCE = re.compile(r"( *)(`{3,}|~{3,})(.*)")
_ITEM = re.compile(r"( *)([-*+]|[0-9]{1,9}[.)])( +)(?=\S)")
_RULE = re.compile(r" {0,3}(?:([-*_=])[ \t]*)(?:\1[ \t]*)*")
_INLINE_MARKUP = re.compile(
    r"(?P<code>(?<!`)(?P<ticks>`+)(?!`)(?P<inside>.+?)(?<!`)(?P=ticks)(?!`))"
    r"|!?\[(?P<label>[^\[\]\n]{1,200})\]\((?P<target>https?://[^\s()<>\"'`\\]+)\)"
    r"|<(?P<auto>https?://[^\s<>\"'`\\()]+)>"
    r"|(?P<bare>https?://[^\s<>\"'`|\\()\[\]]+)"
    r"|(?P<strong>(?<![\w*])(?P<stars>\*{1,2})(?=[^\s*])(?P<words>[^*\n`\[\]<>]*[^\s*`\[\]<>])(?P=stars)(?![\w*]))"
)
_LANGUAGE = re.compile(r"[A-Za-z0-9+-]{1,20}")
_INDENTED = 4
_MAX_DEPTH = 100


def format_sentence(description: str) -> str:
    """Format a description as Markdown on one line."""
    return _format_inline(" ".join(printable(description).split()))


def join_lines(lines: Iterable[str]) -> str:
    """Join lines; outside of code, consecutive blank lines are reduced to one."""
    return "".join(end_lines(lines))


def end_lines(lines: Iterable[str]) -> Iterator[str]:
    """Yield the lines that `join_lines` joins, each with its end."""
    fence, blank_count = "", 0
    for line in lines:
        if fence:
            fence = "" if line.strip() == fence else fence
        elif opening := _FENCE.fullmatch(line):
            fence = opening[2]
        elif not line and blank_count:
            continue
        if not line:
            blank_count += 1  # blank lines at the end are omitted
            continue
        yield "\n" * blank_count
        yield f"{line}\n"
        blank_count = 0


def format_prose(description: str) -> list[str]:
    """Format a description as lines of Markdown, with blank lines between blocks."""
    lines = _align_lists([printable(line.expandtabs(4)).rstrip() for line in description.strip("\n").split("\n")])
    formatted: list[str] = []
    at = 0
    while at < len(lines):
        at, block = _format_block(lines, at, formatted)
        formatted += block
    while formatted and not formatted[-1]:
        formatted.pop()
    return formatted


def _align_lists(lines: list[str]) -> list[str]:
    """Remove the indentation of lists: authors often indent a list by a few spaces."""
    aligned: list[str] = []
    level: int | None = None  # indentation of the current list
    for line in lines:
        indent = len(line) - len(line.lstrip())
        item = _ITEM.match(line)
        if item and (level is None or indent < level) and indent < _INDENTED:
            level = indent
        elif line and not item and level is not None and indent <= level and _is_after_blank(aligned):
            level = None
        aligned.append(line[min(level or 0, indent) :])
    return aligned


def _format_block(lines: list[str], at: int, before: list[str]) -> tuple[int, list[str]]:
    """Return the index after the block that begins at `at`, and the block as Markdown."""
    line = lines[at]
    if not line:
        return at + 1, [""] if before and before[-1] else []
    if fence := _FENCE.fullmatch(line):
        return _format_fence(lines, at, fence, before)
    if _is_after_blank(before) and line.startswith(indent := " " * (_INDENTED + len(_find_item_indent(before)))):
        return _format_indented(lines, at, len(indent), _find_item_indent(before))
    return at + 1, _format_line(line, before)


def _format_fence(lines: list[str], at: int, fence: re.Match[str], before: list[str]) -> tuple[int, list[str]]:
    """Format a fenced code block; one without an end extends to the end of the description."""
    indent, mark, info = fence[1], fence[2], fence[3].strip()
    end = at + 1
    while end < len(lines) and not re.fullmatch(rf" *{mark[0]}{{{len(mark)},}}", lines[end]):
        end += 1
    content = [line[len(indent) :] if line.startswith(indent) else line.lstrip() for line in lines[at + 1 : end]]
    language = match[0] if (match := _LANGUAGE.match(info)) else ""
    padding = _compute_indent(indent, before)
    block = [f"{padding}{line}".rstrip() for line in fenced("\n".join(content), language)]
    return end + 1, [*_make_gap(before), *block, ""]


def _format_indented(lines: list[str], at: int, depth: int, padding: str) -> tuple[int, list[str]]:
    end = at
    while end < len(lines) and (not lines[end] or lines[end].startswith(" " * depth)):
        end += 1
    content = "\n".join(line[depth:] for line in lines[at:end]).rstrip("\n")
    return end, [*(f"{padding}{line}".rstrip() for line in fenced(content)), ""]


def _find_item_indent(before: list[str]) -> str:
    """Return the indentation of a block that belongs to the last list item; empty outside of lists."""
    return _compute_indent(" " * _MAX_DEPTH, before) if _is_in_list(before) else ""


def _format_line(line: str, before: list[str]) -> list[str]:
    """Format a line of a paragraph or of a list item."""
    if _RULE.fullmatch(line):
        return ["\\" + line.strip()]
    item = _ITEM.match(line)
    if item:
        # A list needs a blank line before it, which authors often omit.
        gap = [] if _is_in_item(before) else _make_gap(before)
        mark = "-" if item[2] in "-*+" else f"{int(item[2][:-1])}."
        rest = line[item.end() :]
        nested = _compute_indent(item[1], before) if _is_in_item(before) or _is_in_list(before) else ""
        return [*gap, f"{nested}{mark} {_escape_line_start(rest)}"]
    indent = _compute_indent(line[: len(line) - len(line.lstrip())], before)
    return [indent + _escape_line_start(line.strip())]


def _escape_line_start(text: str) -> str:
    """Format inline markup at the start of a line, where more characters need an escape."""
    line = _format_inline(text)
    if re.match(r"(?:[-+=>:#]|[0-9]{1,9}[.)])", line):
        return re.sub(r"^([0-9]*)", r"\1\\", line, count=1)
    return line


def _format_inline(text: str) -> str:
    """Format inline markup: code, links and emphasis are preserved, everything else is escaped."""
    parts, at = [""], 0
    for piece in _INLINE_MARKUP.finditer(text):
        before, formatted = _escape(text[at : piece.start()]) or parts.pop(), _format_piece(piece)
        parts += [f"{before[:-1]}\\!" if formatted[0] == "[" and before[-1:] == "!" else before, formatted]
        at = piece.end()
    return "".join([*parts, _escape(text[at:])])


def _format_piece(piece: re.Match[str]) -> str:
    if piece["code"]:
        return code(piece["inside"].strip() or " ")
    if piece["label"]:
        return f"[{_escape(piece['label'])}]({_escape_url(piece['target'])})"
    if piece["strong"]:
        return f"{piece['stars']}{_escape(piece['words'])}{piece['stars']}"
    url = _escape_url(piece["auto"] or piece["bare"])
    tail = "" if piece["auto"] else url[len(url.rstrip(".,;:!?&*_~")) :]
    url = url.removesuffix(tail) if tail else url
    return f"<{url}>{_escape(tail)}"


def _escape_url(url: str) -> str:
    """Escape a URL for table cells."""
    return url.replace("|", "%7C")


def _escape(string: str) -> str:
    # An underscore inside a word, as in names, needs no escape.
    return re.sub(r"(?<=\w)\\_(?=\w)", "_", SPECIAL.sub(r"\\\g<0>", string))


def _is_after_blank(before: list[str]) -> bool:
    return not before or not before[-1]


def _make_gap(before: list[str]) -> list[str]:
    return [] if _is_after_blank(before) else [""]


def _iterate_last_block(before: list[str]) -> Iterator[str]:
    for line in reversed(before):
        if not line:
            return
        yield line


def _is_in_item(before: list[str]) -> bool:
    """Check whether the previous line belongs to a list item."""
    return any(_ITEM.match(line) for line in _iterate_last_block(before))


def _is_in_list(before: list[str]) -> bool:
    """Check whether the last line that is not blank is a list item or belongs to one."""
    lines = [line for line in before if line]
    return bool(lines) and (_ITEM.match(lines[-1]) is not None or lines[-1].startswith("  "))


def _compute_indent(indent: str, before: list[str]) -> str:
    """Return the indentation of a line: as written, but at most that of the content of the list item around it."""
    width = len(indent)
    for line in reversed([line for line in before if line]):
        item = _ITEM.match(line)
        if item is not None:
            return " " * min(width, item.end())
        if not line.startswith(" "):
            return ""
    return ""
