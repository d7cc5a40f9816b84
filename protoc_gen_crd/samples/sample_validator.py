"""Validation of the value of one schema node, with defaults and rules."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from protoc_gen_crd.admission.compiled_rules import ExpressionCompiler
from protoc_gen_crd.admission.field_errors import INVALID, FieldError
from protoc_gen_crd.admission.name_checks import validate_dns1123_subdomain
from protoc_gen_crd.admission.objects.defaulting import apply_defaults
from protoc_gen_crd.admission.objects.list_uniqueness import find_duplicates
from protoc_gen_crd.admission.objects.rule_evaluation import RuleEvaluator
from protoc_gen_crd.admission.objects.rule_programs import NodeRules, RulePrograms
from protoc_gen_crd.admission.objects.structural_schemas import StructuralNodes
from protoc_gen_crd.admission.objects.value_validator import ValueValidator
from protoc_gen_crd.admission.switches import Switches
from protoc_gen_crd.kubernetes.limits import OBJECT_COST
from protoc_gen_crd.kubernetes.versions import NEWEST
from protoc_gen_crd.regex.syntax_check import ResourceLimitError
from protoc_gen_crd.schema.schema import Json, Schema, ValidationRule

DEFAULT_BUDGET = 400_000
_CALL = 20  # parts that could be judged while a call is made
_COST_OF_A_PART = 3  # what servers charge a rule for while a part of a value is judged


class SampleValidator:
    """Judges values of nodes as servers of one version do. What is made of a schema is kept.

    `remaining_budget` is how many parts of values may still be judged before whoever tries values should take what
    it has: a bound on time that does not depend on the machine.
    """

    def __init__(self, minor: int = NEWEST) -> None:
        self.switches = Switches.from_minor(minor)
        self._structurals, self._values = StructuralNodes(), ValueValidator(self.switches)
        self._programs = RulePrograms(ExpressionCompiler(), self.switches)
        self.remaining_budget = DEFAULT_BUDGET
        self._kept: dict[int, Schema] = {}  # keeps alive what is known by identity

    def is_valid(self, schema: Schema, value: Json) -> bool:
        """Check whether a value holds to the keywords of a node, whatever its rules say."""
        self._kept[id(schema)] = schema
        try:
            return not self._values.validate_value(schema, value, "")
        except ResourceLimitError:
            return False

    def find_errors(self, schema: Schema, value: Json, *, root: bool = False) -> list[FieldError]:
        """Return the errors of a value; rules run only if there are no others. `root` marks a whole object."""
        self._kept[id(schema)] = schema
        node = self._structurals.get_node(schema, resource=root)
        whole = self.apply_defaults(schema, value, root=root)
        self.remaining_budget -= _CALL + count_parts(whole)
        found = self._values.validate_value(schema, whole, None if root else "")
        found += find_duplicates(whole, node, None if root else "")
        found += _validate_name(whole) if root else ()
        if not found and node.rules:
            walk = RuleEvaluator(self._programs)
            walk.run(node, whole, None, None if root else "", None, root=root)
            found += walk.errors
            self.remaining_budget -= (OBJECT_COST - max(walk.remaining_budget, 0)) // _COST_OF_A_PART
        return found

    def apply_defaults(self, schema: Schema, value: Json, *, root: bool = False) -> Json:
        """A value as it is when rules see it."""
        node = self._structurals.get_node(schema, resource=root)
        if not node.defaults:
            return value
        whole: Json = copy_value(value)
        apply_defaults(whole, node)
        return whole

    def find_broken_rules(self, schema: Schema, value: Json, *, root: bool = False) -> list[ValidationRule]:
        """The rules of the node itself that a value does not hold to."""
        node = self._structurals.get_node(schema, resource=root)
        ruled = self._programs.get_node_rules(node, root=root) if node.rules else None
        if ruled is None or value is None:
            return []
        return _find_broken_rules(ruled, self.apply_defaults(schema, value, root=root))


def _validate_name(value: Any) -> Iterator[FieldError]:
    """What is wrong with the name of an object; values of other types are refused as such."""
    metadata = value.get("metadata") if isinstance(value, dict) else None
    name = metadata.get("name") if isinstance(metadata, dict) else None
    faults = validate_dns1123_subdomain(name or "example") if isinstance(name or "", str) else ["must be a string"]
    yield from (FieldError(INVALID, "metadata.name", fault, name) for fault in faults)


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
    if isinstance(value, dict):
        return 1 + sum(map(count_parts, value.values()))
    return 1 + sum(map(count_parts, value)) if isinstance(value, list) else 1


def copy_value(value: Any) -> Any:
    """A copy of plain data."""
    if isinstance(value, dict):
        return {key: copy_value(each) for key, each in value.items()}
    return [copy_value(each) for each in value] if isinstance(value, list) else value
