"""Substitution of `self` in the tokens of CEL expressions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from protoc_gen_crd.cel.parser.lexer import RESERVED, TokenStream
from protoc_gen_crd.conversion.plan.cel_variables import find_variables
from protoc_gen_crd.conversion.plan.expression_variables import INDEX_VARIABLES, ITEM_VARIABLE, KEY_VARIABLE

_CONTEXT_VARIABLES = ("root", KEY_VARIABLE, *INDEX_VARIABLES, ITEM_VARIABLE)


def substitute_self(expression: str, inner: str) -> str:
    """Substitute the result of an expression for `self`; empty if that is impossible."""
    if "self" in (expression, inner):
        return inner if expression == "self" else expression
    if "null" in TokenStream(inner).kinds or "optional" in inner or has_context_variables(expression):
        return ""  # a missing value has no result, and other variables differ in the other version
    tokens, substituted, position = TokenStream(expression), "", 0
    for index, start in enumerate(tokens.starts):
        if tokens.texts[index] == "self" and tokens.kinds[index] == "ident" and not _is_selected(tokens, index):
            whole = _is_delimited(tokens, index) or not _has_operator(inner)
            substituted += expression[position:start] + (inner if whole else f"({inner})")
            position = start + len("self")
    return substituted + expression[position:]


def _is_delimited(tokens: TokenStream, index: int) -> bool:
    """Return True if a token is the only one between brackets or commas."""
    around = tokens.kinds[index - 1 : index] + tokens.kinds[index + 1 : index + 2]
    return len(around) == len("()") and around[0] in ("(", ",", "[") and around[1] in (")", ",", "]")


def _has_operator(expression: str) -> bool:
    """Return True if an expression has an operator outside brackets."""
    depth = 0
    for kind in TokenStream(expression).kinds:
        depth += (kind in _OPENING_BRACKETS) - (kind in _CLOSING_BRACKETS)
        if not depth and kind not in _OPERAND_TOKENS and kind not in _CLOSING_BRACKETS:
            return True
    return False


_OPENING_BRACKETS, _CLOSING_BRACKETS = ("(", "[", "{"), (")", "]", "}")
_OPERAND_TOKENS = ("ident", "escaped", ".", "string", "bytes", "int", "uint", "float", "true", "false", "end")


def _is_selected(tokens: TokenStream, index: int) -> bool:
    return tokens.kinds[index - 1 : index] == ["."]


def has_context_variables(expression: str) -> bool:
    """Return True if an expression uses variables other than `self`."""
    tokens = TokenStream(expression)
    own = {
        tokens.texts[at]
        for at in find_variables(tokens, _CONTEXT_VARIABLES)
        if tokens.kinds[at - 1 : at + 2 : 2] == ["(", ","]
    }
    return any(tokens.texts[at] not in own for at in find_variables(tokens, _CONTEXT_VARIABLES))


def rename_self_fields(expression: str, renamed: Callable[[tuple[str, ...]], Sequence[str]]) -> str:
    """Rename fields selected from `self`; empty if that is impossible."""
    tokens, renamed_expression, position = TokenStream(expression), "", 0
    if has_context_variables(expression):
        return ""
    for index, start in enumerate(tokens.starts):
        if tokens.texts[index] == "self" and tokens.kinds[index] == "ident" and not _is_selected(tokens, index):
            names = tuple(_iterate_selected_fields(tokens, index))
            new = renamed(names) if names else ()
            if not new:
                return ""
            renamed_expression += expression[position:start] + ".".join(("self", *new))
            last = index + 2 * len(names)
            position = tokens.starts[last] + len(tokens.texts[last])
    return renamed_expression + expression[position:]


def _iterate_selected_fields(tokens: TokenStream, index: int) -> Iterator[str]:
    """Yield the chain of fields selected from a token, without called functions."""
    while tokens.kinds[index + 1 : index + 3] == [".", "ident"] and tokens.kinds[index + 3] != "(":
        yield tokens.texts[index + 2]
        index += 2


def is_escaped(name: str) -> bool:
    """Return True if the name of a field is escaped in expressions."""
    tokens = TokenStream(name)
    return tokens.kinds != ["ident", "end"] or name in RESERVED or "__" in name
