"""The walk of rules over an object: their order and budgets, what they see of the old object, and what they say.

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
    FieldError,
    format_error,
)
from protoc_gen_crd.admission.objects.correlation import CorrelatedObject, KeyedItems
from protoc_gen_crd.admission.objects.rule_programs import NodeRules, RulePrograms, RunnableRule
from protoc_gen_crd.admission.objects.structural_nodes import StructuralNode
from protoc_gen_crd.admission.switches import LEAKING_PATHS, VALUES_SHOWN
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.interpreter.program import BUDGET_EXCEEDED, EvalResult, Program
from protoc_gen_crd.cel.values.values import NONE, Optional
from protoc_gen_crd.golang.fmt import quote
from protoc_gen_crd.kubernetes.limits import OBJECT_COST

_MAX_MESSAGE_LENGTH = 5120  # bytes
_NO_FURTHER_RULES = "no further validation rules will be run"
_OUT_OF_BUDGET = f"failed due to running out of cost budget, {_NO_FURTHER_RULES}"
_COST_EXCEEDED = f"{_NO_FURTHER_RULES} due to call cost exceeds limit for"


class _StopEvaluation(Exception):  # noqa: N818 - no error of ours
    """No further rule is run."""


class NodeCorrelation(Record):
    """What is known of the old object at a node: its own correlation and that of the nearest node above with one."""

    current: CorrelatedObject | None = None
    nearest: CorrelatedObject | None = None

    def get_member(self, key: str) -> NodeCorrelation:
        """The same for a member."""
        if self.current is None:
            return self
        if self.nearest is None and key in ("apiVersion", "kind"):
            return NO_CORRELATION
        return NodeCorrelation(self.current.get_member(key), self.current)

    def get_item(self, index: int) -> NodeCorrelation:
        """The same for an item."""
        return self if self.current is None else NodeCorrelation(self.current.get_item(index), self.current)

    @property
    def unchanged(self) -> bool:
        """Whether the node, or where nothing tells what it was, the nearest above, is what it was."""
        found = self.current or self.nearest
        return found is not None and found.unchanged


NO_CORRELATION = NodeCorrelation()


class RuleEvaluator:
    """One walk over one object. Less than nothing left of the budget means that it ended early."""

    def __init__(self, programs: RulePrograms, budget: int = OBJECT_COST) -> None:
        self.programs, self.switches, self.remaining_budget = programs, programs.switches, budget
        self.errors: list[FieldError] = []
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
        """Run all rules of a schema on a value; a whole object has no path."""
        ruled = self.programs.get_node_rules(node, root=root)
        if ruled is None:
            return
        try:
            self._visit(ruled, value, old, path, NO_CORRELATION if correlated is None else NodeCorrelation(correlated))
        except _StopEvaluation:
            self.remaining_budget = -1

    def _visit(
        self, node_rules: NodeRules, value: Any, old: Any, path: str | None, correlation: NodeCorrelation
    ) -> None:
        if value is None:
            return
        if node_rules.rules:
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
        was = old if type(old) is dict and node_rules.node.correlatable else {}
        if node_rules.additional is not None:
            for key, member in value.items():
                self._visit(
                    node_rules.additional, member, was.get(key), f"{path or ''}[{key}]", correlation.get_member(key)
                )
        for key, child in node_rules.properties.items():
            if value.get(key) is not None:
                self._visit(
                    child, value[key], was.get(key), f"{path}.{key}" if path else key, correlation.get_member(key)
                )

    def charge(self, cost: int) -> bool:
        """Take a cost out of the budget; False where it is not in there."""
        if cost > self.remaining_budget:
            return False
        self.remaining_budget -= cost
        return True


class _NodeEvaluator:
    """The rules of one node on one value."""

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
        """Run them in order."""
        if self.evaluator.remaining_budget <= 0:
            self._report_error(f"validation {_OUT_OF_BUDGET}")
            raise _StopEvaluation
        values = {"self": self.ruled.read(self.value)}
        optional = values
        if self.ruled.uses_old:
            optional = {**values, "oldSelf": NONE}
            if self.old is not None:
                values["oldSelf"] = was = self.ruled.read(self.old)
                optional["oldSelf"] = Optional(was)
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
            words = "call arguments did not match a supported operator, function or macro signature for rule"
            self._report_error(f"'{error}': {words}: {rule.display_name}", rule)
        elif error.startswith(BUDGET_EXCEEDED):
            self._report_error(f"'{error}': {_COST_EXCEEDED} rule: {rule.display_name}", rule)
            raise _StopEvaluation
        else:
            self._report_error(f"{error} evaluating rule: {rule.display_name}", rule)

    def _report_error(self, detail: str, rule: RunnableRule | None = None) -> None:
        origin = rule.origin if rule else None
        self.evaluator.errors.append(FieldError(INVALID, self._format_path(), detail, self.kind, origin))

    def _format_path(self) -> str:
        return "<nil>" if self.path is None else self.path

    def _report_rejection(self, rule: RunnableRule, values: dict[str, Any]) -> None:
        """The rule says no."""
        base = self.path
        if rule.field_path:
            self.path = rule.field_path if base is None else f"{base}.{rule.field_path}"
        where = self._format_path()
        if LEAKING_PATHS not in self.evaluator.switches:
            self.path = base
        detail = rule.detail
        if rule.message_program is not None:
            outcome = rule.message_program.evaluate(values)
            fatal = self._check_message_cost(rule, outcome)
            if fatal:
                self._add_error(FieldError(INVALID, where, fatal, self.kind, rule.origin), rule)
                raise _StopEvaluation
            detail = _extract_message(outcome) or detail
        self._add_error(self._make_error(rule, where, detail), rule)

    def _check_message_cost(self, rule: RunnableRule, outcome: EvalResult) -> str:
        if not self.evaluator.charge(outcome.cost):
            return f"messageExpression evaluation {_OUT_OF_BUDGET}"
        if outcome.error is not None and outcome.error.startswith(BUDGET_EXCEEDED):
            return f"{_COST_EXCEEDED} messageExpression: {quote(rule.message_expression)}"
        return ""

    def _add_error(self, error: FieldError, rule: RunnableRule) -> None:
        if not rule.uses_old and self.before.unchanged:
            self.evaluator.warnings.append(format_error(error, self.evaluator.switches))
        else:
            self.evaluator.errors.append(error)

    def _make_error(self, rule: RunnableRule, where: str, detail: str) -> FieldError:
        shown: object = self.kind
        if VALUES_SHOWN in self.evaluator.switches:
            shown = ABSENT if self.kind in ("object", "array") else self.value
        if rule.reason in (FORBIDDEN, REQUIRED):
            return FieldError(rule.reason, where, detail, origin=rule.origin)
        if rule.reason == DUPLICATE:
            return FieldError(DUPLICATE, where, "", shown, rule.origin)
        return FieldError(INVALID, where, detail, shown, rule.origin)


def _extract_message(outcome: EvalResult) -> str:
    """The text that a messageExpression gave, empty where it is not to be used."""
    if outcome.error is not None or not isinstance(outcome.value, str):
        return ""
    text = outcome.value.strip()
    return "" if len(text.encode()) > _MAX_MESSAGE_LENGTH or "\n" in text else text
