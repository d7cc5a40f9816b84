"""Differences that are known and have a reason: everything else fails."""

from __future__ import annotations

import json
from collections.abc import Callable

from protoc_gen_crd.base.gotext import unfilled
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.check import SAME_IDS
from tests.judges.celtypes.ours import Request

from .answers import Answer

Test = Callable[[Request, Answer, Answer], bool]

_OPTIONAL, _MESSAGE = "optional_type", "for google.protobuf."


class Explained(Record):
    """A difference of servers from 1.`since` to 1.`until`: how to tell it, from the request, ours, theirs; and why."""

    name: str
    since: int
    until: int
    holds: Test
    reason: str


TABLE: tuple[Explained, ...] = (
    Explained(
        "same-ids", 29, 31,
        lambda _, ours, theirs: all(SAME_IDS in each.get("compile", "") for each in (ours, theirs)),
        "servers print the node that stands twice as Go prints it, with ids or addresses, and spaces by chance",
    ),
    Explained(
        "message-fields", 25, 37,
        lambda _, ours, theirs: any(_MESSAGE in each.get("error", "") for each in (ours, theirs)),
        "a message literal whose field is not what it should be is told in words of Go's types",
    ),
    Explained(
        "percent-zone", 25, 32,
        lambda _, ours, theirs: unfilled(ours.get("error", "")) == theirs.get("error"),
        "the name of a time zone is taken for a format, which shows where one that there is not has a percent sign",
    ),
    Explained(
        "open-types", 25, 36,
        lambda _, ours, theirs: ours.get("error", "").replace("optional_type(dyn)", _OPTIONAL) == theirs.get("error"),
        "what is dynamic in an optional is not spelled",
    ),
    Explained(
        "old-recovery", 25, 32,
        lambda _, ours, theirs: all("Syntax error: " in each.get("compile", "") for each in (ours, theirs)),
        "where a name alone may follow, the older grammar, without backticks, puts one in that is missing",
    ),
    Explained(
        "optional-name", 28, 30,
        lambda _, ours, theirs: json.loads(json.dumps(ours).replace("optional_type", "optional")) == theirs,
        "the type of optionals is called otherwise while an expression runs",
    ),
)  # fmt: skip


def explanation(minor: int, request: Request, ours: Answer, theirs: Answer) -> str | None:
    """The name of the row that tells a difference, if one does."""
    rows = [row for row in TABLE if row.since <= minor <= row.until and row.holds(request, ours, theirs)]
    return rows[0].name if rows else None
