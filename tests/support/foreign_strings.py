"""Strings that could break out of generated files, and the structure of files without their strings."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import yaml

from tests.support.markdown import parsed

BREAKS = ("\n", "\r", "\r\n", "\x0b", "\x0c", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029")
CODE = ("x = 1", "'x': 1, #", "x: {y: 1}", "- x", "# x", "---", "```", "RUN x", "</a>")
INVISIBLE = ("\0", "\t", "\x1b", "\x7f", "\ud800", "\udfff", "\u202e", "\u2066", "\u200f", "\ufeff", "\U000e0001")
QUOTES = (
    '"', "'", "\\", '"""', "'''", '\\"""', '"}, x=~"', "`", "``` x", "|", "<b>", "[x](https://y)", "![x](y)", "*x*",
    "{at}", "{root}", "{expression}", "{0}", "%s", "${x}", "$(x)", "{{ x }}", ": ", " #", "[*?", "\\n", "\\U00",
)  # fmt: skip
LONG = ("x" * 2**12, "x y " * 2**11, "\n" * 2**10)
MEGABYTES = ("x" * 2**20, "x\n'\"y " * 2**15)
# Each string at the start, in the middle and at the end, and each line break before code.
HOSTILE = (
    *(f"{mark}b{mark}c{mark}" for mark in (*BREAKS, *INVISIBLE, *QUOTES)),
    *("a" + "".join(f"{mark}{code}" for code in CODE) for mark in BREAKS),
    *(f"a{mark}{CODE[1]}" for mark in BREAKS),
    *LONG,
)
HARMLESS = "plain"


def python_tree(text: str) -> Any:
    """Return the nodes of a module, with the types of constants as their values, and one name for all identifiers."""
    return _shape(ast.parse(text))


def _shape(value: Any) -> Any:
    if isinstance(value, ast.Constant):
        return ast.Constant, type(value.value), value.kind
    if isinstance(value, ast.AST):
        return type(value), tuple([_shape(getattr(value, field, None)) for field in value._fields])
    if isinstance(value, list):
        return tuple([_shape(item) for item in value])
    return str if isinstance(value, str) else value


def yaml_tree(text: str) -> Any:
    """Return the nodes of all documents; entries of a mapping are sorted, since their order depends on their keys."""
    return [_node(document) for document in yaml.compose_all(text, yaml.CSafeLoader)]


def _node(node: yaml.Node) -> Any:
    if isinstance(node, yaml.MappingNode):
        return sorted(json.dumps([_node(key), _node(value)]) for key, value in node.value)
    if isinstance(node, yaml.SequenceNode):
        return [_node(item) for item in node.value]
    return node.tag


def markdown_tree(text: str) -> list[tuple[str, str, int]]:
    """Return the tokens of a page except those of plain text."""
    tokens = [token for token in parsed(text)[0] if token.type not in ("text", "text_special", "inline")]
    return [(token.type, token.tag, token.level) for token in tokens]


# https://prometheus.io/docs/prometheus/latest/querying/basics/#string-literals: the escapes of Go.
_PROMQL = re.compile(
    r"""(?P<string>"(?:[^"\\\n]|\\(?:[abfnrtv\\"]|x[0-9a-fA-F]{2}|[0-7]{3}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}))*")"""
    r"|(?P<other>[a-zA-Z_:][\w:]*|[0-9.]+[smhd]?|[=!]~|[=!<>]=|[-+*/%^(){}\[\],=<>])|(?P<blank>\s+)"
)


def promql_tokens(text: str) -> list[str]:
    """Return the tokens of an expression, all strings replaced by one. Raises ValueError for an invalid expression."""
    tokens: list[str] = []
    at = 0
    while at < len(text):
        token = _PROMQL.match(text, at)
        if token is None:
            raise ValueError(text[at:])
        tokens += ["string"] if token["string"] else [token["other"]] if token["other"] else []
        at = token.end()
    return tokens


def dockerfile_tree(text: str) -> list[tuple[str, int]]:
    """Return the instructions with the number of their arguments, including those of the JSON form."""
    return [(line.split(" ", 1)[0], len(list(_arguments(line.split(" ", 1)[1])))) for line in _instructions(text)]


def _instructions(text: str) -> list[str]:
    return [line for line in re.split(r"\r\n|\r|\n", text) if line and not line.startswith("#")]


def _arguments(text: str) -> Iterator[str]:
    yield from json.loads(text) if text.startswith("[") else text.split()


def counted(text: str) -> Counter[str]:
    """Return the characters of a string that no generated file may contain unescaped."""
    return Counter(re.findall("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]", text))
