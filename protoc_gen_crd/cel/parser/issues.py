"""The errors of a CEL expression, and their format in cel-go.

Source: cel-go v0.29 `common/error.go` and `common/errors.go`. An API server puts this report behind
`compilation failed: `.
"""

from __future__ import annotations

from protoc_gen_crd.base.record import Record

from .ast import NO_PLACE

_LONGEST_EXCERPT = 16384  # bytes
_MAX_SHOWN = 100


class Issue(Record):
    """One error: cel-go's message and its offset (code points; NO_PLACE for the whole expression).

    With `line_before`, an error at the start of a line is reported at the end of the previous line. `fields` are those
    of the object that lacks a selected field.
    """

    message: str
    at: int = NO_PLACE
    line_before: bool = False
    fields: tuple[str, ...] = ()


class Rejection(Record):
    """The result for an invalid expression: the expression and its errors, in the order of detection."""

    source: str
    issues: tuple[Issue, ...]

    def __str__(self) -> str:
        return format_issues(self.source, self.issues)


def find_position(source: str, at: int) -> tuple[int, int]:
    """Return the line (from 1) and the column (from 0) of an offset as cel-go counts them; (-1, -1) for NO_PLACE."""
    if at == NO_PLACE:
        return -1, -1
    if at < 0:
        return 1, at
    return source.count("\n", 0, at) + 1, at - (source.rfind("\n", 0, at) + 1)


def format_issues(source: str, issues: tuple[Issue, ...]) -> str:
    """Format issues as cel-go does, ordered by offset: `ERROR: <input>:1:5: MESSAGE`, the line, and a caret."""
    first_issues = sorted(issues[:_MAX_SHOWN], key=lambda issue: issue.at)
    lines = [_format_issue(source, issue) for issue in first_issues]
    if len(issues) > _MAX_SHOWN:
        lines.append(f"{len(issues) - _MAX_SHOWN} more errors were truncated")
    return "\n".join(lines)


def _format_issue(source: str, issue: Issue) -> str:
    line, column = find_position(source, issue.at)
    if issue.line_before and issue.at > 0 and not column:
        line, column = find_position(source, issue.at - 1)
        column += 1
    head = f"ERROR: <input>:{line}:{column + 1}: {issue.message}"
    if not source or issue.at == NO_PLACE:
        return head
    excerpt = source.split("\n")[line - 1].replace("\t", " ")
    if len(excerpt.encode("utf-8", "replace")) > _LONGEST_EXCERPT:
        return head
    dots = "".join(["." if ord(char) < 128 else "\uff0e" for char in excerpt[: max(column, 0)]])
    caret = "\uff3e" if ord(excerpt[max(column, 0) :][:1] or " ") > 127 else "^"
    return f"{head}\n | {excerpt}\n | {dots}{caret}"
