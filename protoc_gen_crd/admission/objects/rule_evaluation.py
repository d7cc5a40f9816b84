"""Evaluation of the rules of an object: their order, cost budget, access to the old object, and errors.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/schema/cel validation.go.
"""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.admission.field_errors import (
    ABSENT,
    DUPLICATE,
    FORBIDDEN,
    INVALID,
    REQUIRED,
    Cause,
    format_error,
)
from protoc_gen_crd.admission.objects.correlation import CorrelatedObject, KeyedItems
from protoc_gen_crd.admission.objects.rule_programs import NodeRules, RulePrograms, RunnableRule
from protoc_gen_crd.admission.objects.structural_nodes import StructuralNode
from protoc_gen_crd.admission.version_differences import LEAKING_PATHS, VALUES_SHOWN
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.interpreter.program import BUDGET_EXCEEDED, EvalResult, Program
from protoc_gen_crd.cel.values.runtime_values import NONE, Optional
from protoc_gen_crd.golang.fmt import quote
from protoc_gen_crd.kubernetes.api_server_limits import CALL_COST, MAX_MESSAGE_LENGTH, OBJECT_COST

_NO_FURTHER_RULES = "no further validation rules will be run"
_OUT_OF_BUDGET = f"failed due to running out of cost budget, {_NO_FURTHER_RULES}"
_COST_EXCEEDED = f"{_NO_FURTHER_RULES} due to call cost exceeds limit for"


class _StopEvaluation(Exception):  # noqa: N818 - not an error
    """The end of the evaluation: no further rule is run."""


class NodeCorrelation(Record):
    """The correlation of a node with the old object, and that of the nearest ancestor that has one."""

    current: CorrelatedObject | None = None
    nearest: CorrelatedObject | None = None

    def get_member(self, key: str) -> NodeCorrelation:
        """Return the correlation of a property."""
        if self.current is None:
            return self
        if self.nearest is None and key in ("apiVersion", "kind"):
            return NO_CORRELATION
        return NodeCorrelation(self.current.get_member(key), self.current)

    def get_item(self, index: int) -> NodeCorrelation:
        """Return the correlation of a list item."""
        return self if self.current is None else NodeCorrelation(self.current.get_item(index), self.current)

    @property
    def unchanged(self) -> bool:
        """True if the node is unchanged or, if it has no correlation, its nearest ancestor with one is."""
        correlated = self.current or self.nearest
        return correlated is not None and correlated.unchanged


NO_CORRELATION = NodeCorrelation()


class RuleEvaluator:
    """The evaluation of the rules of one object. A negative remaining budget means that it ended early."""

    def __init__(self, programs: RulePrograms, budget: int = OBJECT_COST) -> None:
        self.programs, self.switches, self.remaining_budget = programs, programs.switches, budget
        self.evaluated_rules = 0  # a measure of time beside the cost, which is zero for some errors
        self.errors: list[Cause] = []
        self.warnings: list[str] = []

    def run(
        self,
        node: StructuralNode,
        value: Any,
        old: Any,
        path: str | None,
        correlated: CorrelatedObject | None,
        *,
        root: bool,
    ) -> None:
        """Run all rules of a schema on a value.

        Args:
            node: The structural schema of the value.
            value: The value, with defaults.
            old: The old value of the same path, if there is one.
            path: The path in error messages, None for a whole object.
            correlated: The correlation with the old object, None if nothing is correlated.
            root: Whether the node is the schema of a whole resource.
        """
        node_rules = self.programs.get_node_rules(node, root=root)
        if node_rules is None:
            return
        try:
            self._visit(
                node_rules, value, old, path, NO_CORRELATION if correlated is None else NodeCorrelation(correlated)
            )
        except _StopEvaluation:
            self.remaining_budget = -1
        self.switches.settle_costs(OBJECT_COST - self.remaining_budget, CALL_COST)  # below both limits

    def _visit(
        self, node_rules: NodeRules, value: Any, old: Any, path: str | None, correlation: NodeCorrelation
    ) -> None:
        if value is None:
            return
        if node_rules.rules or node_rules.error:
            _NodeEvaluator(self, node_rules, value, old, path, correlation).run()
        if type(value) is dict:
            self._visit_members(node_rules, value, old, path, correlation)
        elif type(value) is list and node_rules.items is not None:
            items = KeyedItems(node_rules.node, old if type(old) is list else [])
            for index, item in enumerate(value):
                self._visit(
                    node_rules.items,
                    item,
                    items.find_matching(item),
                    f"{path or ''}[{index}]",
                    correlation.get_item(index),
                )

    def _visit_members(
        self, node_rules: NodeRules, value: dict[str, Any], old: Any, path: str | None, correlation: NodeCorrelation
    ) -> None:
        old_members = old if type(old) is dict and node_rules.node.correlatable else {}
        if node_rules.additional is not None:
            for key, member in value.items():
                self._visit(
                    node_rules.additional,
                    member,
                    old_members.get(key),
                    f"{path or ''}[{key}]",
                    correlation.get_member(key),
                )
        for key, child in node_rules.properties.items():
            if value.get(key) is not None:
                self._visit(
                    child,
                    value[key],
                    old_members.get(key),
                    f"{path}.{key}" if path else key,
                    correlation.get_member(key),
                )

    def charge(self, cost: int) -> bool:
        """Subtract a cost from the budget; return False if the budget is too small."""
        if cost > self.remaining_budget:
            return False
        self.remaining_budget -= cost
        return True


class _NodeEvaluator:
    """The evaluation of the rules of one node on one value."""

    def __init__(
        self,
        evaluator: RuleEvaluator,
        node_rules: NodeRules,
        value: Any,
        old: Any,
        path: str | None,
        correlation: NodeCorrelation,
    ) -> None:
        self.evaluator, self.ruled, self.value, self.old, self.before = evaluator, node_rules, value, old, correlation
        self.path = path
        self.kind = node_rules.node.schema.type

    def run(self) -> None:
        """Run the rules in order."""
        if self.ruled.error:
            self._report_error(self.ruled.error)
            return
        if self.evaluator.remaining_budget <= 0:
            self._report_error(f"validation {_OUT_OF_BUDGET}")
            raise _StopEvaluation
        self.evaluator.evaluated_rules += len(self.ruled.rules)
        values = {"self": self.ruled.read(self.value)}
        optional = values
        if self.ruled.uses_old:
            optional = {**values, "oldSelf": NONE}
            if self.old is not None:
                values["oldSelf"] = old_value = self.ruled.read(self.old)
                optional["oldSelf"] = Optional(old_value)
        for rule in self.ruled.rules:
            if rule.program is None:
                self._report_error(f"rule compile error: {rule.error}", rule)
            elif self.old is not None or not rule.uses_old or rule.optional_old_self:
                self._run_rule(rule, rule.program, optional if rule.optional_old_self else values, values)

    def _run_rule(self, rule: RunnableRule, program: Program, values: dict[str, Any], plain: dict[str, Any]) -> None:
        outcome = program.evaluate(values)
        if not self.evaluator.charge(outcome.cost):
            self._report_error(f"validation {_OUT_OF_BUDGET}", rule)
            raise _StopEvaluation
        if outcome.error is not None:
            self._report_evaluation_error(rule, outcome.error)
        elif outcome.value is not True:
            self._report_rejection(rule, plain)

    def _report_evaluation_error(self, rule: RunnableRule, error: str) -> None:
        if error.startswith("no such overload"):
            reason = "call arguments did not match a supported operator, function or macro signature for rule"
            self._report_error(f"'{error}': {reason}: {rule.display_name}", rule)
        elif error.startswith(BUDGET_EXCEEDED):
            self._report_error(f"'{error}': {_COST_EXCEEDED} rule: {rule.display_name}", rule)
            raise _StopEvaluation
        else:
            self._report_error(f"{error} evaluating rule: {rule.display_name}", rule)

    def _report_error(self, detail: str, rule: RunnableRule | None = None) -> None:
        origin = rule.origin if rule else None
        self.evaluator.errors.append(Cause(INVALID, self._format_path(), detail, self.kind, origin))

    def _format_path(self) -> str:
        return "<nil>" if self.path is None else self.path

    def _report_rejection(self, rule: RunnableRule, values: dict[str, Any]) -> None:
        """Report that a rule evaluated to false."""
        base = self.path
        if rule.field_path:
            self.path = rule.field_path if base is None else f"{base}.{rule.field_path}"
        path = self._format_path()
        if rule.field_path and LEAKING_PATHS not in self.evaluator.switches:
            self.path = base
        detail = rule.detail
        if rule.message_program is not None:
            outcome = rule.message_program.evaluate(values)
            fatal = self._check_message_cost(rule, outcome)
            if fatal:
                self._add_error(Cause(INVALID, path, fatal, self.kind, rule.origin), rule)
                raise _StopEvaluation
            detail = _extract_message(outcome) or detail
        self._add_error(self._make_error(rule, path, detail), rule)

    def _check_message_cost(self, rule: RunnableRule, outcome: EvalResult) -> str:
        if not self.evaluator.charge(outcome.cost):
            return f"messageExpression evaluation {_OUT_OF_BUDGET}"
        if outcome.error is not None and outcome.error.startswith(BUDGET_EXCEEDED):
            return f"{_COST_EXCEEDED} messageExpression: {quote(rule.message_expression)}"
        return ""

    def _add_error(self, error: Cause, rule: RunnableRule) -> None:
        if not rule.uses_old and self.before.unchanged:
            self.evaluator.warnings.append(format_error(error, self.evaluator.switches))
        else:
            self.evaluator.errors.append(error)

    def _make_error(self, rule: RunnableRule, path: str, detail: str) -> Cause:
        if rule.reason in (FORBIDDEN, REQUIRED):
            return Cause(rule.reason, path, detail, place=rule.origin)
        value: object = self.kind
        if VALUES_SHOWN in self.evaluator.switches:
            value = ABSENT if self.kind in ("object", "array") else self.value
        if rule.reason == DUPLICATE:
            return Cause(DUPLICATE, path, "", value, rule.origin)
        return Cause(INVALID, path, detail, value, rule.origin)


def _extract_message(outcome: EvalResult) -> str:
    """Return the message of a messageExpression, empty if the server ignores it."""
    if outcome.error is not None or not isinstance(outcome.value, str):
        return ""
    message = outcome.value.strip()
    return "" if len(message.encode()) > MAX_MESSAGE_LENGTH or "\n" in message else message
