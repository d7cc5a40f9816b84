"""Macros as data, and the factory that creates nodes for their expanders.

A macro is identified by its name, by whether it is called on a target, and by its number of arguments, as in cel-go
(`parser/macro.go`); new nodes have the offset of the call. The macros themselves are defined elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from protoc_gen_crd.base.record import Record

from .ast import (
    Call,
    Comprehension,
    Constant,
    Expr,
    Ident,
    ListExpr,
    Literal,
    MapEntry,
    MapExpr,
    Select,
    StructField,
    Unspecified,
    ensure_recursion_depth,
)
from .issues import Issue

Expander = Callable[["ExprFactory", Sequence[Expr]], Expr | Issue | None]


class Macro(Record):
    """One macro. `expand` receives the operands, for a method with the target first.

    It returns the expansion, an Issue, or None if the call is not a use of this macro.
    `arity` None accepts any number of arguments. `examples` pair an expression with its printed expansion.
    With `kept`, the call is printed as it was written. With `vague`, older servers report an invalid argument at the
    parenthesis.
    """

    name: str
    method: bool
    arity: int | None
    expand: Expander
    doc: str = ""
    examples: tuple[tuple[str, str], ...] = ()
    kept: bool = True
    vague: bool = False


Macros = Mapping[str, Sequence[Macro]]
NO_NAMES: Mapping[str, Expr] = {}
NODE_LIMIT = 100_000  # cel-go has no limit, but its input is limited to as many code points
_RUN_LIMIT = 100_000  # nodes that macros copy in a run; those of Istio's networking API copy 36


class TooLargeError(Exception):
    """An expansion has too many nodes."""

    def __init__(self, limit: str = f"{NODE_LIMIT} nodes") -> None:
        super().__init__(f"macro expansion size exceeds limit: {limit}")


class Budget:
    """The number of nodes that macros may still copy, shared by all expressions of a run."""

    __slots__ = ("left",)

    def __init__(self) -> None:
        self.left = _RUN_LIMIT

    def spend(self) -> None:
        """Account for a node. Raises TooLargeError if none is left."""
        if not self.left:
            raise TooLargeError(f"{_RUN_LIMIT} copied nodes in all expressions of a run")
        self.left -= 1


def build_table(*macros: Macro) -> Macros:
    """Return macros by name; macros with a fixed number of arguments come before variadic ones."""
    table: dict[str, list[Macro]] = {}
    for macro in sorted(macros, key=lambda macro: macro.arity is None):
        table.setdefault(macro.name, []).append(macro)
    return table


class ExprFactory:
    """Creates nodes with fresh ids at the offset `at`, and expands macro calls.

    With `hidden`, the accumulator of comprehensions has a name that no expression can contain. `repeated` is the number
    of ids that copies would have used if nodes that occur twice were copied.
    """

    __slots__ = ("at", "budget", "calls", "hidden", "issues", "macros", "next_id", "placed", "repeated", "shared")

    def __init__(self, macros: Macros, *, shared: bool = False, placed: bool = True, hidden: bool = True) -> None:
        self.at = 0
        self.budget = Budget()
        self.calls: dict[int, Call] = {}
        self.issues: list[Issue] = []
        self.macros, self.shared, self.placed, self.hidden = macros, shared, placed, hidden
        self.next_id = 1
        self.repeated = 0

    def new_id(self) -> int:
        """Return an unused id."""
        ident = self.next_id
        self.next_id = ident + 1
        return ident

    def report_error(self, message: str, at: int) -> Expr:
        """Report an issue and return the node that replaces the invalid one."""
        self.issues.append(Issue(message, at))
        return Unspecified(self.new_id(), at)

    def new_literal(self, value: Constant) -> Literal:
        """Create a constant."""
        return Literal(self.new_id(), self.at, value)

    def new_ident(self, name: str) -> Ident:
        """Create an identifier."""
        return Ident(self.new_id(), self.at, name)

    def new_select(self, operand: Expr, field: str) -> Select:
        """Create `operand.field`."""
        return Select(self.new_id(), self.at, operand, field)

    def new_presence_test(self, operand: Expr, field: str) -> Select:
        """Create `has(operand.field)`."""
        return Select(self.new_id(), self.at, operand, field, test_only=True)

    def new_call(self, function: str, *args: Expr) -> Call:
        """Create a call of a function or operator."""
        return Call(self.new_id(), self.at, function, args)

    def new_member_call(self, function: str, target: Expr, *args: Expr) -> Call:
        """Create a call of a method."""
        return Call(self.new_id(), self.at, function, args, target)

    def new_list(self, *elements: Expr) -> ListExpr:
        """Create a list literal."""
        return ListExpr(self.new_id(), self.at, elements)

    def new_map(self) -> MapExpr:
        """Create an empty map literal."""
        return MapExpr(self.new_id(), self.at, ())

    def new_comprehension(
        self, items: Expr, names: tuple[str, str, str], start: Expr, condition: Expr, step: Expr, result: Expr
    ) -> Comprehension:
        """Create a comprehension; `names` are its first and second ("" for none) variable and its accumulator."""
        first, second, accumulator = names
        return Comprehension(self.new_id(), self.at, items, first, second, accumulator, start, condition, step, result)

    def _strip_expansion(self, node: Expr) -> Expr:
        """Return a node for a kept call: expanded macros in it become references, as deep as cel-go looks."""
        if node.id in self.calls:
            return Unspecified(node.id, node.at)
        if isinstance(node, ListExpr):
            return node.replace(elements=tuple([self._strip_expansion(item) for item in node.elements]))
        return self._strip_call(node) if isinstance(node, Call) else node

    def _strip_call(self, node: Call) -> Call:
        args = tuple([self._strip_expansion(arg) for arg in node.args])
        return node.replace(args=args, target=node.target and self._strip_expansion(node.target))

    def copy(self, node: Expr, names: Mapping[str, Expr] = NO_NAMES) -> Expr:
        """Copy a node with new ids, and replace identifiers by the nodes that `names` maps them to.

        Raises TooLargeError if copies of copies exceed the limit.
        """
        if self.next_id > NODE_LIMIT:
            raise TooLargeError
        self.budget.spend()
        if isinstance(node, Ident) and node.name in names:
            return self.copy(names[node.name])
        ident = self.new_id()
        if node.id in self.calls:
            call = self.calls[node.id]
            self.calls[ident] = call.replace(**self._copy_fields(call, names)) if names else call
        return node.replace(id=ident, **self._copy_fields(node, names))

    def repeat(self, node: Expr) -> Expr:
        """Return the node for a second place in the tree: itself with `shared`, otherwise a copy.

        Raises TooLargeError in both cases alike, since the checker visits a node once per place.
        """
        if not self.shared:
            return self.copy(node)
        counter = ExprFactory({})
        counter.next_id = self.next_id + self.repeated
        counter.copy(node)
        self.repeated = counter.next_id - self.next_id
        return node

    def _copy_fields(self, node: Record, names: Mapping[str, Expr]) -> dict[str, object]:
        """Return copies of all nodes in the fields of a node."""
        changes: dict[str, object] = {}
        for field in type(node)._fields:
            value = getattr(node, field)
            if isinstance(value, Expr):
                changes[field] = self.copy(value, names)
            elif isinstance(value, tuple):
                changes[field] = tuple([self._copy_item(item, names) for item in value])
        return changes

    def _copy_item(self, item: Expr | MapEntry | StructField | int, names: Mapping[str, Expr]) -> object:
        if isinstance(item, Expr):
            return self.copy(item, names)
        if isinstance(item, MapEntry | StructField):
            return item.replace(id=self.new_id(), at=self.at, **self._copy_fields(item, names))
        return item

    def expand_macro(self, function: str, operands: Sequence[Expr], *, method: bool) -> Expr | None:
        """Return the expansion of a call, or None if it is not a macro. A misuse is reported."""
        for macro in self.macros.get(function, ()):
            if macro.method == method and macro.arity in (None, len(operands) - method):
                ensure_recursion_depth(self.next_id)
                expansion = macro.expand(self, operands)
                if isinstance(expansion, Issue):
                    return self.report_error(
                        expansion.message, self.at if macro.vague and not self.placed else expansion.at
                    )
                if expansion is not None and macro.kept:
                    target, args = (operands[0], operands[1:]) if method else (None, operands)
                    self.calls[expansion.id] = self._strip_call(Call(0, self.at, function, tuple(args), target))
                return expansion
        return None
