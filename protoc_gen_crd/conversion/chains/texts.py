"""Expressions of CEL as texts: what they are given said in another way. Knows tokens, no values."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from protoc_gen_crd.cel.lexer import RESERVED, Tokens
from protoc_gen_crd.conversion.plan.bound import KEY, NUMBERS, THING
from protoc_gen_crd.conversion.plan.texts import occurring

_AROUND = ("root", KEY, *NUMBERS, THING)


def within(text: str, inner: str) -> str:
    """An expression that is given what another one makes; empty where that cannot be said in one."""
    if "self" in (text, inner):
        return inner if text == "self" else text
    if "null" in Tokens(inner).kinds or "optional" in inner or names_root(text):
        return ""  # what is no value is given to no expression; the object is another one there
    tokens, made, at = Tokens(text), "", 0
    for index, start in enumerate(tokens.starts):
        if tokens.texts[index] == "self" and tokens.kinds[index] == "ident" and not _selected(tokens, index):
            whole = _whole(tokens, index) or not _operates(inner)
            made += text[at:start] + (inner if whole else f"({inner})")
            at = start + len("self")
    return made + text[at:]


def _whole(tokens: Tokens, index: int) -> bool:
    """Whether a token is an argument, or stands in brackets, alone."""
    around = tokens.kinds[index - 1 : index] + tokens.kinds[index + 1 : index + 2]
    return len(around) == len("()") and around[0] in ("(", ",", "[") and around[1] in (")", ",", "]")


def _operates(text: str) -> bool:
    """Whether an expression has an operator outside of brackets."""
    depth = 0
    for kind in Tokens(text).kinds:
        depth += (kind in _OPENING) - (kind in _CLOSING)
        if not depth and kind not in _JOINING and kind not in _CLOSING:
            return True
    return False


_OPENING, _CLOSING = ("(", "[", "{"), (")", "]", "}")
_JOINING = ("ident", "escaped", ".", "string", "bytes", "int", "uint", "float", "true", "false", "end")


def _selected(tokens: Tokens, index: int) -> bool:
    return tokens.kinds[index - 1 : index] == ["."]


def names_root(text: str) -> bool:
    """Whether an expression may look at the whole object, or at where its value stands."""
    tokens = Tokens(text)
    own = {tokens.texts[at] for at in occurring(tokens, _AROUND) if tokens.kinds[at - 1 : at + 2 : 2] == ["(", ","]}
    return any(tokens.texts[at] not in own for at in occurring(tokens, _AROUND))


def looking(text: str, renamed: Callable[[tuple[str, ...]], Sequence[str]]) -> str:
    """An expression of an object whose fields have other names; empty where one has none, or more is looked at."""
    tokens, made, at = Tokens(text), "", 0
    if names_root(text):
        return ""
    for index, start in enumerate(tokens.starts):
        if tokens.texts[index] == "self" and tokens.kinds[index] == "ident" and not _selected(tokens, index):
            names = tuple(_names(tokens, index))
            new = renamed(names) if names else ()
            if not new:
                return ""
            made += text[at:start] + ".".join(("self", *new))
            last = index + 2 * len(names)
            at = tokens.starts[last] + len(tokens.texts[last])
    return made + text[at:]


def _names(tokens: Tokens, index: int) -> Iterator[str]:
    """The fields that are selected of a token, one of the other, but for what is called."""
    while tokens.kinds[index + 1 : index + 3] == [".", "ident"] and tokens.kinds[index + 3] != "(":
        yield tokens.texts[index + 2]
        index += 2


def is_escaped(name: str) -> bool:
    """Whether expressions spell the name of a field in another way."""
    tokens = Tokens(name)
    return tokens.kinds != ["ident", "end"] or name in RESERVED or "__" in name
