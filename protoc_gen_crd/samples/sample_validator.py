"""Validation of the value of one schema node, with defaults and rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from protoc_gen_crd.admission.field_errors import INVALID, Cause
from protoc_gen_crd.admission.name_checks import validate_dns1123_subdomain
from protoc_gen_crd.admission.objects.defaulting import iterate_parts, set_missing_parts
from protoc_gen_crd.admission.objects.list_uniqueness import find_duplicates
from protoc_gen_crd.admission.objects.pruning import Pruner
from protoc_gen_crd.admission.objects.rule_programs import NodeRules, RulePrograms
from protoc_gen_crd.admission.objects.schema_errors import SchemaError
from protoc_gen_crd.admission.objects.structural_nodes import StructuralNode
from protoc_gen_crd.admission.objects.value_validator import make_causes
from protoc_gen_crd.admission.objects.version_handler import SharedSchemas
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.kubernetes.supported_versions import NEWEST
from protoc_gen_crd.regex.syntax_check import ResourceLimitError
from protoc_gen_crd.samples.part_memo import PartMemo, PartRuleEvaluator, PartValueValidator, RuleEffort
from protoc_gen_crd.schema.schema import Json, Schema, ValidationRule

DEFAULT_BUDGET = 400_000
_CALL_COST = 20  # cost of a call, in validated parts of values
_RULE_COST_PER_PART = 3  # CEL cost that takes as long as the validation of a part of a value
_COST_PER_RULE = 15  # cost of an evaluation of a rule, whatever its CEL cost, in validated parts of values


class SampleValidator:
    """A validator of node values as API servers of one version validate them. Compiled schemas are cached in `shared`.

    `remaining_budget` is the number of parts of values that may still be validated before callers should use the best
    value so far: a bound on time that does not depend on the machine.
    """

    def __init__(self, minor: int = NEWEST, shared: SharedSchemas | None = None) -> None:
        shared = shared or SharedSchemas(None)
        self.switches = Switches.from_minor(minor)
        self._structurals, self._values = shared.structural_nodes, PartValueValidator(self.switches)
        self._programs = RulePrograms(shared.expressions, self.switches)
        self._evaluated: PartMemo[NodeRules, RuleEffort] = PartMemo()
        self._defaulted: PartMemo[StructuralNode, Any] = PartMemo()
        self._counted: PartMemo[None, int] = PartMemo()
        self.remaining_budget = DEFAULT_BUDGET
        self._kept: dict[int, Schema] = {}  # keeps schemas alive, since caches use their identity

    def is_valid(self, schema: Schema, value: Json) -> bool:
        """Check whether a value is valid according to the keywords of a node, without its rules."""
        self._kept[id(schema)] = schema
        try:
            return not self._values.validate_value(schema, value, "")
        except ResourceLimitError:
            return False

    def find_errors(self, schema: Schema, value: Json, *, root: bool = False) -> list[Cause]:
        """Return the errors of a value; rules run only if there are no others. `root` marks a whole object."""
        self._kept[id(schema)] = schema
        node = self._structurals.get_node(schema, resource=root)
        defaulted = self.apply_defaults(schema, value, root=root)
        self.remaining_budget -= _CALL_COST + self.count_parts(defaulted)
        errors = self._find_value_errors(schema, defaulted, root=root)
        errors += find_duplicates(defaulted, node, None if root else "")
        errors += _validate_name(defaulted) if root else ()
        if not errors and node.rules:
            errors += self._find_rule_errors(node, defaulted, root=root)
        return errors

    def _find_value_errors(self, schema: Schema, value: Json, *, root: bool) -> list[Cause]:
        faults: list[SchemaError] = []
        node = self._values.get_node_validator(schema)
        count = node.check(value, "", faults)
        if not faults:
            self._values.valid_parts.add(node, value, count)
        return make_causes(faults, None if root else "")

    def _find_rule_errors(self, node: StructuralNode, value: Json, *, root: bool) -> list[Cause]:
        evaluator = PartRuleEvaluator(self._programs, self._evaluated)
        evaluator.run(node, value, None, None if root else "", None, root=root)
        effort = evaluator.effort
        self.remaining_budget -= effort.cost // _RULE_COST_PER_PART + effort.count * _COST_PER_RULE
        node_rules = self._programs.get_node_rules(node, root=root)
        if node_rules is not None and not evaluator.errors:
            self._evaluated.add(node_rules, value, effort)
        return evaluator.errors

    def count_parts(self, value: Json) -> int:
        """Count the values within a value."""
        parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
        containers = [part for part in parts if type(part) in _CONTAINERS]
        count = 1 + len(parts) + sum([(self._counted.find(None, part) or count_parts(part)) - 1 for part in containers])
        self._counted.add(None, value, count)
        return count

    def apply_defaults(self, schema: Schema, value: Json, *, root: bool = False) -> Json:
        """Return a value with defaults, as rules see it."""
        defaulted: Json = self._add_defaults(self._structurals.get_node(schema, resource=root), value)
        return defaulted

    def _add_defaults(self, node: StructuralNode, value: Any) -> Any:
        """Return a value with defaults, with the same parts for values with the same parts."""
        if not node.defaults or type(value) not in _CONTAINERS:
            return value
        result = self._defaulted.find(node, value)
        if result is None:
            result = value.copy()
            set_missing_parts(result, node)
            for key, child in iterate_parts(result, node):
                result[key] = self._add_defaults(child, result[key])
            self._defaulted.add(node, value, result)
        return result

    def prune(self, schema: Schema, value: Json) -> Json:
        """Return a value without what servers drop: unknown fields, and nulls that the schema does not allow."""
        pruned: Json = Pruner(nulls=True).prune_value(self._structurals.get_node(schema, resource=False), value, "")
        return pruned

    def find_broken_rules(self, schema: Schema, value: Json, *, root: bool = False) -> list[ValidationRule]:
        """Return the rules of the node itself that a value violates."""
        node = self._structurals.get_node(schema, resource=root)
        node_rules = self._programs.get_node_rules(node, root=root) if node.rules else None
        if node_rules is None or value is None:
            return []
        self.remaining_budget -= len(node_rules.rules) * _COST_PER_RULE
        return _find_broken_rules(node_rules, self.apply_defaults(schema, value, root=root))


def _validate_name(value: Any) -> Iterator[Cause]:
    """Yield the errors of the name of an object. A value that is not an object is rejected for its type elsewhere."""
    metadata = value.get("metadata") if isinstance(value, dict) else None
    name = metadata.get("name") if isinstance(metadata, dict) else None
    messages = validate_dns1123_subdomain(name or "example") if isinstance(name or "", str) else ["must be a string"]
    yield from (Cause(INVALID, "metadata.name", message, name) for message in messages)


def _find_broken_rules(node_rules: NodeRules, value: Json) -> list[ValidationRule]:
    values = {"self": node_rules.read(value)}
    rules = [rule for rule in node_rules.node.schema.rules if rule.rule.strip()]
    return [
        rule
        for rule, runnable in zip(rules, node_rules.rules, strict=True)
        if runnable.program is not None
        and not runnable.uses_old
        and runnable.program.evaluate(values).value is not True
    ]


def count_parts(value: Json) -> int:
    """Count the values within a value."""
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + len(parts) + sum([count_parts(part) - 1 for part in parts if type(part) in _CONTAINERS])


def copy_value(value: Any) -> Any:
    """Return a copy of JSON data."""
    if isinstance(value, dict):
        return {key: copy_value(item) if type(item) in _CONTAINERS else item for key, item in value.items()}
    if isinstance(value, list):
        return [copy_value(item) if type(item) in _CONTAINERS else item for item in value]
    return value


_CONTAINERS = (dict, list)  # other values need no call, and most are others
