"""Sizes as estimated by servers of Kubernetes 1.25 to 1.32: each is looked up when it is needed.

Source: cel-go v0.12 to v0.22 `checker/cost.go`.
"""

from __future__ import annotations

from protoc_gen_crd.cel.checker.checker import CheckedAst
from protoc_gen_crd.cel.checker.types import LIST, MAP
from protoc_gen_crd.cel.parser.ast import Call, Comprehension, Expr, Literal, StructExpr
from protoc_gen_crd.cel.parser.standard_macros import OLD_ACCUMULATOR
from protoc_gen_crd.cel.version_differences import COMPREHENSION_SIZES, LITERAL_CHARACTERS, MESSAGE_COST
from protoc_gen_crd.kubernetes.shared_results import Switches

from .estimator_base import SCALARS, CostEstimator, Operand, compute_literal_size
from .intervals import ONE, UNKNOWN, ZERO, Interval, add, multiply
from .size_paths import ITEMS, KEYS, SchemaPath, SizedDeclaration, append_step, find_size, make_variable_path


class LegacyCostEstimator(CostEstimator):
    """The estimator of older servers. Loop variables are resolved to their ranges; all others count as the rule's."""

    def __init__(self, checked: CheckedAst, versions: Switches, declared: SizedDeclaration | None) -> None:
        super().__init__(checked, versions, declared)
        self._ranges: dict[str, list[Expr]] = {}

    def set_variable_path(self, node: Expr, name: str) -> None:
        """Record the path of an identifier."""
        over = self._ranges.get(name)
        if not over:
            self.paths[node.id] = make_variable_path(name)
            return
        kind = self.types[over[-1].id].kind
        if kind in (LIST, MAP):
            self.paths[node.id] = append_step(self.get_path(over[-1]), ITEMS if kind == LIST else KEYS)

    def get_path(self, node: Expr) -> SchemaPath | None:
        """Return the path of a node that refers to a part of the schema, else None."""
        return self.paths.get(node.id)

    def get_operand(self, node: Expr) -> Operand:
        """Return a node that was estimated as an operand."""
        path = self.paths.get(node.id)
        if path is not None and path.cells[0] == OLD_ACCUMULATOR:
            path = None
        derived = self.sizes.get(node.id) or compute_literal_size(
            node, in_bytes=_is_converted_bytes(node) and LITERAL_CHARACTERS not in self.versions
        )
        if isinstance(node, StructExpr) and MESSAGE_COST not in self.versions:
            derived = ZERO
        return Operand(node, path, derived)

    def compute_size(self, operand: Operand) -> Interval:
        """Return the size of an operand."""
        size = operand.derived or find_size(self.declared, operand.path)
        if size is not None:
            return size
        return ONE if self.types[operand.node.id] in SCALARS else UNKNOWN

    def cost_loop(self, node: Comprehension) -> tuple[Interval, Interval]:
        """Return the costs of the loop and of the result."""
        scope = self._ranges.setdefault(node.iter_var, [])
        scope.append(node.iter_range)
        condition = self.estimate(node.condition)
        step = self.estimate(node.step)
        scope.pop()
        result = self.estimate(node.result)
        count = self.compute_size(self.get_operand(node.iter_range))
        if COMPREHENSION_SIZES in self.versions:
            self.sizes[node.id] = count
        return multiply(count, add(step, condition)), result

    def cost_transparent_call(self, node: Call) -> Interval | None:  # noqa: ARG002
        """Return None: `dyn(x)` is estimated as any call."""
        return None

    def compute_result_size(self, node: Call, overload: str, size: Interval | None) -> Interval | None:  # noqa: ARG002
        """Return the size unchanged."""
        return size


def _is_converted_bytes(node: Expr) -> bool:
    """Check whether a node is a string literal with more bytes than characters."""
    return isinstance(node, Literal) and isinstance(node.value, str) and not node.value.isascii()
