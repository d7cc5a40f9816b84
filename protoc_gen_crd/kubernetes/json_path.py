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
    """One node: its kind, the text of a field, word, number or operator, and the nodes of parts.

    Kinds are field, wildcard, array, recursive, union, filter, text, word, number. A union has the nodes of each part,
    a filter those on the left and on the right of its operator, which is `exists` where it has none.
    """

    kind: str
    value: str = ""
    parts: tuple[tuple[JsonPathNode, ...], ...] = ()


@cache
def read(path: str) -> tuple[JsonPathNode, ...]:
    """The nodes of a path. Raises JsonPathError."""
    return _JsonPathParser(f"{{{path}}}").parse_actions()[0]


class _JsonPathParser:
    """A position in a template whose actions are in braces."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def parse_actions(self) -> list[tuple[JsonPathNode, ...]]:
        """The nodes of each action; text between them counts for nothing."""
        found = []
        while (start := self.text.find("{", self.at)) >= 0:
            self.at = start + 1
            found.append(self._parse_action())
        return found

    def _parse_action(self) -> tuple[JsonPathNode, ...]:
        nodes: list[JsonPathNode] = []
        while not self.text.startswith("}", self.at):
            self._parse_node(nodes)
        self.at += 1
        return tuple(nodes)

    def _parse_node(self, nodes: list[JsonPathNode]) -> None:
        """Parse the node at the current position."""
        if self.text.startswith("[?(", self.at):
            nodes.append(self._parse_filter())
        elif self.text.startswith("..", self.at):
            self._parse_recursive(nodes)
        else:
            first = self.text[self.at : self.at + 1]
            if not first or first in "\r\n":
                raise JsonPathError("unclosed bracket or line break")
            self.at += 1
            starts = {"[": self._parse_array, ".": self._parse_field, '"': self._parse_quoted, "'": self._parse_quoted}
            starts.get(first, self._parse_literal)(nodes)

    def _parse_literal(self, nodes: list[JsonPathNode]) -> None:
        """A number or a word; a blank and the current object are there anyway."""
        first = self.text[self.at - 1]
        if first in " @$":
            return
        self.at -= 1
        if first in "+-" or first.isdecimal():
            nodes.append(self._parse_number())
        elif first == "_" or first.isalpha():
            nodes.append(JsonPathNode("word", self._read_until_terminator()))
        else:
            raise JsonPathError(f'unexpected "{first}"')

    def _read_until_terminator(self, *, escaped: bool = False) -> str:
        start = self.at
        while self.at < len(self.text) and self.text[self.at] not in _TERMINATORS:
            self.at += 2 if escaped and self.text[self.at] == "\\" else 1
        self.at = min(self.at, len(self.text))
        return self.text[start : self.at]

    def _parse_field(self, nodes: list[JsonPathNode]) -> None:
        name = self._read_until_terminator(escaped=True)
        nodes.append(JsonPathNode("wildcard") if name == "*" else JsonPathNode("field", name.replace("\\", "")))

    def _parse_recursive(self, nodes: list[JsonPathNode]) -> None:
        if nodes and nodes[-1].kind == "recursive":
            raise JsonPathError('".." after ".."')
        self.at += 2
        nodes.append(JsonPathNode("recursive"))
        following = self.text[self.at : self.at + 1]
        if following and (following == "_" or following.isalpha() or following.isdecimal()):
            self._parse_field(nodes)

    def _parse_number(self) -> JsonPathNode:
        start = self.at
        self.at += self.text[start] in "+-"
        while self.text[self.at : self.at + 1] == "." or self.text[self.at : self.at + 1].isdecimal():
            self.at += 1
        value = self.text[start : self.at]
        if not re.fullmatch(_NUMBER, value) or abs(float(value)) == float("inf"):
            raise JsonPathError(f'invalid number "{value}"')
        return JsonPathNode("number", value)

    def _parse_array(self, nodes: list[JsonPathNode]) -> None:
        text = self._read_to("]", "unclosed bracket")
        parts = text.split(",")
        if len(parts) > 1:
            nodes.append(JsonPathNode("union", "", tuple([read(f"[{part.strip(' ')}]") for part in parts])))
        elif key := re.fullmatch(r"'([^']*)'", text):
            nodes += read(f".{key[1]}")
        else:
            nodes.append(_parse_slice(":" if text == "*" else text))

    def _read_to(self, end: str, needs: str) -> str:
        """The text up to a character on the line, and past that."""
        found = re.compile(rf"[^\n{re.escape(end)}]*").match(self.text, self.at)
        text = found[0] if found else ""
        if not self.text.startswith(end, self.at + len(text)):
            raise JsonPathError(needs)
        self.at += len(text) + 1
        return text

    def _parse_filter(self) -> JsonPathNode:
        self.at += 3
        start = self.at
        self._skip_filter_end()
        text = self.text[start : self.at - 2]
        compared = re.fullmatch(_COMPARED, text)
        if compared is None:
            return JsonPathNode("filter", "exists", (read(text), ()))
        return JsonPathNode("filter", compared[2], (read(compared[1]), read(compared[3])))

    def _skip_filter_end(self) -> None:
        """Go past the parenthesis that ends a filter and its bracket; one in the first quotes does not."""
        quote, closed = "", False
        while not self.text.startswith(")", self.at) or bool(quote) != closed:
            here = self.text[self.at : self.at + 1]
            if not here or here == "\n":
                raise JsonPathError("unclosed filter")
            if not quote and here in "\"'":
                quote = here
            elif here == quote and self.text[self.at - 1] != "\\":
                closed = True
            self.at += 1
        if not self.text.startswith(")]", self.at):
            raise JsonPathError('missing "]" after a filter')
        self.at += 2

    def _parse_quoted(self, nodes: list[JsonPathNode]) -> None:
        quote, start = self.text[self.at - 1], self.at
        self._read_to(quote, "unclosed quote")
        while self.text[self.at - 2] == "\\":
            self._read_to(quote, "unclosed quote")
        text = self.text[start : self.at - 1]
        if not re.fullmatch(rf"(?:{_ESCAPES}|\\{quote}|[^\\{quote}])*", text):
            raise JsonPathError(f"invalid escape in {quote}{text}{quote}")
        nodes.append(JsonPathNode("text", text))


def _parse_slice(text: str) -> JsonPathNode:
    """An index or a slice, `first:last:step`."""
    found = re.fullmatch(_SLICE, text)
    numbers = [part.removeprefix(":") for part in found.groups("")] if found else [""]
    good = all(not number or (number != "-" and abs(int(number)) <= _MAX_INT) for number in numbers)
    if found is None or not good:
        raise JsonPathError(f'"[{text}]" is not an index, a slice or a name in single quotes')
    return JsonPathNode("array", text)
