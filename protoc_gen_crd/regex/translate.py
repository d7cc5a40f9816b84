"""Writes a pattern that Go accepts in a form that RE2 takes, with the same meaning.

Classes are written out as ranges, so that neither RE2's names of sets nor its Unicode version nor its folding matter;
flags are spelt out where they act; groups do not capture. What remains is the small core on which both agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from protoc_gen_crd.regex.assembly import assembled
from protoc_gen_crd.regex.classes import Ranges
from protoc_gen_crd.regex.tokens import LAZY, MULTILINE, Token

_NOTHING = "[^\\x00-\\x{10FFFF}]"
_ASSERTIONS = {"^": "\\A", "$": "\\z"}


def spelled(ranges: Ranges) -> str:
    """A class of characters."""
    if not ranges:
        return _NOTHING
    members = (_character(low) if low == high else f"{_character(low)}-{_character(high)}" for low, high in ranges)
    return f"[{''.join(members)}]"


def translate(pattern: Iterable[Token], spell: Callable[[Ranges], str] = spelled) -> str:
    """The RE2 pattern for the tokens of an accepted pattern; `spell` writes its classes, texts and dots among them."""
    return assembled(pattern, _Parts(spell))


class _Parts:
    """Writes each token as a part that may be repeated."""

    def __init__(self, spell: Callable[[Ranges], str]) -> None:
        self.chars = spell

    def assertion(self, token: Token) -> str:
        if token.flags & MULTILINE and token.text in "^$":
            return f"(?m:{token.text})"
        return _ASSERTIONS.get(token.text, token.text)

    def repeated(self, part: str, token: Token) -> str:
        operator = token.text
        if operator == "{":
            if token.high == 0:
                return "(?:)"
            high = "" if token.high < 0 else token.high
            operator = f"{{{token.low},{high}}}"
        return f"(?:{part}{operator}{'?' if token.flags & LAZY else ''})"

    def choice(self, alternatives: list[list[str]]) -> str:
        match alternatives:
            case [[part]]:
                return part
            case _:
                return f"(?:{'|'.join(map(''.join, alternatives))})"


def _character(char: int) -> str:
    return chr(char) if char < 128 and chr(char).isalnum() else f"\\x{{{char:x}}}"
