"""Values of bytes in base64: what the rules of their node compare them with, and the lengths that those speak of."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator

from protoc_gen_crd.cel.ast import Ast, Constant, Literal
from protoc_gen_crd.cel.syntax import parse
from protoc_gen_crd.regex import syntax
from protoc_gen_crd.samples.patterns import matching
from protoc_gen_crd.samples.plans import walked
from protoc_gen_crd.samples.shapes import Shape
from protoc_gen_crd.samples.words import FORMATS

_TEXT = b"example-"
_LONGEST = 4096


def octets(shape: Shape) -> Iterator[str]:
    """Texts in base64, the likeliest first."""
    yield from FORMATS["byte"]
    for value in dict.fromkeys(_literals(shape)):
        for found in _like(value):
            yield b64encode(found).decode()


def _literals(shape: Shape) -> Iterator[Constant]:
    for rule in shape.schema.rules:
        tree = parse(rule.rule)
        yield from (
            (each.value for each in walked(tree.root) if isinstance(each, Literal)) if isinstance(tree, Ast) else ()
        )


def _like(value: Constant) -> Iterator[bytes]:
    """What a constant of a rule may stand for: the bytes, how many there are, or a pattern of a text."""
    if isinstance(value, bytes):
        yield value
    elif isinstance(value, str) and not syntax.check(value):
        text = matching([value], 1) or matching([value])
        yield from () if text is None else (text.encode(),)
    elif isinstance(value, int) and not isinstance(value, bool):
        yield from (_TEXT * (size // len(_TEXT)) + _TEXT[: size % len(_TEXT)]
                    for size in (value, value + 1, value - 1) if 0 <= size <= _LONGEST)  # fmt: skip
