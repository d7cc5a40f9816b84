"""The syntax trees of the package's modules, parsed once in a test process."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import protoc_gen_crd

PACKAGE = Path(protoc_gen_crd.__file__).parent


@cache
def trees() -> dict[str, ast.Module]:
    """Return the tree of every module by its dotted name below the package."""
    paths = sorted(PACKAGE.rglob("*.py"))
    return {
        ".".join(path.relative_to(PACKAGE).with_suffix("").parts): ast.parse(path.read_text("utf-8")) for path in paths
    }


@cache
def walk(tree: ast.AST) -> tuple[ast.AST, ...]:
    """Return all nodes of a tree, in the order of `ast.walk`; the checks of a test process share them."""
    return tuple(ast.walk(tree))
