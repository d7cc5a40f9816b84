"""Text of Python as ruff formats it: literals, names, and statements that are too long for a line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from textwrap import TextWrapper
from typing import Any

WIDTH = 88  # ruff's own
_OPEN, _CLOSE = "([{", ")]}"
_ESCAPED = re.compile(r"\\.|['\"]")  # an escape as a whole, or a quote
_TEXT = re.compile(r"""(?P<indent> *)(?P<quote>["'])(?P<inner>(?:\\.|(?!(?P=quote)).)*)(?P=quote)""")
_REMARK = re.compile(r" *([#-]) ")  # a comment, or an entry of a list in a docstring


def quoted(text: str) -> str:
    """A text as a literal, in double quotes unless that takes more escapes."""
    quote = "'" if text.count('"') > text.count("'") else '"'
    plain = _ESCAPED.sub(lambda found: "'" if found[0] == "\\'" else found[0], repr(text)[1:-1])
    return quote + _ESCAPED.sub(lambda found: f"\\{quote}" if found[0] == quote else found[0], plain) + quote


def literal(value: Any) -> str:
    """Plain data as a literal."""
    if isinstance(value, str):
        return quoted(value)
    if isinstance(value, dict):
        return "{" + ", ".join(f"{literal(key)}: {literal(each)}" for key, each in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(literal, value)) + "]"
    if isinstance(value, tuple):
        return f"({', '.join(map(literal, value))}{',' * (len(value) == 1)})"
    return repr(value)


def spoken(text: str) -> str:
    """A text as it stands in a docstring."""
    return text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')


def constant(name: str) -> str:
    """A name as that of a constant: `firstName` is FIRST_NAME."""
    return _parted(name).upper()


def variable(name: str) -> str:
    """A name as that of a variable: `firstName` is first_name."""
    return _parted(name).lower()


def _parted(name: str) -> str:
    parted = "".join(
        f"_{letter}" if letter.isupper() and before and not before.isupper() else letter
        for before, letter in zip(("", *name), name, strict=False)
    )
    plain = "".join(letter if letter.isascii() and (letter.isalnum() or letter == "_") else "_" for letter in parted)
    return plain if plain[:1].isalpha() else f"x{plain}"


def laid_out(line: str, margin: int = 0) -> Iterator[str]:
    """A statement in lines: what is too long is split at its last bracket, and that again. A margin stays free."""
    if len(line) + margin <= WIDTH or line.lstrip().startswith('"""'):
        yield line
        return
    if remark := _REMARK.match(line):
        later = remark[0] if remark[1] == "#" else " " * len(remark[0])
        wrapper = TextWrapper(WIDTH, subsequent_indent=later, expand_tabs=False, replace_whitespace=False)
        wrapper.break_long_words = wrapper.break_on_hyphens = False
        yield from wrapper.wrap(line)
        return
    start = _last_bracket(line)
    if start is None:
        yield from _texts(line, margin)
        return
    indent = " " * (len(line) - len(line.lstrip()))
    head, content, tail = line[: start + 1], line[start + 1 : -1], line[-1]
    yield head
    whole = f"{indent}    {content}"
    parts = list(_parts(content))
    if len(whole) <= WIDTH and (line[start - 1].isalnum() or line[start - 1] == "_"):
        yield whole
    else:
        for part in parts:
            yield from laid_out_part(f"{indent}    {part}")
    yield f"{indent}{tail}"


def laid_out_part(line: str) -> Iterator[str]:
    """One of several parts between brackets, with the comma behind it."""
    *lines, last = laid_out(line, margin=1)
    yield from lines
    yield f"{last},"


def _texts(line: str, margin: int) -> Iterator[str]:
    """A text that is too long as several, one below the other, each with the space that it was parted at."""
    text = _TEXT.fullmatch(line)
    if text is None:
        yield line
        return
    room = WIDTH - margin - len(text["indent"]) - len("''")
    wrapper = TextWrapper(
        room, break_long_words=False, break_on_hyphens=False, drop_whitespace=False, expand_tabs=False
    )
    for part in wrapper.wrap(text["inner"]):
        yield f"{text['indent']}{text['quote']}{part}{text['quote']}"


def _last_bracket(line: str) -> int | None:
    """Where the bracket opens that the line ends with; None for a line that ends otherwise."""
    if not line or line[-1] not in _CLOSE:
        return None
    stack: list[int] = []
    found: int | None = None
    for at, letter in _outside_texts(line):
        if letter in _OPEN:
            stack.append(at)
        elif letter in _CLOSE:
            found = stack.pop()
    return found if found is not None and found + 1 < len(line) - 1 else None


def _parts(content: str) -> Iterator[str]:
    """What stands between the commas that are in no brackets."""
    depth = start = 0
    for at, letter in _outside_texts(content):
        depth += (letter in _OPEN) - (letter in _CLOSE)
        if letter == "," and not depth:
            yield content[start:at].strip()
            start = at + 1
    if content[start:].strip():
        yield content[start:].strip()


def _outside_texts(line: str) -> Iterator[tuple[int, str]]:
    """The letters that are not in a literal of text."""
    quote = ""
    skip = False
    for at, letter in enumerate(line):
        if skip:
            skip = False
        elif quote:
            skip = letter == "\\"
            quote = "" if letter == quote else quote
        elif letter in "\"'":
            quote = letter
        else:
            yield at, letter
