"""The tree of a CEL expression: what every part of the `cel` package works on.

Nodes carry an id, unique in their tree, and the offset of the token that made them (code points from
0, as cel-go places them: a selection at its dot, a call at its parenthesis, an operation at its
operator). Trees are values: a change is a new node. Knows no syntax, no types, no Kubernetes.

The shape is that of cel-go v0.29 (`common/ast`), function names included (`_&&_`, `_[?_]`), since
messages and costs of Kubernetes speak of them.
"""

from __future__ import annotations

import sys

from protoc_gen_crd.base.record import Record

NO_PLACE = -2  # the offset of an issue that belongs to the text as a whole
_FEW_NODES, _FRAMES = 150, 500_000


def ensure_recursion_depth(nodes: int) -> None:
    """Let recursive walks over a tree of so many nodes end well, even if all of them lie on one path.

    Lifts the interpreter's recursion limit, for good, if the nodes are not few. A walk has up to four frames a node,
    which need no C stack as long as Python functions call each other, not through `map`, `sorted` or generators.
    """
    if nodes > _FEW_NODES and sys.getrecursionlimit() < _FRAMES:
        sys.setrecursionlimit(_FRAMES)


class Uint(int):
    """The value of an unsigned literal such as `1u`."""

    __slots__ = ()


Constant = bool | int | Uint | float | str | bytes | None


class Expr(Record):
    """Any node. `at` is its offset in the source text."""

    id: int
    at: int


class Unspecified(Expr):
    """Stands where an issue was reported instead of making a node."""


class Literal(Expr):
    """A constant; the Python type of the value is its CEL type (None is null)."""

    value: Constant


class Ident(Expr):
    """A name; a leading dot belongs to it."""

    name: str


class Select(Expr):
    """`operand.field`, or with `test_only` the question whether the field is there: `has(operand.field)`."""

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
    """A fold, which is what the macros over lists and maps stand for.

    `accu_var` starts as `accu_init`; for each item of `iter_range`, as long as `condition` holds, it becomes `step`;
    the value is `result`. With `iter_var2`, the two are index and item, or key and value.
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
    """A parsed text. `calls` holds, by the id of an expansion's root, the macro call that it came from."""

    text: str
    root: Expr
    calls: dict[int, Call]


class Operator(Record):
    """How an operator is written. The lower the precedence number, the tighter it binds (cel-go's numbers)."""

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
