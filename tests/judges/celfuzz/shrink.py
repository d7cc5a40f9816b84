"""Makes a request small that is answered otherwise: parts of its expression, less data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from protoc_gen_crd.cel import environment
from protoc_gen_crd.cel.checker.literal_validators import list_children
from protoc_gen_crd.cel.parser.ast import Ast, Expr
from protoc_gen_crd.cel.parser.issues import Rejection
from protoc_gen_crd.cel.parser.parser import parse
from protoc_gen_crd.cel.parser.unparser import unparse

Request = dict[str, Any]
Differs = Callable[[Request], bool]
_ATTEMPTS = 400


def shrunk(request: Request, minor: int, differs: Differs) -> Request:
    """The smallest request found that still differs."""
    left = _ATTEMPTS
    progress = True
    while progress and left:
        progress = False
        for smaller in _smaller(request, minor):
            left -= 1
            if differs(smaller):
                request, progress = smaller, True
                break
            if not left:
                break
    return request


def _smaller(request: Request, minor: int) -> Iterator[Request]:
    for text in sorted(set(_parts(request["expr"], minor)), key=len):
        yield {**request, "expr": text}
    for name in ("oldSelf", "self"):
        if isinstance(request.get(name), dict):
            for key in request[name]:
                yield {**request, name: {other: value for other, value in request[name].items() if other != key}}
    properties = request.get("schema", {}).get("properties", {})
    for key in properties:
        kept = {other: child for other, child in properties.items() if other != key}
        yield {**request, "schema": {**request["schema"], "properties": kept}}


def _parts(text: str, minor: int) -> Iterator[str]:
    """The texts of all parts of an expression."""
    tree = parse(text, environment.get_stored_environment(minor).dialect)
    if isinstance(tree, Rejection):
        return
    waiting: list[Expr] = [tree.root]
    while waiting:
        node = waiting.pop()
        expression = unparse(Ast(text, node, tree.calls))
        if len(expression) < len(text):
            yield expression
        waiting += list_children(tree.calls.get(node.id, node))
