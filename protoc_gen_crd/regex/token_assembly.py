"""Assembly of the tokens of an accepted pattern (groups, alternatives, repetitions) in any form."""

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
    """A factory of the parts of one form."""

    def make_class(self, ranges: Ranges) -> P:
        """Return the part that matches one character of these ranges."""

    def make_assertion(self, token: Token) -> P:
        """Return the part of an assertion."""

    def make_repetition(self, part: P, token: Token) -> P:
        """Return a part with the repetition of a token."""

    def make_alternation(self, alternatives: list[list[P]]) -> P:
        """Return the alternation of these concatenations."""


def assemble(pattern: Iterable[Token], factory: PartFactory[P]) -> P:
    """Return the part of a whole pattern."""
    groups: list[list[list[P]]] = [[[]]]  # the alternatives of every open group, innermost last
    for token in pattern:
        parts = groups[-1][-1]
        match token.kind:
            case pattern_tokens.ASSERTION:
                parts.append(factory.make_assertion(token))
            case pattern_tokens.REPEAT:
                parts[-1] = factory.make_repetition(parts[-1], token)
            case pattern_tokens.OPEN:
                groups.append([[]])
            case pattern_tokens.BAR:
                groups[-1].append([])
            case pattern_tokens.CLOSE:
                part = factory.make_alternation(groups.pop())
                groups[-1][-1].append(part)
            case _:
                parts += [factory.make_class(ranges) for ranges in _list_classes(token)]
    return factory.make_alternation(groups.pop())


def _list_classes(token: Token) -> list[Ranges]:
    """Return the class of each character that a token matches."""
    fold = bool(token.flags & FOLD)
    if token.kind == pattern_tokens.CLASS:
        return [resolve_class(token.members, negated=token.negated, fold=fold)]
    if token.kind == pattern_tokens.DOT:
        return [ANY if token.flags & DOT_NL else _ANY_BUT_NEWLINE]
    return [
        tuple([(case, case) for case in (get_fold_orbit(ord(char)) if fold else (ord(char),))]) for char in token.text
    ]
