"""The tokens of a pattern: output of `pattern_parser`, input of `parse_tree_builder` and `re2_translation`."""

from __future__ import annotations

from protoc_gen_crd.base.record import Record

# Kinds.
LITERAL, CLASS, DOT, ASSERTION, OPEN, BAR, CLOSE, REPEAT, END = range(9)
# Flags, as (?ismU) sets them.
FOLD, DOT_NL, MULTILINE, LAZY = 1, 2, 4, 8

# Part of a class: the bounds of a range, or a named set (see `character_set_names`) and whether it is negated.
Member = tuple[int, int] | tuple[str, bool]


class Token(Record):
    """One piece of a pattern, with the flags in force at its place."""

    kind: int
    flags: int
    text: str = ""  # LITERAL: its characters; ASSERTION: as written; REPEAT: its first character
    members: tuple[Member, ...] = ()  # CLASS
    negated: bool = False  # CLASS
    low: int = 0  # REPEAT by {
    high: int = 0  # REPEAT by {, -1 for no limit
    captures: bool = False  # OPEN
