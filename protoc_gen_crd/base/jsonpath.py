"""JSONPath as servers read it in printer columns: what is one, and the nodes of it. Nothing is looked up here.

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
    """A text is no JSONPath; the message says what it should hold and does not."""


class Node(Record):
    """One node: its kind, the text of a field, word, number or operator, and the nodes of parts.

    Kinds are field, wildcard, array, recursive, union, filter, text, word, number. A union has the nodes of each part,
    a filter those on the left and on the right of its operator, which is `exists` where it has none.
    """

    kind: str
    value: str = ""
    parts: tuple[tuple[Node, ...], ...] = ()


@cache
def read(path: str) -> tuple[Node, ...]:
    """The nodes of a path. Raises JsonPathError."""
    return _Reader(f"{{{path}}}").actions()[0]


class _Reader:
    """A position in a text whose actions stand in braces."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def actions(self) -> list[tuple[Node, ...]]:
        """The nodes of each action; text between them counts for nothing."""
        found = []
        while (start := self.text.find("{", self.at)) >= 0:
            self.at = start + 1
            found.append(self._action())
        return found

    def _action(self) -> tuple[Node, ...]:
        nodes: list[Node] = []
        while not self.text.startswith("}", self.at):
            self._node(nodes)
        self.at += 1
        return tuple(nodes)

    def _node(self, nodes: list[Node]) -> None:
        """Read what stands here, mostly one node."""
        if self.text.startswith("[?(", self.at):
            nodes.append(self._filter())
        elif self.text.startswith("..", self.at):
            self._recursive(nodes)
        else:
            first = self.text[self.at : self.at + 1]
            if not first or first in "\r\n":
                raise JsonPathError("one line with all its brackets closed")
            self.at += 1
            starts = {"[": self._array, ".": self._field, '"': self._quoted, "'": self._quoted}
            starts.get(first, self._other)(nodes)

    def _other(self, nodes: list[Node]) -> None:
        """A number or a word; a blank and the current object are there anyway."""
        first = self.text[self.at - 1]
        if first in " @$":
            return
        self.at -= 1
        if first in "+-" or first.isdecimal():
            nodes.append(self._number())
        elif first == "_" or first.isalpha():
            nodes.append(Node("word", self._until_terminator()))
        else:
            raise JsonPathError(f'fields, brackets and words, found "{first}"')

    def _until_terminator(self, *, escaped: bool = False) -> str:
        start = self.at
        while self.at < len(self.text) and self.text[self.at] not in _TERMINATORS:
            self.at += 2 if escaped and self.text[self.at] == "\\" else 1
        self.at = min(self.at, len(self.text))
        return self.text[start : self.at]

    def _field(self, nodes: list[Node]) -> None:
        name = self._until_terminator(escaped=True)
        nodes.append(Node("wildcard") if name == "*" else Node("field", name.replace("\\", "")))

    def _recursive(self, nodes: list[Node]) -> None:
        if nodes and nodes[-1].kind == "recursive":
            raise JsonPathError('two dots once in a row, found ".." again')
        self.at += 2
        nodes.append(Node("recursive"))
        following = self.text[self.at : self.at + 1]
        if following and (following == "_" or following.isalpha() or following.isdecimal()):
            self._field(nodes)

    def _number(self) -> Node:
        start = self.at
        self.at += self.text[start] in "+-"
        while self.text[self.at : self.at + 1] == "." or self.text[self.at : self.at + 1].isdecimal():
            self.at += 1
        value = self.text[start : self.at]
        if not re.fullmatch(_NUMBER, value) or abs(float(value)) == float("inf"):
            raise JsonPathError(f'numbers, found "{value}"')
        return Node("number", value)

    def _array(self, nodes: list[Node]) -> None:
        text = self._to("]", "brackets that are closed")
        parts = text.split(",")
        if len(parts) > 1:
            nodes.append(Node("union", "", tuple([read(f"[{part.strip(' ')}]") for part in parts])))
        elif key := re.fullmatch(r"'([^']*)'", text):
            nodes += read(f".{key[1]}")
        else:
            nodes.append(_slice(":" if text == "*" else text))

    def _to(self, end: str, needs: str) -> str:
        """The text up to a character on the line, and past that."""
        found = re.compile(rf"[^\n{re.escape(end)}]*").match(self.text, self.at)
        text = found[0] if found else ""
        if not self.text.startswith(end, self.at + len(text)):
            raise JsonPathError(needs)
        self.at += len(text) + 1
        return text

    def _filter(self) -> Node:
        self.at += 3
        start = self.at
        self._past_filter()
        text = self.text[start : self.at - 2]
        compared = re.fullmatch(_COMPARED, text)
        if compared is None:
            return Node("filter", "exists", (read(text), ()))
        return Node("filter", compared[2], (read(compared[1]), read(compared[3])))

    def _past_filter(self) -> None:
        """Go past the parenthesis that ends a filter and its bracket; one in the first quotes does not."""
        quote, closed = "", False
        while not self.text.startswith(")", self.at) or bool(quote) != closed:
            here = self.text[self.at : self.at + 1]
            if not here or here == "\n":
                raise JsonPathError("filters that are closed")
            if not quote and here in "\"'":
                quote = here
            elif here == quote and self.text[self.at - 1] != "\\":
                closed = True
            self.at += 1
        if not self.text.startswith(")]", self.at):
            raise JsonPathError('a "]" behind the parenthesis of a filter')
        self.at += 2

    def _quoted(self, nodes: list[Node]) -> None:
        quote, start = self.text[self.at - 1], self.at
        self._to(quote, "quotes that are closed")
        while self.text[self.at - 2] == "\\":
            self._to(quote, "quotes that are closed")
        text = self.text[start : self.at - 1]
        if not re.fullmatch(rf"(?:{_ESCAPES}|\\{quote}|[^\\{quote}])*", text):
            raise JsonPathError(f"escapes of Go in quotes, found {quote}{text}{quote}")
        nodes.append(Node("text", text))


def _slice(text: str) -> Node:
    """An index or a slice, `first:last:step`."""
    found = re.fullmatch(_SLICE, text)
    numbers = [part.removeprefix(":") for part in found.groups("")] if found else [""]
    good = all(not number or (number != "-" and abs(int(number)) <= _MAX_INT) for number in numbers)
    if found is None or not good:
        raise JsonPathError(f'an index, a slice or a name in single quotes between brackets, found "{text}"')
    return Node("array", text)
