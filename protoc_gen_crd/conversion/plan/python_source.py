"""Python source as ruff formats it: literals, comments, names, and long statements.

Foreign strings enter generated Python through `format_literal`, `format_string`, `format_comment`,
`format_docstring`, `format_constant_name` and `format_variable_name`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from math import isfinite
from textwrap import TextWrapper
from typing import Any

from protoc_gen_crd.base.escapes import visible

LINE_LENGTH = 88  # ruff's own
_MAX_LINE_LENGTH = 5000  # characters of a line that is split; wrapping takes quadratic time
_MAX_NAME_LENGTH = 100  # characters of an identifier
_MAX_COMMENT_LENGTH = 2000  # characters of a comment, or of a part of a docstring
_OPEN, _CLOSE = "([{", ")]}"
_ESCAPED = re.compile(r"\\.|['\"]")  # an escape as a whole, or a quote
_MARK = re.compile(  # a string literal, or a bracket or comma outside of one
    r""""[^"\\]*(?:\\.[^"\\]*)*"?|'[^'\\]*(?:\\.[^'\\]*)*'?|([(\[{)\]},])""", re.DOTALL
)
_STRING_LITERAL = re.compile(r"""(?P<indent> *)(?P<quote>["'])(?P<inner>(?:\\.|(?!(?P=quote)|\\).)*)(?P=quote)""")
_CLOSING_QUOTES = re.compile('"{3,}|"+$')  # would end a docstring
_COMMENT_LINE = re.compile(r" *([#-]) ")  # a comment, or an entry of a list in a docstring


@lru_cache(maxsize=1024)
def format_string(string: str) -> str:
    """Format a string literal, in double quotes unless single quotes need fewer escapes."""
    quote = "'" if string.count('"') > string.count("'") else '"'
    plain = _ESCAPED.sub(lambda match: "'" if match[0] == "\\'" else match[0], repr(string)[1:-1])
    return quote + _ESCAPED.sub(lambda match: f"\\{quote}" if match[0] == quote else match[0], plain) + quote


def format_literal(value: Any) -> str:
    """Format plain data as a literal."""
    if isinstance(value, str):
        return format_string(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{format_literal(key)}: {format_literal(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(format_literal, value)) + "]"
    if isinstance(value, tuple):
        return f"({', '.join(map(format_literal, value))}{',' * (len(value) == 1)})"
    if isinstance(value, float) and not isfinite(value):
        return f'float("{value}")'
    return repr(value)


def format_comment(string: str) -> str:
    """Format a string as a comment."""
    return f"# {_format_one_line(string)}"


def format_docstring(string: str) -> str:
    """Escape a string for a docstring."""
    escaped = _format_one_line(string).replace("\\", "\\\\")
    return _CLOSING_QUOTES.sub(lambda match: '\\"' * len(match[0]), escaped)


def _format_one_line(string: str) -> str:
    """Format a string on one line; truncate long ones."""
    return visible(string if len(string) <= _MAX_COMMENT_LENGTH else f"{string[:_MAX_COMMENT_LENGTH]} ...")


def format_constant_name(name: str) -> str:
    """Format a name as a constant: `firstName` becomes FIRST_NAME."""
    return _split_words(name).upper()


def format_variable_name(name: str) -> str:
    """Format a name as a variable: `firstName` becomes first_name."""
    return _split_words(name).lower()


def _split_words(name: str) -> str:
    name = name[:_MAX_NAME_LENGTH]
    parted = "".join(
        f"_{letter}" if letter.isupper() and before and not before.isupper() else letter
        for before, letter in zip(("", *name), name, strict=False)
    )
    plain = "".join(letter if letter.isascii() and (letter.isalnum() or letter == "_") else "_" for letter in parted)
    return (plain if plain[:1].isalpha() else f"x{plain}")[:_MAX_NAME_LENGTH]


def wrap_statement(line: str, margin: int = 0) -> Iterator[str]:
    """Split a long statement at its last bracket, recursively. A margin stays free."""
    if not LINE_LENGTH - margin < len(line) < _MAX_LINE_LENGTH or line.lstrip().startswith('"""'):
        yield line
        return
    if remark := _COMMENT_LINE.match(line):
        later = remark[0] if remark[1] == "#" else " " * len(remark[0])
        wrapper = TextWrapper(LINE_LENGTH, subsequent_indent=later, expand_tabs=False, replace_whitespace=False)
        wrapper.break_long_words = wrapper.break_on_hyphens = False
        yield from wrapper.wrap(line)
        return
    start = _find_last_bracket(line)
    if start is None:
        yield from _split_string(line, margin)
        return
    indent = " " * (len(line) - len(line.lstrip()))
    head, content, tail = line[: start + 1], line[start + 1 : -1], line[-1]
    yield head
    whole = f"{indent}    {content}"
    parts = list(_split_at_commas(content))
    if len(whole) <= LINE_LENGTH and (line[start - 1].isalnum() or line[start - 1] == "_"):
        yield whole
    else:
        for part in parts:
            yield from wrap_part(f"{indent}    {part}")
    yield f"{indent}{tail}"


def wrap_part(line: str) -> Iterator[str]:
    """Split one of several parts between brackets, with the comma after it."""
    *lines, last = wrap_statement(line, margin=1)
    yield from lines
    yield f"{last},"


def _split_string(line: str, margin: int) -> Iterator[str]:
    """Split a long string literal at spaces, one part per line."""
    literal = _STRING_LITERAL.fullmatch(line)
    if literal is None:
        yield line
        return
    room = LINE_LENGTH - margin - len(literal["indent"]) - len("''")
    wrapper = TextWrapper(
        room, break_long_words=False, break_on_hyphens=False, drop_whitespace=False, expand_tabs=False
    )
    for part in wrapper.wrap(literal["inner"]):
        yield f"{literal['indent']}{literal['quote']}{part}{literal['quote']}"


def _find_last_bracket(line: str) -> int | None:
    """Return the position of the bracket that the last character closes; None if that is no bracket."""
    if not line or line[-1] not in _CLOSE:
        return None
    stack: list[int] = []
    opening: int | None = None
    for at, mark in _iterate_marks(line):
        if mark in _OPEN:
            stack.append(at)
        elif mark in _CLOSE:
            opening = stack.pop()
    return opening if opening is not None and opening + 1 < len(line) - 1 else None


def _split_at_commas(content: str) -> Iterator[str]:
    """Split at commas outside brackets."""
    depth = start = 0
    for at, mark in _iterate_marks(content):
        depth += (mark in _OPEN) - (mark in _CLOSE)
        if mark == "," and not depth:
            yield content[start:at].strip()
            start = at + 1
    if content[start:].strip():
        yield content[start:].strip()


def _iterate_marks(line: str) -> Iterator[tuple[int, str]]:
    """Yield the brackets and commas outside string literals, with their positions."""
    return ((match.start(), match[1]) for match in _MARK.finditer(line) if match[1])
