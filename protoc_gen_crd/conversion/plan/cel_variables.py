"""Variables and field selections in the tokens of CEL expressions."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping

from protoc_gen_crd.cel.parser.lexer import TokenStream


def rename_variables(expression: str, names: Mapping[str, str]) -> str:
    """Rename variables of an expression."""
    tokens, renamed, position = TokenStream(expression), "", 0
    for index in find_variables(tokens, names):
        start = tokens.starts[index]
        renamed += expression[position:start] + names[tokens.texts[index]]
        position = start + len(tokens.texts[index])
    return renamed + expression[position:]


def has_variable(expression: str, name: str) -> bool:
    """Return True if an expression uses a variable."""
    return any(True for _ in find_variables(TokenStream(expression), (name,)))


def find_variables(tokens: TokenStream, names: Container[str]) -> Iterator[int]:
    """Yield the indexes of variables among tokens."""
    for index, kind in enumerate(tokens.kinds):
        before = tokens.kinds[max(index - 2, 0) : index]
        if kind == "ident" and tokens.texts[index] in names and before[-1:] != ["."] and before != [".", "?"]:
            yield index


def find_selected_fields(tokens: TokenStream, index: int) -> list[str]:
    """Return the chain of fields selected from a variable, without the field that `has()` tests."""
    is_presence_test = tokens.texts[max(index - 2, 0) : index] == ["has", "("]
    names = []
    while tokens.kinds[index + 1 : index + 3] == [".", "ident"] and tokens.kinds[index + 3] != "(":
        names.append(tokens.texts[index + 2])
        index += 2
    return names[:-1] if is_presence_test else names
