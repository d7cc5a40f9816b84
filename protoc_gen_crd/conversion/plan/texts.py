"""Expressions of CEL as texts: where variables stand, and what is selected of these. Knows tokens, no values."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping

from protoc_gen_crd.cel.lexer import Tokens


def renamed(text: str, names: Mapping[str, str]) -> str:
    """An expression with other names for what it is given."""
    tokens, made, at = Tokens(text), "", 0
    for index in occurring(tokens, names):
        start = tokens.starts[index]
        made += text[at:start] + names[tokens.texts[index]]
        at = start + len(tokens.texts[index])
    return made + text[at:]


def looks_at(text: str, name: str) -> bool:
    """Whether a variable stands in an expression."""
    return any(True for _ in occurring(Tokens(text), (name,)))


def occurring(tokens: Tokens, names: Container[str]) -> Iterator[int]:
    """Where variables stand among tokens."""
    for index, kind in enumerate(tokens.kinds):
        before = tokens.kinds[max(index - 2, 0) : index]
        if kind == "ident" and tokens.texts[index] in names and before[-1:] != ["."] and before != [".", "?"]:
            yield index


def selected(tokens: Tokens, index: int) -> list[str]:
    """The fields that are selected of a variable, one of the other; not the one of which it is asked if it is there."""
    asked = tokens.texts[max(index - 2, 0) : index] == ["has", "("]
    names = []
    while tokens.kinds[index + 1 : index + 3] == [".", "ident"] and tokens.kinds[index + 3] != "(":
        names.append(tokens.texts[index + 2])
        index += 2
    return names[:-1] if asked else names
