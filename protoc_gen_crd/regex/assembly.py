"""Puts together what the tokens of an accepted pattern stand for, in any form: groups, alternatives, repetitions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar

from protoc_gen_crd.regex import tokens
from protoc_gen_crd.regex.classes import Ranges, contents, orbit
from protoc_gen_crd.regex.tokens import DOT_NL, FOLD, Token

ANY: Ranges = ((0, 0x10FFFF),)
_ANY_BUT_NEWLINE: Ranges = ((0, 9), (11, 0x10FFFF))

P = TypeVar("P")


class Parts(Protocol[P]):
    """Makes the parts of one form."""

    def chars(self, ranges: Ranges) -> P:
        """One character of these ranges."""

    def assertion(self, token: Token) -> P:
        """A place in the text."""

    def repeated(self, part: P, token: Token) -> P:
        """A part as often as a token says."""

    def choice(self, alternatives: list[list[P]]) -> P:
        """One of these, each of which is parts one after the other."""


def assembled(pattern: Iterable[Token], made: Parts[P]) -> P:
    """The tokens of a whole pattern as one part."""
    groups: list[list[list[P]]] = [[[]]]  # the alternatives of every open group, innermost last
    for token in pattern:
        parts = groups[-1][-1]
        match token.kind:
            case tokens.ASSERTION:
                parts.append(made.assertion(token))
            case tokens.REPEAT:
                parts[-1] = made.repeated(parts[-1], token)
            case tokens.OPEN:
                groups.append([[]])
            case tokens.BAR:
                groups[-1].append([])
            case tokens.CLOSE:
                part = made.choice(groups.pop())
                groups[-1][-1].append(part)
            case _:
                parts += [made.chars(ranges) for ranges in _characters(token)]
    return made.choice(groups.pop())


def _characters(token: Token) -> list[Ranges]:
    """What a token says of each character that it stands for."""
    fold = bool(token.flags & FOLD)
    if token.kind == tokens.CLASS:
        return [contents(token.members, negated=token.negated, fold=fold)]
    if token.kind == tokens.DOT:
        return [ANY if token.flags & DOT_NL else _ANY_BUT_NEWLINE]
    return [tuple([(case, case) for case in (orbit(ord(char)) if fold else (ord(char),))]) for char in token.text]
