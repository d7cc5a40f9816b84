"""Base64 values of bytes fields: constants of their rules, and the lengths that rules require."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator

from protoc_gen_crd.cel.parser.ast import Ast, Constant, Literal
from protoc_gen_crd.cel.parser.parser import parse
from protoc_gen_crd.regex import syntax_check
from protoc_gen_crd.samples.format_examples import FORMAT_EXAMPLES
from protoc_gen_crd.samples.logical_branches import NodeShape
from protoc_gen_crd.samples.rule_solver import walk_expression

_FILLER = b"example-"
_MAX_LENGTH = 4096


def generate_bytes(shape: NodeShape) -> Iterator[str]:
    """Generate strings in base64, the likeliest first."""
    yield from FORMAT_EXAMPLES["byte"]
    for value in dict.fromkeys(_find_literals(shape)):
        for data in _interpret_constant(value):
            yield b64encode(data).decode()


def _find_literals(shape: NodeShape) -> Iterator[Constant]:
    for rule in shape.schema.rules:
        tree = parse(rule.rule)
        yield from (
            (expr.value for expr in walk_expression(tree.root) if isinstance(expr, Literal))
            if isinstance(tree, Ast)
            else ()
        )


def _interpret_constant(value: Constant) -> Iterator[bytes]:
    """Yield bytes for a constant of a rule, which may be the value itself, its length, or a pattern."""
    if isinstance(value, bytes):
        yield value
    elif isinstance(value, str) and not syntax_check.check(value):
        from protoc_gen_crd.samples.pattern_strings import find_shortest_match  # noqa: PLC0415 - few bytes have a pattern

        match = find_shortest_match([value], 1) or find_shortest_match([value])
        yield from () if match is None else (match.encode(),)
    elif isinstance(value, int) and not isinstance(value, bool):
        yield from (_FILLER * (size // len(_FILLER)) + _FILLER[: size % len(_FILLER)]
                    for size in (value, value + 1, value - 1) if 0 <= size <= _MAX_LENGTH)  # fmt: skip
