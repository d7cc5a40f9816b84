"""Translation of a pattern that Go accepts to an RE2 pattern with the same meaning.

Classes are written as ranges, so that neither RE2's names of sets nor its Unicode version nor its folding matter. Flags
are written where they apply. Groups do not capture. The result uses only syntax that has the same meaning in both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from protoc_gen_crd.regex.character_classes import Ranges
from protoc_gen_crd.regex.pattern_tokens import LAZY, MULTILINE, Token
from protoc_gen_crd.regex.token_assembly import assemble

_NO_MATCH = "[^\\x00-\\x{10FFFF}]"
_ASSERTIONS = {"^": "\\A", "$": "\\z"}


def format_class(ranges: Ranges) -> str:
    """Return the RE2 class of the characters in these ranges."""
    if not ranges:
        return _NO_MATCH
    members = (
        _escape_character(low) if low == high else f"{_escape_character(low)}-{_escape_character(high)}"
        for low, high in ranges
    )
    return f"[{''.join(members)}]"


def translate(pattern: Iterable[Token], spell: Callable[[Ranges], str] = format_class) -> str:
    """Return the RE2 pattern for the tokens of an accepted pattern; `spell` formats classes, literals and dots."""
    return assemble(pattern, _Re2Parts(spell))


class _Re2Parts:
    """A factory of RE2 patterns that can be followed by a repetition operator."""

    def __init__(self, spell: Callable[[Ranges], str]) -> None:
        self.make_class = spell

    def make_assertion(self, token: Token) -> str:
        if token.flags & MULTILINE and token.text in "^$":
            return f"(?m:{token.text})"
        return _ASSERTIONS.get(token.text, token.text)

    def make_repetition(self, part: str, token: Token) -> str:
        operator = token.text
        if operator == "{":
            if token.high == 0:
                return "(?:)"
            high = "" if token.high < 0 else token.high
            operator = f"{{{token.low},{high}}}"
        return f"(?:{part}{operator}{'?' if token.flags & LAZY else ''})"

    def make_alternation(self, alternatives: list[list[str]]) -> str:
        match alternatives:
            case [[part]]:
                return part
            case _:
                return f"(?:{'|'.join(map(''.join, alternatives))})"


def _escape_character(char: int) -> str:
    return chr(char) if char < 128 and chr(char).isalnum() else f"\\x{{{char:x}}}"
