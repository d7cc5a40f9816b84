"""Writes a pattern that Go accepts in a form that RE2 takes, with the same meaning.

Classes are written out as ranges, so that neither RE2's names of sets nor its Unicode version nor its folding matter;
flags are spelt out where they act; groups do not capture. What remains is the small core on which both agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from protoc_gen_crd.regex import tokens
from protoc_gen_crd.regex.classes import Ranges, contents, orbit
from protoc_gen_crd.regex.tokens import DOT_NL, FOLD, LAZY, MULTILINE, Token

_NOTHING = "[^\\x00-\\x{10FFFF}]"
_ASSERTIONS = {"^": "\\A", "$": "\\z"}
_ANY: Ranges = ((0, 0x10FFFF),)
_ANY_BUT_NEWLINE: Ranges = ((0, 9), (11, 0x10FFFF))


def spelled(ranges: Ranges) -> str:
    """A class of characters."""
    if not ranges:
        return _NOTHING
    members = (_character(low) if low == high else f"{_character(low)}-{_character(high)}" for low, high in ranges)
    return f"[{''.join(members)}]"


def translate(pattern: Iterable[Token], spell: Callable[[Ranges], str] = spelled) -> str:
    """The RE2 pattern for the tokens of an accepted pattern; `spell` writes its classes, texts and dots among them."""
    writer = _Writer(spell)
    for token in pattern:
        writer.add(token)
    return writer.closed()


class _Writer:
    """The alternatives of every open group, innermost last; an alternative is a list of parts that may be repeated."""

    def __init__(self, spell: Callable[[Ranges], str]) -> None:
        self.groups: list[list[list[str]]] = [[[]]]
        self.spell = spell

    def add(self, token: Token) -> None:
        parts = self.groups[-1][-1]
        match token.kind:
            case tokens.TEXT if token.flags & FOLD:
                parts += [self.spell(tuple([(case, case) for case in orbit(ord(char))])) for char in token.text]
            case tokens.TEXT:
                parts += [self.spell(((ord(char), ord(char)),)) for char in token.text]
            case tokens.CLASS:
                parts.append(self.spell(contents(token.members, negated=token.negated, fold=bool(token.flags & FOLD))))
            case tokens.DOT:
                parts.append(self.spell(_ANY if token.flags & DOT_NL else _ANY_BUT_NEWLINE))
            case tokens.ASSERTION:
                parts.append(_assertion(token.text, lines=bool(token.flags & MULTILINE)))
            case tokens.REPEAT:
                parts[-1] = _repeated(parts[-1], token)
            case tokens.OPEN:
                self.groups.append([[]])
            case tokens.BAR:
                self.groups[-1].append([])
            case tokens.CLOSE:
                part = self.closed()
                self.groups[-1][-1].append(part)

    def closed(self) -> str:
        """The innermost group as one part."""
        match self.groups.pop():
            case [[part]]:
                return part
            case alternatives:
                return f"(?:{'|'.join(map(''.join, alternatives))})"


def _assertion(text: str, *, lines: bool) -> str:
    return f"(?m:{text})" if lines and text in "^$" else _ASSERTIONS.get(text, text)


def _repeated(part: str, token: Token) -> str:
    operator = token.text
    if operator == "{":
        if token.high == 0:
            return "(?:)"
        high = "" if token.high < 0 else token.high
        operator = f"{{{token.low},{high}}}"
    return f"(?:{part}{operator}{'?' if token.flags & LAZY else ''})"


def _character(char: int) -> str:
    return chr(char) if char < 128 and chr(char).isalnum() else f"\\x{{{char:x}}}"
