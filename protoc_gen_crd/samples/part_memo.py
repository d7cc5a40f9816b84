"""Validation that skips the valid parts of a value, which would be validated again at each level around them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from protoc_gen_crd.admission.objects.correlation import CorrelatedObject
from protoc_gen_crd.admission.objects.rule_evaluation import NodeCorrelation, RuleEvaluator
from protoc_gen_crd.admission.objects.rule_programs import NodeRules, RulePrograms
from protoc_gen_crd.admission.objects.schema_errors import SchemaError
from protoc_gen_crd.admission.objects.value_validator import KindChecks, NodeValidator, ValueValidator
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.kubernetes.api_server_limits import OBJECT_COST
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.schema.schema import Schema

_Owner = TypeVar("_Owner")
_Result = TypeVar("_Result")
_CONTAINERS = (dict, list)  # other parts are validated as fast as they are found


class PartMemo(Generic[_Owner, _Result]):
    """Results for lists and objects, by their identity and that of the owner, such as their schema.

    Shortcut valid-parts: a result depends on the owner and on the content of the part, which are kept alive and are not
    modified, so their ids identify them.
    """

    def __init__(self) -> None:
        self._entries: dict[tuple[int, int], tuple[_Owner, Any, _Result]] = {}

    def find(self, owner: _Owner, part: Any) -> _Result | None:
        """Return the result for a part, None if there is none."""
        entry = self._entries.get((id(owner), id(part)))
        return None if entry is None else entry[2]

    def add(self, owner: _Owner, part: Any, result: _Result) -> None:
        """Add the result for a part."""
        if type(part) in _CONTAINERS:
            self._entries[id(owner), id(part)] = owner, part, result


class PartValueValidator(ValueValidator):
    """A validator that skips valid parts; the result of a part is the number of successful validations."""

    def __init__(self, switches: Switches) -> None:
        super().__init__(switches)
        self.valid_parts: PartMemo[NodeValidator, int] = PartMemo()

    def _make_node_validator(self, schema: Schema) -> NodeValidator:
        return _PartNodeValidator(schema, self._make_check_factory(schema), self.valid_parts)


class _PartNodeValidator(NodeValidator):
    __slots__ = ("_valid_parts",)

    def __init__(
        self, schema: Schema, make: Callable[[type], KindChecks], valid_parts: PartMemo[NodeValidator, int]
    ) -> None:
        super().__init__(schema, make)
        self._valid_parts = valid_parts

    def check(self, value: Any, name: str, faults: list[SchemaError], old: CorrelatedObject | None = None) -> int:
        count = self._valid_parts.find(self, value)
        return super().check(value, name, faults, old) if count is None else count


class RuleEffort(Record):
    """The cost of the rules of a value, and their number."""

    cost: int
    count: int


class PartRuleEvaluator(RuleEvaluator):
    """An evaluator that skips valid parts, and charges their cost. If it exceeds the budget, their rules are run."""

    def __init__(self, programs: RulePrograms, valid_parts: PartMemo[NodeRules, RuleEffort]) -> None:
        super().__init__(programs)
        self._valid_parts = valid_parts

    def _visit(
        self, node_rules: NodeRules, value: Any, old: Any, path: str | None, correlation: NodeCorrelation
    ) -> None:
        effort = self._valid_parts.find(node_rules, value)
        if effort is None or effort.cost >= self.remaining_budget:
            super()._visit(node_rules, value, old, path, correlation)
        else:
            self.charge(effort.cost)
            self.evaluated_rules += effort.count

    @property
    def effort(self) -> RuleEffort:
        """The cost and the number of all rules so far."""
        return RuleEffort(OBJECT_COST - max(self.remaining_budget, 0), self.evaluated_rules)
