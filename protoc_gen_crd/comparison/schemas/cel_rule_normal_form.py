"""The normal form of CEL rules: equal for rules that differ only in blanks, comments, quotes and parentheses."""

from __future__ import annotations

from protoc_gen_crd.cel import environment
from protoc_gen_crd.cel.parser.issues import Rejection
from protoc_gen_crd.cel.parser.parser import parse
from protoc_gen_crd.cel.parser.unparser import unparse
from protoc_gen_crd.kubernetes.supported_versions import NEWEST


def normalize_rule(expression: str) -> str:
    """Return the normal form of an expression; an expression that cannot be parsed stays as it is."""
    tree = parse(expression, environment.get_new_environment(NEWEST).dialect)
    return expression if isinstance(tree, Rejection) else unparse(tree)
