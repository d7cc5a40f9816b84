"""Patterns that match only ASCII strings, whose length in bytes equals their length in characters."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from protoc_gen_crd.regex.character_set_names import ASCII_SETS
from protoc_gen_crd.regex.pattern_parser import PatternParser
from protoc_gen_crd.regex.pattern_tokens import (
    ASSERTION,
    BAR,
    CLASS,
    CLOSE,
    DOT,
    END,
    FOLD,
    LITERAL,
    MULTILINE,
    OPEN,
    REPEAT,
    Member,
    Token,
)
from protoc_gen_crd.regex.syntax_check import LATEST_GO

_STARTS, _ENDS = ("^", "\\A"), ("$", "\\z")
_DEPTHS = {OPEN: 1, CLOSE: -1}


@lru_cache(maxsize=1024)
def matches_only_ascii(pattern: str) -> bool:
    """Return whether a pattern matches only ASCII strings; False if that is not obvious.

    It is obvious if all alternatives are anchored at both ends and contain only ASCII characters and classes.
    """
    parser = PatternParser(pattern, LATEST_GO).parse()
    if parser.error is not None:
        return False
    tokens = [token for token in parser.tokens if token.kind != END]
    return all(map(_is_ascii_token, tokens)) and all(map(_is_anchored, _split_alternatives(tokens)))


def _is_ascii_token(token: Token) -> bool:
    if token.flags & (FOLD | MULTILINE):
        return False  # the letters k and s fold to characters that are not ASCII
    if token.kind == CLASS:
        return not token.negated and all(map(_is_ascii_member, token.members))
    return token.kind != DOT and (token.kind != LITERAL or token.text.isascii())


def _is_ascii_member(member: Member) -> bool:
    first, last = member
    return not last and first in ASCII_SETS if isinstance(first, str) else last < 128


def _split_alternatives(tokens: Sequence[Token]) -> list[list[Token]]:
    """Split a pattern at the bars outside of groups."""
    alternatives: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += _DEPTHS.get(token.kind, 0)
        if token.kind == BAR and not depth:
            alternatives.append([])
        else:
            alternatives[-1].append(token)
    return alternatives


def _is_anchored(tokens: Sequence[Token]) -> bool:
    if len(tokens) < 2 or tokens[1].kind == REPEAT:
        return False
    first, last = tokens[0], tokens[-1]
    return first.kind == last.kind == ASSERTION and first.text in _STARTS and last.text in _ENDS
