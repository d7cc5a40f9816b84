"""CEL rules as formulas of logical operators, whose atoms are the other expressions.

A rule accepts an object only if its result is true: false and errors reject it. So a formula has three results, and the
cases in which it is true are found without those in which it is false: an atom that is not true may be an error.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.parser.ast import Ast, Call, Expr, Ident, ListExpr, Literal, Select
from protoc_gen_crd.comparison.schemas.cel_rule_normal_form import RuleFormatter, list_operands

Path = tuple[str, ...]  # a variable, and the fields that are selected from it
Constant = tuple[str, Any]  # the name of its type, and the value

TRUE, FALSE, ALL, NOT_ALL, IN, NOT_IN = "true", "false", "all", "not all", "in", "not in"
LESS, AT_MOST, GREATER, AT_LEAST = "<", "<=", ">", ">="
_OPPOSITES = ((TRUE, FALSE), (ALL, NOT_ALL), (IN, NOT_IN), (LESS, AT_LEAST), (AT_MOST, GREATER))
OPPOSITES = {name: other for pair in _OPPOSITES for name, other in (pair, pair[::-1])}
_ORDERED = {"_<_": LESS, "_<=_": AT_MOST, "_>_": GREATER, "_>=_": AT_LEAST}
_SWAPPED = {LESS: GREATER, AT_MOST: AT_LEAST, GREATER: LESS, AT_LEAST: AT_MOST}
_EQUALITY = {"_==_": IN, "_!=_": NOT_IN}
_BOOLEAN = frozenset(("!_", "_&&_", "_||_", "@in", *_ORDERED, *_EQUALITY))
_BOOLEAN_MACROS = frozenset(("has", "all", "exists"))
_EXACT = 2**53  # integers up to it are exact as doubles


class Fact(Record):
    """What is known about a subject: that an expression is true or false, or is related to constants.

    The value is a number as a `Constant`, a frozenset of constants for `IN` and `NOT_IN`, or the formula of each item
    for `ALL` and `NOT_ALL`. `path` is that of the value that is read, and of the list whose
    items have one variable.
    """

    subject: str
    relation: str
    value: Any = None
    path: Path = ()
    is_size: bool = False

    @property
    def is_presence(self) -> bool:
        """Return whether the fact is that a field is set, or that it is not."""
        return self.subject == format_presence(self.path)

    def negate(self) -> Fact:
        """Return the opposite fact. Neither is a fact if the expression is an error."""
        return self.replace(relation=OPPOSITES[self.relation])


class Formula(Record):
    """A node of a formula: a fact, or an operator (`and`, `or`, `not`, `if`) with operands, or a constant.

    The time of a cheap fact does not depend on the object.
    """

    operator: str
    operands: tuple[Formula, ...] = ()
    fact: Fact = Fact("", TRUE)
    is_cheap: bool = False


def format_presence(path: Path) -> str:
    """Return the subject of the fact that a field is set."""
    return f"has({'.'.join(path)})"


def make_presence(path: Path) -> Fact:
    """Return the fact that a field is set."""
    return Fact(format_presence(path), TRUE, path=path)


def is_exact(constant: Constant) -> bool:
    """Report whether a constant is a number that can be compared exactly."""
    name, value = constant
    return name in ("int", "float") and math.isfinite(value) and abs(value) <= _EXACT


def make_formula(tree: Ast) -> Formula:
    """Return the formula of a rule."""
    return _FormulaMaker(tree).make(tree.root)


class _FormulaMaker(RuleFormatter):
    """Makes formulas of nodes."""

    def make(self, node: Expr) -> Formula:
        if (call := self.calls.get(node.id)) is not None:
            return self._make_macro(call, node)
        if isinstance(node, Literal) and isinstance(node.value, bool):
            return Formula(TRUE if node.value else FALSE)
        if isinstance(node, Call) and (make := self._get_operator(node)):
            return make(node)
        return self._make_atom(node)

    def _get_operator(self, call: Call) -> Callable[[Call], Formula] | None:
        if call.function in _EQUALITY and all(map(self._is_boolean, call.args)):
            return self._make_equality_of_booleans
        return {
            "_&&_": self._make_chain, "_||_": self._make_chain, "!_": self._make_negation, "_?_:_": self._make_choice,
            **dict.fromkeys((*_ORDERED, *_EQUALITY, "@in"), self._make_comparison),
        }.get(call.function)  # fmt: skip

    def _is_boolean(self, node: Expr) -> bool:
        if (call := self.calls.get(node.id)) is not None:
            return call.function in _BOOLEAN_MACROS
        is_literal = isinstance(node, Literal) and isinstance(node.value, bool)
        return is_literal or (isinstance(node, Call) and node.function in _BOOLEAN)

    def _make_macro(self, call: Call, node: Expr) -> Formula:
        if call.function == "has" and (path := self._find_path(call.args[0])):
            return Formula("fact", fact=make_presence(path), is_cheap=True)
        if call.function != "all" or call.target is None:
            return self._make_atom(node)
        target, count = self.format(call.target), len(call.args) - 1
        path = self._find_path(call.target) if count == 1 else ()
        with self.declare_variables(call):
            body = self.make(call.args[-1])
        return Formula("fact", fact=Fact(f"all({target}, {count})", ALL, body, path))

    def _make_chain(self, call: Call) -> Formula:
        name, relation = ("and", NOT_IN) if call.function == "_&&_" else ("or", IN)
        parts: list[Formula] = []
        for part in (self.make(operand) for operand in list_operands(call)):
            last = parts[-1].fact if parts else part.fact
            if parts and last.relation == part.fact.relation == relation and last.subject == part.fact.subject:
                merged = last.replace(value=last.value | part.fact.value)
                parts[-1] = part.replace(fact=merged)
            else:
                parts.append(part)
        return Formula(name, tuple(parts))

    def _make_negation(self, call: Call) -> Formula:
        return Formula("not", (self.make(call.args[0]),))

    def _make_choice(self, call: Call) -> Formula:
        return Formula("if", tuple(self.make(part) for part in call.args))

    def _make_equality_of_booleans(self, call: Call) -> Formula:
        first, second = (self.make(part) for part in call.args)
        equal = Formula("if", (first, second, Formula("not", (second,))))
        return equal if call.function == "_==_" else Formula("not", (equal,))

    def _make_comparison(self, call: Call) -> Formula:
        """Make the fact of a comparison with constants.

        NaN is in no order, but only computed numbers can be NaN.
        """
        subject, other = call.args
        if isinstance(subject, Literal) and call.function != "@in":
            subject, other = other, subject
        constants = _find_constants(other, is_list=call.function == "@in")
        is_size, path = self._find_sized_path(subject)
        relation = _EQUALITY.get(call.function, IN)
        value: Any = constants
        if constants and call.function in _ORDERED:
            relation = _ORDERED[call.function] if subject is call.args[0] else _SWAPPED[_ORDERED[call.function]]
            value = _find_number(constants) if path else None
        if not value:
            return self._make_atom(call)
        fact = Fact(self.format(subject), relation, value, path, is_size)
        return Formula("fact", fact=_normalize_size(fact), is_cheap=bool(path))

    def _make_atom(self, node: Expr) -> Formula:
        path = self._find_path(node)
        return Formula("fact", fact=Fact(self.format(node), TRUE, path=path), is_cheap=bool(path))

    def _find_sized_path(self, node: Expr) -> tuple[bool, Path]:
        """Return whether a node is the size of a value, and the path of the value; () for other expressions."""
        if isinstance(node, Call) and node.function == "size" and node.id not in self.calls:
            return True, self._find_path(node.target or node.args[0])
        return False, self._find_path(node)

    def _find_path(self, node: Expr) -> Path:
        """Return the path of a value of the object; () for other expressions."""
        if node.id in self.calls:
            return ()
        if isinstance(node, Ident):
            return (self.format(node),)
        if isinstance(node, Select) and not node.test_only:
            around = self._find_path(node.operand)
            return (*around, node.field) if around else ()
        return ()


def _find_constants(node: Expr, *, is_list: bool) -> frozenset[Constant]:
    """Return a literal, or those of a list, with the names of their types; none for other expressions."""
    if is_list and not isinstance(node, ListExpr):
        return frozenset()
    nodes = node.elements if is_list and isinstance(node, ListExpr) else (node,)
    values = [part.value for part in nodes if isinstance(part, Literal) and type(part.value) in (str, int, float)]
    is_complete = len(values) == len(nodes) and not (isinstance(node, ListExpr) and node.optionals)
    return frozenset((type(value).__name__, value) for value in values) if is_complete else frozenset()


def _find_number(constants: frozenset[Constant]) -> Constant | None:
    """Return the only constant if it is a number that can be compared exactly."""
    constant, *others = constants
    return constant if not others and is_exact(constant) else None


def _normalize_size(fact: Fact) -> Fact:
    """Return a fact about a size, which is an integer, with inclusive bounds."""
    if fact.is_size and fact.relation in (LESS, GREATER) and fact.value[0] == "int":
        is_less = fact.relation == LESS
        bound = fact.value[1] + (-1 if is_less else 1)
        return fact.replace(relation=AT_MOST if is_less else AT_LEAST, value=("int", bound))
    return fact
