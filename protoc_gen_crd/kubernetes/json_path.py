"""The JSONPath parser of printer columns. Paths are parsed here, not evaluated.

Source: k8s.io/client-go v0.37.2 util/jsonpath/parser.go, the same since v0.25; k8s.io/apiextensions-apiserver v0.37.2
pkg/registry/customresource/tableconvertor, which puts the braces around a path.
"""

from __future__ import annotations

import re
from functools import cache

from protoc_gen_crd.base.record import Record

_MAX_INT = (1 << 63) - 1
_TERMINATORS = " \t\r\n.,[]$@{}"
_NUMBER = r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)"
_SLICE = r"(-?[0-9]*)(:-?[0-9]*)?(:-?[0-9]*)?"
_COMPARED = r"([^!<>=]+)([!<>=]+)(.+?)"
_ESCAPES = r"\\(?:[abfnrtv\\]|[0-3][0-7]{2}|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})"


class JsonPathError(ValueError):
    """A string that is not a JSONPath."""


class JsonPathNode(Record):
    """One node: its kind, the string of a field, word, number or operator, and the nodes of its parts.

    Kinds are field, wildcard, array, recursive, union, filter, text, word, number. A union has the nodes of each part,
    a filter those on the left and on the right of its operator; without an operator it is `exists`.
    """

    kind: str
    value: str = ""
    parts: tuple[tuple[JsonPathNode, ...], ...] = ()


@cache
def read(path: str) -> tuple[JsonPathNode, ...]:
    """Parse the nodes of a path. Raises JsonPathError."""
    return _JsonPathParser(f"{{{path}}}").parse_actions()[0]


class _JsonPathParser:
    """A parser of a template whose actions are in braces."""

    def __init__(self, template: str) -> None:
        self.template = template
        self.at = 0

    def parse_actions(self) -> list[tuple[JsonPathNode, ...]]:
        """Parse the nodes of each action; everything between actions is ignored."""
        actions = []
        while (start := self.template.find("{", self.at)) >= 0:
            self.at = start + 1
            actions.append(self._parse_action())
        return actions

    def _parse_action(self) -> tuple[JsonPathNode, ...]:
        nodes: list[JsonPathNode] = []
        while not self.template.startswith("}", self.at):
            self._parse_node(nodes)
        self.at += 1
        return tuple(nodes)

    def _parse_node(self, nodes: list[JsonPathNode]) -> None:
        """Parse the node at the current position."""
        if self.template.startswith("[?(", self.at):
            nodes.append(self._parse_filter())
        elif self.template.startswith("..", self.at):
            self._parse_recursive(nodes)
        else:
            first = self.template[self.at : self.at + 1]
            if not first or first in "\r\n":
                raise JsonPathError("unclosed bracket or line break")
            self.at += 1
            starts = {"[": self._parse_array, ".": self._parse_field, '"': self._parse_quoted, "'": self._parse_quoted}
            starts.get(first, self._parse_literal)(nodes)

    def _parse_literal(self, nodes: list[JsonPathNode]) -> None:
        """Parse a number or a word. Blanks and the current object have no nodes."""
        char = self.template[self.at - 1]
        if char in " @$":
            return
        self.at -= 1
        if char in "+-" or char.isdecimal():
            nodes.append(self._parse_number())
        elif char == "_" or char.isalpha():
            nodes.append(JsonPathNode("word", self._read_until_terminator()))
        else:
            raise JsonPathError(f'unexpected "{char}"')

    def _read_until_terminator(self, *, escaped: bool = False) -> str:
        start = self.at
        while self.at < len(self.template) and self.template[self.at] not in _TERMINATORS:
            self.at += 2 if escaped and self.template[self.at] == "\\" else 1
        self.at = min(self.at, len(self.template))
        return self.template[start : self.at]

    def _parse_field(self, nodes: list[JsonPathNode]) -> None:
        name = self._read_until_terminator(escaped=True)
        nodes.append(JsonPathNode("wildcard") if name == "*" else JsonPathNode("field", name.replace("\\", "")))

    def _parse_recursive(self, nodes: list[JsonPathNode]) -> None:
        if nodes and nodes[-1].kind == "recursive":
            raise JsonPathError('".." after ".."')
        self.at += 2
        nodes.append(JsonPathNode("recursive"))
        following = self.template[self.at : self.at + 1]
        if following and (following == "_" or following.isalpha() or following.isdecimal()):
            self._parse_field(nodes)

    def _parse_number(self) -> JsonPathNode:
        start = self.at
        self.at += self.template[start] in "+-"
        while self.template[self.at : self.at + 1] == "." or self.template[self.at : self.at + 1].isdecimal():
            self.at += 1
        value = self.template[start : self.at]
        if not re.fullmatch(_NUMBER, value) or abs(float(value)) == float("inf"):
            raise JsonPathError(f'invalid number "{value}"')
        return JsonPathNode("number", value)

    def _parse_array(self, nodes: list[JsonPathNode]) -> None:
        subscript = self._read_to("]", "unclosed bracket")
        parts = subscript.split(",")
        if len(parts) > 1:
            nodes.append(JsonPathNode("union", "", tuple([read(f"[{part.strip(' ')}]") for part in parts])))
        elif key := re.fullmatch(r"'([^']*)'", subscript):
            nodes += read(f".{key[1]}")
        else:
            nodes.append(_parse_slice(":" if subscript == "*" else subscript))

    def _read_to(self, end: str, needs: str) -> str:
        """Read up to a character on the same line, and skip the character. `needs` is the error message."""
        match = re.compile(rf"[^\n{re.escape(end)}]*").match(self.template, self.at)
        content = match[0] if match else ""
        if not self.template.startswith(end, self.at + len(content)):
            raise JsonPathError(needs)
        self.at += len(content) + 1
        return content

    def _parse_filter(self) -> JsonPathNode:
        self.at += 3
        start = self.at
        self._skip_filter_end()
        condition = self.template[start : self.at - 2]
        comparison = re.fullmatch(_COMPARED, condition)
        if comparison is None:
            return JsonPathNode("filter", "exists", (read(condition), ()))
        return JsonPathNode("filter", comparison[2], (read(comparison[1]), read(comparison[3])))

    def _skip_filter_end(self) -> None:
        """Skip the parenthesis and bracket that end a filter. A parenthesis in the first quotes does not end it."""
        quote, closed = "", False
        while not self.template.startswith(")", self.at) or bool(quote) != closed:
            char = self.template[self.at : self.at + 1]
            if not char or char == "\n":
                raise JsonPathError("unclosed filter")
            if not quote and char in "\"'":
                quote = char
            elif char == quote and self.template[self.at - 1] != "\\":
                closed = True
            self.at += 1
        if not self.template.startswith(")]", self.at):
            raise JsonPathError('missing "]" after a filter')
        self.at += 2

    def _parse_quoted(self, nodes: list[JsonPathNode]) -> None:
        quote, start = self.template[self.at - 1], self.at
        self._read_to(quote, "unclosed quote")
        while self.template[self.at - 2] == "\\":
            self._read_to(quote, "unclosed quote")
        content = self.template[start : self.at - 1]
        if not re.fullmatch(rf"(?:{_ESCAPES}|\\{quote}|[^\\{quote}])*", content):
            raise JsonPathError(f"invalid escape in {quote}{content}{quote}")
        nodes.append(JsonPathNode("text", content))


def _parse_slice(subscript: str) -> JsonPathNode:
    """Parse an index or a slice, `first:last:step`."""
    match = re.fullmatch(_SLICE, subscript)
    numbers = [part.removeprefix(":") for part in match.groups("")] if match else [""]
    valid = all(not number or (number != "-" and abs(int(number)) <= _MAX_INT) for number in numbers)
    if match is None or not valid:
        raise JsonPathError(f'"[{subscript}]" is not an index, a slice or a name in single quotes')
    return JsonPathNode("array", subscript)
