"""Repair of values that violate rules: changes are tried until the value is valid.

Plans that reduce the number of errors are followed. If no plan does, pairs of plans are tried. The number of attempts
is limited.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache, partial
from itertools import islice
from typing import TYPE_CHECKING, Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel import environment
from protoc_gen_crd.cel.parser.ast import Ast
from protoc_gen_crd.cel.parser.parser import parse
from protoc_gen_crd.samples.cel_function_hints import ChangePlan
from protoc_gen_crd.samples.logical_branches import NodeShape
from protoc_gen_crd.samples.path_changes import NOTHING, ValuePath, apply_changes
from protoc_gen_crd.samples.rule_solver import RuleSolver, collect_literals
from protoc_gen_crd.samples.scalar_values import generate_scalars
from protoc_gen_crd.schema.cel_names import escape_cel_name
from protoc_gen_crd.schema.schema import Json, Schema

if TYPE_CHECKING:
    from protoc_gen_crd.samples.value_generator import ValueGenerator

_MAX_TRIES = 600
_MAX_ROUNDS = 100
_MAX_SCALARS = 40  # values of a scalar that are tried
_MAX_PLANS = 400  # plans of a rule that are sorted before one is tried
_MAX_PAIRED_PLANS = 12  # plans that are followed although they do not reduce errors


def repair_value(
    schema: Schema, value: Json, generator: ValueGenerator, *, root: bool, tries: int = _MAX_TRIES, kept: str = ""
) -> Json | None:
    """Return a value with fewer errors or none; None if nothing was improved. The property `kept` is not removed."""
    if not schema.rules:
        return None
    return _Repairer(schema, generator, root=root, tries=tries, kept=kept).repair(value)


class _Repairer:
    def __init__(self, schema: Schema, generator: ValueGenerator, *, root: bool, tries: int, kept: str) -> None:
        self.schema, self.generator, self.root, self.kept = schema, generator, root, kept
        self.remaining_tries = tries

    def repair(self, value: Json) -> Json | None:
        """Follow plans as long as they reduce errors; None if none does."""
        best, errors = value, self._count_errors(value)
        for _ in range(_MAX_ROUNDS):
            better = self._find_better(best, errors)
            if better is None:
                break
            best, errors = better
            if not errors:
                break
        return None if best is value else best

    def _count_errors(self, value: Json) -> int:
        """Count the errors of a value; every violated rule counts."""
        self.remaining_tries -= 1
        validator = self.generator.validator
        field_errors = validator.find_errors(self.schema, value, root=self.root)
        return len(field_errors) + (
            0 if validator.is_valid(self.schema, validator.apply_defaults(self.schema, value, root=self.root)) else 100
        )

    def _find_better(self, value: Json, errors: int) -> tuple[Json, int] | None:
        """Return a value with fewer errors after one plan or two, and their number; None if there is none."""
        candidates: list[Json] = []
        for changed, count in self._try_plans(value):
            if count < errors:
                return changed, count
            if count == errors and len(candidates) < _MAX_PAIRED_PLANS:
                candidates.append(changed)
        for candidate in candidates:
            for changed, count in self._try_plans(candidate):
                if count < errors:
                    return changed, count
        return None

    def _try_plans(self, value: Json) -> Iterator[tuple[Json, int]]:
        seen = [value]
        for rule in self.generator.validator.find_broken_rules(self.schema, value, root=self.root):
            ast = self._parsed_rules.asts.get(rule.rule)
            if ast is None:
                continue
            plans = RuleSolver(
                ast, value, self._fill, partial(resolve_field, self.schema), self._parsed_rules.literals
            ).generate_plans()
            for plan in sorted(islice(plans, _MAX_PLANS), key=_is_removal) if self.generator.full else plans:
                if self.remaining_tries <= 0 or self.generator.validator.remaining_budget <= 0:
                    return
                changed = apply_changes(value, plan)
                if changed not in seen and not (self.kept and isinstance(changed, dict) and self.kept not in changed):
                    seen.append(changed)
                    yield changed, self._count_errors(changed)

    @cached_property
    def _parsed_rules(self) -> _ParsedRules:
        rules = tuple([rule.rule for rule in self.schema.rules])
        return _parse_rules(rules, self.generator.validator.switches.minor)

    def _fill(self, path: ValuePath) -> Iterable[Json]:
        """Yield likely values for a path."""
        shape = resolve_path(self.schema, path)
        if shape is not None:
            name = str(path[-1]) if path else ""
            if path:  # the value itself is being repaired
                yield self.generator.generate(shape, name).value
            yield from islice(generate_scalars(shape, name, self.generator.validator), _MAX_SCALARS)


class _ParsedRules(Record):
    """The syntax trees of the rules of a node, and the literals in them by field."""

    asts: Mapping[str, Ast]
    literals: Mapping[str, Sequence[Json]]


@lru_cache(maxsize=8)  # the values of one node are repaired several times
def _parse_rules(rules: tuple[str, ...], minor: int) -> _ParsedRules:
    dialect = environment.get_stored_environment(minor).dialect
    parsed = {rule: parse(rule, dialect) for rule in rules}
    asts = {rule: ast for rule, ast in parsed.items() if isinstance(ast, Ast)}
    return _ParsedRules(asts, collect_literals(asts.values()))


def _is_removal(plan: ChangePlan) -> bool:
    """Check whether a plan removes parts of a value, which a full value should have."""
    return any(change.value is NOTHING or change.value == [] for change in plan)


def resolve_path(schema: Schema, path: ValuePath) -> NodeShape | None:
    """Return the schema node at a path."""
    shape: NodeShape | None = NodeShape((schema,))
    for step in path:
        shape = _get_child(shape, step) if shape else None
    return shape


def resolve_field(schema: Schema, path: ValuePath, field: str) -> str:
    """Return the property that a CEL field refers to, in the object at a path."""
    shape = resolve_path(schema, path)
    names: Any = shape.schema.properties if shape else ()
    return next((name for name in names if escape_cel_name(name) == field), field)


def _get_child(shape: NodeShape, step: str | int) -> NodeShape | None:
    return shape.items if isinstance(step, int) else shape.get_member(step) or shape.additional
