"""Sizes as servers of Kubernetes 1.25 to 1.32 estimate them: each is looked up when it is asked for.

Source: cel-go v0.12 to v0.22 `checker/cost.go`.
"""

from __future__ import annotations

from protoc_gen_crd.cel.ast import Call, Comprehension, Expr, Literal, StructExpr
from protoc_gen_crd.cel.check import Checked
from protoc_gen_crd.cel.comprehensions import OLD_ACCUMULATOR
from protoc_gen_crd.cel.era import Era
from protoc_gen_crd.cel.types import LIST, MAP

from .intervals import NOTHING, ONE, UNKNOWN, Interval, plus, times
from .paths import ITEMS, KEYS, Path, Sized, extended, size_at, variable
from .walk import SCALARS, Operand, Walk, literal_size

_IN_CHARACTERS = 28  # servers before this measure literals in bytes (cel-go 0.12)
_MESSAGES = 31  # servers before this take messages for empty maps (cel-go 0.17)
_MADE = 30  # servers from this on know the size of what a comprehension makes (cel-go 0.17.8)


class Older(Walk):
    """Variables of comprehensions are known by what they run over; all others count as variables of the rule."""

    def __init__(self, checked: Checked, era: Era, declared: Sized | None) -> None:
        super().__init__(checked, era, declared)
        self._ranges: dict[str, list[Expr]] = {}

    def variable(self, node: Expr, name: str) -> None:
        """Note the path of a name."""
        over = self._ranges.get(name)
        if not over:
            self.paths[node.id] = variable(name)
            return
        kind = self.types[over[-1].id].kind
        if kind in (LIST, MAP):
            self.paths[node.id] = extended(self.path(over[-1]), ITEMS if kind == LIST else KEYS)

    def path(self, node: Expr) -> Path | None:
        """The path of a node, if it is part of the schema."""
        return self.paths.get(node.id)

    def operand(self, node: Expr) -> Operand:
        """A node that has been estimated."""
        path = self.paths.get(node.id)
        if path is not None and path.cells[0] == OLD_ACCUMULATOR:
            path = None
        derived = self.sizes.get(node.id) or literal_size(
            node, in_bytes=_is_wide(node) and not self.era.since(_IN_CHARACTERS)
        )
        if isinstance(node, StructExpr) and not self.era.since(_MESSAGES):
            derived = NOTHING
        return Operand(node, path, derived)

    def size(self, operand: Operand) -> Interval:
        """How large an operand can be."""
        found = operand.derived or size_at(self.declared, operand.path)
        if found is not None:
            return found
        return ONE if self.types[operand.node.id] in SCALARS else UNKNOWN

    def loop(self, node: Comprehension) -> tuple[Interval, Interval]:
        """The costs of the loop and of the result."""
        scope = self._ranges.setdefault(node.iter_var, [])
        scope.append(node.iter_range)
        condition = self.cost(node.condition)
        step = self.cost(node.step)
        scope.pop()
        result = self.cost(node.result)
        count = self.size(self.operand(node.iter_range))
        if self.era.since(_MADE):
            self.sizes[node.id] = count
        return times(count, plus(step, condition)), result

    def unwrapped(self, node: Call) -> Interval | None:  # noqa: ARG002
        """No call is seen through."""
        return None

    def called(self, node: Call, overload: str, size: Interval | None) -> Interval | None:  # noqa: ARG002
        """Nothing follows."""
        return size


def _is_wide(node: Expr) -> bool:
    """Whether a node is a text of more bytes than characters."""
    return isinstance(node, Literal) and isinstance(node.value, str) and not node.value.isascii()
