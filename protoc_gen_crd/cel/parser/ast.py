"""The tree of a CEL expression, which all parts of the `cel` package share.

Nodes have an id, unique in their tree, and the offset of the token that created them (code points from 0, as cel-go
places them: a selection at its dot, a call at its parenthesis, an operation at its operator). Nodes are immutable: a
change creates a new node. This module depends on no syntax, no types, and no Kubernetes version.

The shape is that of cel-go v0.29 (`common/ast`), function names included (`_&&_`, `_[?_]`), because error messages
and costs of Kubernetes refer to them.
"""

from __future__ import annotations

import sys

from protoc_gen_crd.base.record import Record

NO_PLACE = -2  # the offset of an issue that concerns the whole expression
_FEW_NODES, _FRAMES = 150, 500_000


def ensure_recursion_depth(nodes: int) -> None:
    """Raise Python's recursion limit so that recursive walks over a tree of this many nodes succeed, even a chain.

    The limit is raised permanently, unless the nodes are few. A walk has up to four frames per node. They need no C
    stack as long as Python functions call each other directly, not through `map`, `sorted`, or generators.
    """
    if nodes > _FEW_NODES and sys.getrecursionlimit() < _FRAMES:
        sys.setrecursionlimit(_FRAMES)


class Uint(int):
    """The value of an unsigned literal such as `1u`."""

    __slots__ = ()


Constant = bool | int | Uint | float | str | bytes | None


class Expr(Record):
    """Any node. `at` is its offset in the source."""

    id: int
    at: int


class Unspecified(Expr):
    """A placeholder for a node that could not be created because an issue was reported."""


class Literal(Expr):
    """A constant; the Python type of the value determines its CEL type (None is null)."""

    value: Constant


class Ident(Expr):
    """An identifier, including a leading dot."""

    name: str


class Select(Expr):
    """`operand.field`, or with `test_only` the presence test `has(operand.field)`."""

    operand: Expr
    field: str
    test_only: bool = False


class Call(Expr):
    """A function, method (`target` is set) or operator applied to its arguments."""

    function: str
    args: tuple[Expr, ...]
    target: Expr | None = None


class ListExpr(Expr):
    """`[a, ?b]`; `optionals` are the indexes of elements written with a question mark."""

    elements: tuple[Expr, ...]
    optionals: tuple[int, ...] = ()


class MapEntry(Record):
    """One `key: value` of a map literal, placed at its colon."""

    id: int
    at: int
    key: Expr
    value: Expr
    optional: bool = False


class MapExpr(Expr):
    """`{key: value, ?key: value}`."""

    entries: tuple[MapEntry, ...]


class StructField(Record):
    """One `name: value` of a message literal, placed at its colon."""

    id: int
    at: int
    name: str
    value: Expr
    optional: bool = False


class StructExpr(Expr):
    """`a.b.Name{field: value}`."""

    name: str
    fields: tuple[StructField, ...]


class Comprehension(Expr):
    """A comprehension, to which the macros over lists and maps expand.

    `accu_var` starts as `accu_init`; for each item of `iter_range`, as long as `condition` holds, it is set to `step`;
    the value is `result`. With `iter_var2`, the two variables are index and item, or key and value.
    """

    iter_range: Expr
    iter_var: str
    iter_var2: str
    accu_var: str
    accu_init: Expr
    condition: Expr
    step: Expr
    result: Expr


class Ast(Record):
    """A parsed expression. `calls` maps the id of an expansion's root to the original macro call."""

    source: str
    root: Expr
    calls: dict[int, Call]


class Operator(Record):
    """The syntax of an operator. The lower the precedence number, the tighter it binds (cel-go's numbers)."""

    symbol: str
    function: str
    precedence: int
    arity: int = 2


OPERATORS = (
    Operator("", "_?_:_", 8, 3),
    Operator("||", "_||_", 7),
    Operator("&&", "_&&_", 6),
    Operator("==", "_==_", 5),
    Operator("!=", "_!=_", 5),
    Operator("<", "_<_", 5),
    Operator("<=", "_<=_", 5),
    Operator(">", "_>_", 5),
    Operator(">=", "_>=_", 5),
    Operator("in", "@in", 5),
    Operator("+", "_+_", 4),
    Operator("-", "_-_", 4),
    Operator("*", "_*_", 3),
    Operator("/", "_/_", 3),
    Operator("%", "_%_", 3),
    Operator("!", "!_", 2, 1),
    Operator("-", "-_", 2, 1),
    Operator("", "_[_]", 1),
    Operator("", "_[?_]", 1),
    Operator("", "_?._", 1),
)
