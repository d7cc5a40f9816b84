"""Texts of people as Markdown that stays within its bounds: no HTML, no headings, and every fence has an end.

What descriptions are written in is Markdown more often than not. So paragraphs, lists, code and links stay what they
are, and what would reach beyond the description, or could not be told from the page's own, is shown as it is.

Source: CommonMark 0.31, GitHub Flavored Markdown for tables and bare links.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from protoc_gen_crd.base.markdown import SPECIAL, code, fenced, printable

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


def format_sentence(text: str) -> str:
    """Prose on one line."""
    return _format_inline(" ".join(printable(text).split()))


def join_lines(lines: Iterable[str]) -> str:
    """Lines as a text, with one blank line where there are several, but for those in code."""
    made: list[str] = []
    fence = ""
    for line in lines:
        if fence:
            fence = "" if line.strip() == fence else fence
        elif opening := _FENCE.fullmatch(line):
            fence = opening[2]
        elif not line and made and not made[-1]:
            continue
        made.append(line)
    return "\n".join(made).rstrip("\n") + "\n"


def format_prose(text: str) -> list[str]:
    """A description as lines of Markdown; blank lines stand between blocks."""
    lines = _align_lists([printable(line.expandtabs(4)).rstrip() for line in text.strip("\n").split("\n")])
    made: list[str] = []
    at = 0
    while at < len(lines):
        at, block = _format_block(lines, at, made)
        made += block
    while made and not made[-1]:
        made.pop()
    return made


def _align_lists(lines: list[str]) -> list[str]:
    """Lines of which lists begin at the margin: people like to indent a list by a few blanks."""
    made: list[str] = []
    level: int | None = None  # of the list around
    for line in lines:
        indent = len(line) - len(line.lstrip())
        item = _ITEM.match(line)
        if item and (level is None or indent < level) and indent < _INDENTED:
            level = indent
        elif line and not item and level is not None and indent <= level and _is_after_blank(made):
            level = None
        made.append(line[min(level or 0, indent) :])
    return made


def _format_block(lines: list[str], at: int, before: list[str]) -> tuple[int, list[str]]:
    """The lines that become of the next ones, and where it goes on."""
    line = lines[at]
    if not line:
        return at + 1, [""] if before and before[-1] else []
    if fence := _FENCE.fullmatch(line):
        return _format_fence(lines, at, fence, before)
    if _is_after_blank(before) and line.startswith(pad := " " * (_INDENTED + len(_find_item_indent(before)))):
        return _format_indented(lines, at, len(pad), _find_item_indent(before))
    return at + 1, _format_line(line, before)


def _format_fence(lines: list[str], at: int, fence: re.Match[str], before: list[str]) -> tuple[int, list[str]]:
    """A block of code up to its end, or to that of the text."""
    indent, mark, info = fence[1], fence[2], fence[3].strip()
    end = at + 1
    while end < len(lines) and not re.fullmatch(rf" *{mark[0]}{{{len(mark)},}}", lines[end]):
        end += 1
    held = [line[len(indent) :] if line.startswith(indent) else line.lstrip() for line in lines[at + 1 : end]]
    language = found[0] if (found := _LANGUAGE.match(info)) else ""
    pad = _compute_indent(indent, before)
    block = [f"{pad}{line}".rstrip() for line in fenced("\n".join(held), language)]
    return end + 1, [*_make_gap(before), *block, ""]


def _format_indented(lines: list[str], at: int, depth: int, pad: str) -> tuple[int, list[str]]:
    end = at
    while end < len(lines) and (not lines[end] or lines[end].startswith(" " * depth)):
        end += 1
    held = "\n".join(line[depth:] for line in lines[at:end]).rstrip("\n")
    return end, [*(f"{pad}{line}".rstrip() for line in fenced(held)), ""]


def _find_item_indent(before: list[str]) -> str:
    """How deep a block stands that belongs to the last item of a list; nothing outside of lists."""
    return _compute_indent(" " * _MAX_DEPTH, before) if _is_in_list(before) else ""


def _format_line(line: str, before: list[str]) -> list[str]:
    """A line of a paragraph or of a list's item."""
    if _RULE.fullmatch(line):
        return ["\\" + line.strip()]
    item = _ITEM.match(line)
    if item:
        # A list may only begin where a paragraph has ended, which people forget.
        gap = [] if _is_in_item(before) else _make_gap(before)
        mark = "-" if item[2] in "-*+" else f"{int(item[2][:-1])}."
        rest = line[item.end() :]
        nested = _compute_indent(item[1], before) if _is_in_item(before) or _is_in_list(before) else ""
        return [*gap, f"{nested}{mark} {_escape_line_start(rest)}"]
    indent = _compute_indent(line[: len(line) - len(line.lstrip())], before)
    return [indent + _escape_line_start(line.strip())]


def _escape_line_start(text: str) -> str:
    """Inline text at the start of a line, where more characters have a meaning."""
    made = _format_inline(text)
    if re.match(r"(?:[-+=>:#]|[0-9]{1,9}[.)])", made):
        return re.sub(r"^([0-9]*)", r"\1\\", made, count=1)
    return made


def _format_inline(text: str) -> str:
    """A line's code, links and bold words stay; all else is shown as it is."""
    made, at = [""], 0
    for piece in _INLINE_MARKUP.finditer(text):
        before, shown = _escape(text[at : piece.start()]) or made.pop(), _format_piece(piece)
        made += [f"{before[:-1]}\\!" if shown[0] == "[" and before[-1:] == "!" else before, shown]
        at = piece.end()
    return "".join([*made, _escape(text[at:])])


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
    """An address that a table takes as well."""
    return url.replace("|", "%7C")


def _escape(text: str) -> str:
    # A word with an underscore inside, as names have, needs no escape.
    return re.sub(r"(?<=\w)\\_(?=\w)", "_", SPECIAL.sub(r"\\\g<0>", text))


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
    """Check whether the line before belongs to an item of a list."""
    return any(_ITEM.match(line) for line in _iterate_last_block(before))


def _is_in_list(before: list[str]) -> bool:
    """Check whether the last block that is no code is an item of a list, or what belongs to one."""
    held = [line for line in before if line]
    return bool(held) and (_ITEM.match(held[-1]) is not None or held[-1].startswith("  "))


def _compute_indent(indent: str, before: list[str]) -> str:
    """How deep a line stands: as much as it is written, within what the lists around it take."""
    width = len(indent)
    for line in reversed([line for line in before if line]):
        item = _ITEM.match(line)
        if item is not None:
            return " " * min(width, item.end())
        if not line.startswith(" "):
            return ""
    return ""
