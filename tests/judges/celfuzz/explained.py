"""Differences of wording that are known and have a reason: everything else fails.

A row takes words out of the same member of both answers. Whatever else they hold must then be equal, so that no row
hides a verdict, a type or a cost.
"""

from __future__ import annotations

import json
import re
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.checker.checker import OLD_SAME_IDS, SAME_IDS

from .answers import Answer


class Explained(Record):
    """Words that servers from 1.`since` to 1.`until` put otherwise: in which member, a pattern, what is left of it."""

    name: str
    since: int
    until: int
    member: str
    words: re.Pattern[str]
    left: str
    reason: str


TABLE: tuple[Explained, ...] = (
    Explained(
        "same-ids", 29, 31, "compile", re.compile(rf"({SAME_IDS}: ).*"), r"\1",
        "servers print the node that stands twice as Go prints it, with ids or addresses, random spaces, variables",
    ),
    Explained(
        "older-ids", 28, 28, "compile", re.compile(rf"({re.escape(OLD_SAME_IDS)}: ).*"), r"\1",
        "the same in Go's words for messages of Protocol Buffers",
    ),
    Explained(
        "open-types", 28, 36, "error", re.compile(r"\boptional_type\(dyn\)"), "optional_type",
        "what is dynamic in an optional is not spelled",
    ),
    Explained(
        "open-lists", 25, 33, "error", re.compile(r"\b(list|map)\((dyn|dyn, dyn|, )?\)"), r"\1",
        "nor is it in a list or map",
    ),
    Explained(
        "sums", 25, 37, "error", re.compile(r"\*types\.(baseList|concatList)"), "list",
        "no list remembers that it is a sum, which servers report for a key",
    ),
    Explained(
        "parts", 25, 27, "error", re.compile(r"index '-?\d+' out of range in list size '\d+'"), "index",
        "nor that it is one, for which servers report the index within the part and the size of that",
    ),
    Explained(
        "signs", 25, 27, "error", re.compile(r"%\S*"), "%",
        "servers take an error that goes through a choice or an index for a format, which lacks values",
    ),
    Explained(
        "optional-name", 28, 30, "error", re.compile(r"\boptional_type\b"), "optional",
        "the type of optionals is called otherwise while an expression runs",
    ),
    Explained(
        "optional-type", 28, 30, "result", re.compile(r'{"type": "optional_type"}'), '{"type": "optional"}',
        "the same where a type is what results",
    ),
)  # fmt: skip


def explanation(minor: int, ours: Answer, theirs: Answer) -> str | None:
    """Return the names of the rows that explain a difference, if any do."""
    names = []
    for row in TABLE:
        if row.since <= minor <= row.until and row.member in ours and row.member in theirs:
            before = ours, theirs
            ours, theirs = _without(row, ours), _without(row, theirs)
            names += [row.name] if before != (ours, theirs) else []
            if ours == theirs:
                return "+".join(names)
    return None


def _without(row: Explained, answer: Answer) -> Answer:
    """The answer without the words of a row, which it finds in a value as in its JSON."""
    value: Any = answer[row.member]
    if isinstance(value, str):
        return {**answer, row.member: row.words.sub(row.left, value)}
    return {**answer, row.member: json.loads(row.words.sub(row.left, json.dumps(value, sort_keys=True)))}
