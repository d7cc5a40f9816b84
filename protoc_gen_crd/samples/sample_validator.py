"""Validation of the value of one schema node, with defaults and rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from protoc_gen_crd.admission.field_errors import INVALID, Cause
from protoc_gen_crd.admission.name_checks import validate_dns1123_subdomain
from protoc_gen_crd.admission.objects.defaulting import apply_defaults
from protoc_gen_crd.admission.objects.list_uniqueness import find_duplicates
from protoc_gen_crd.admission.objects.pruning import Pruner
from protoc_gen_crd.admission.objects.rule_evaluation import RuleEvaluator
from protoc_gen_crd.admission.objects.rule_programs import NodeRules, RulePrograms
from protoc_gen_crd.admission.objects.value_validator import ValueValidator
from protoc_gen_crd.admission.objects.version_handler import SharedSchemas
from protoc_gen_crd.kubernetes.api_server_limits import OBJECT_COST
from protoc_gen_crd.kubernetes.shared_results import Switches
from protoc_gen_crd.kubernetes.supported_versions import NEWEST
from protoc_gen_crd.regex.syntax_check import ResourceLimitError
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
        self._structurals, self._values = shared.structural_nodes, ValueValidator(self.switches)
        self._programs = RulePrograms(shared.expressions, self.switches)
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
        self.remaining_budget -= _CALL_COST + count_parts(defaulted)
        errors = self._values.validate_value(schema, defaulted, None if root else "")
        errors += find_duplicates(defaulted, node, None if root else "")
        errors += _validate_name(defaulted) if root else ()
        if not errors and node.rules:
            evaluator = RuleEvaluator(self._programs)
            evaluator.run(node, defaulted, None, None if root else "", None, root=root)
            errors += evaluator.errors
            self.remaining_budget -= (OBJECT_COST - max(evaluator.remaining_budget, 0)) // _RULE_COST_PER_PART
            self.remaining_budget -= evaluator.evaluated_rules * _COST_PER_RULE
        return errors

    def apply_defaults(self, schema: Schema, value: Json, *, root: bool = False) -> Json:
        """Return a value with defaults, as rules see it."""
        node = self._structurals.get_node(schema, resource=root)
        if not node.defaults:
            return value
        defaulted: Json = copy_value(value)
        apply_defaults(defaulted, node)
        return defaulted

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
