"""Regular expressions give the same results in all supported versions of Python."""

from __future__ import annotations

import ast
import re

import pytest

from tests.support.package import trees, walk

# A group with a possessive quantifier whose last alternative is not `(?!)`; "()*+" is part of a character class.
UNSAFE = re.compile(r"(?<!\|\(\?!\))(?<!\()\)(?:[*+?]|\{[0-9,]+\})\+")


def find_unsafe(tree: ast.AST) -> list[int]:
    """Return the lines of strings with groups that Python before 3.11.5 matches too far.

    If the last attempt to match a possessive group fails, these versions do not reset the position. The alternative
    `(?!)`, which never matches, resets it. Source: https://github.com/python/cpython/issues/106052
    """
    nodes = (node for node in walk(tree) if isinstance(node, ast.Constant))
    patterns = ((node.lineno, node.value) for node in nodes if isinstance(node.value, str | bytes))
    texts = ((line, text.decode("latin-1") if isinstance(text, bytes) else text) for line, text in patterns)
    return sorted(line for line, text in texts if UNSAFE.search(text))


def test_possessive_groups_end_with_an_alternative_that_resets_the_position() -> None:
    unsafe = [f"{name}:{line}" for name, tree in trees().items() for line in find_unsafe(tree)]
    assert unsafe == []


@pytest.mark.parametrize("pattern", ["(?:a|bc)*+", "(?:a|bc)++", "(?:a|bc)?+", "(?:a|bc){2,3}+", "(?:a|(?!)|bc)*+"])
def test_an_unsafe_group_is_found(pattern: str) -> None:
    assert find_unsafe(ast.parse(f"x = 1\ny = {pattern!r}\nz = {pattern.encode()!r}")) == [2, 3]


@pytest.mark.parametrize("pattern", ["(?:a|bc|(?!))*+", "[ab]*+", "[()*+?]", "(?:a|bc)*", "(?:a++|bc)+"])
def test_a_safe_pattern_is_not_found(pattern: str) -> None:
    assert find_unsafe(ast.parse(f"x = {pattern!r}")) == []
