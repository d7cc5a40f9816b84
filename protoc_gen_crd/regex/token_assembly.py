"""Puts together what the tokens of an accepted pattern stand for, in any form: groups, alternatives, repetitions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeVar

from protoc_gen_crd.regex import pattern_tokens
from protoc_gen_crd.regex.character_classes import Ranges, get_fold_orbit, resolve_class
from protoc_gen_crd.regex.pattern_tokens import DOT_NL, FOLD, Token

ANY: Ranges = ((0, 0x10FFFF),)
_ANY_BUT_NEWLINE: Ranges = ((0, 9), (11, 0x10FFFF))

P = TypeVar("P")


class PartFactory(Protocol[P]):
    """Makes the parts of one form."""

    def make_class(self, ranges: Ranges) -> P:
        """One character of these ranges."""

    def make_assertion(self, token: Token) -> P:
        """A place in the text."""

    def make_repetition(self, part: P, token: Token) -> P:
        """A part as often as a token says."""

    def make_alternation(self, alternatives: list[list[P]]) -> P:
        """One of these, each of which is parts one after the other."""


def assemble(pattern: Iterable[Token], made: PartFactory[P]) -> P:
    """The tokens of a whole pattern as one part."""
    groups: list[list[list[P]]] = [[[]]]  # the alternatives of every open group, innermost last
    for token in pattern:
        parts = groups[-1][-1]
        match token.kind:
            case pattern_tokens.ASSERTION:
                parts.append(made.make_assertion(token))
            case pattern_tokens.REPEAT:
                parts[-1] = made.make_repetition(parts[-1], token)
            case pattern_tokens.OPEN:
                groups.append([[]])
            case pattern_tokens.BAR:
                groups[-1].append([])
            case pattern_tokens.CLOSE:
                part = made.make_alternation(groups.pop())
                groups[-1][-1].append(part)
            case _:
                parts += [made.make_class(ranges) for ranges in _list_classes(token)]
    return made.make_alternation(groups.pop())


def _list_classes(token: Token) -> list[Ranges]:
    """What a token says of each character that it stands for."""
    fold = bool(token.flags & FOLD)
    if token.kind == pattern_tokens.CLASS:
        return [resolve_class(token.members, negated=token.negated, fold=fold)]
    if token.kind == pattern_tokens.DOT:
        return [ANY if token.flags & DOT_NL else _ANY_BUT_NEWLINE]
    return [
        tuple([(case, case) for case in (get_fold_orbit(ord(char)) if fold else (ord(char),))]) for char in token.text
    ]
