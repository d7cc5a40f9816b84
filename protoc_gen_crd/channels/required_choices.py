"""Required choices of a schema that only fields outside a release channel can satisfy."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.channels.guards import FIELD, Guard
from protoc_gen_crd.findings.finding import Place
from protoc_gen_crd.schema.cel_names import escape_cel_name
from protoc_gen_crd.schema.schema import Schema, ValidationRule

_SELF = re.compile(r"\bself\b(?:\s*\.\s*([A-Za-z_]\w*)(?!\s*\())?")


class RequiredChoice(Record):
    """Fields of an object of which at least one is required."""

    paths: tuple[str, ...]
    at: Place | None


def find_required_choices(guards: Sequence[Guard], minor: int) -> Iterator[RequiredChoice]:
    """Find requirements that only guarded fields can meet, although no single field is required."""
    objects: dict[int, list[Guard]] = {}
    for guard in guards:
        if not guard.value and guard.steps[-1].kind == FIELD:
            objects.setdefault(id(guard.parent), []).append(guard)
    yield from _find_enum_choices(guards)
    for fields in objects.values():
        yield from _find_object_choices(fields[0].parent, {guard.steps[-1].name: guard.path for guard in fields}, minor)


def _find_enum_choices(guards: Sequence[Guard]) -> Iterator[RequiredChoice]:
    """Yield required enum fields whose values are all guarded."""
    values: dict[str, list[Guard]] = {}
    for guard in guards:
        if guard.value and guard.steps[-1].name in (guard.parent.get("required") or ()):
            values.setdefault(guard.path, []).append(guard)
    for path, value_guards in values.items():
        schema = value_guards[0].schema
        if {*map(str, schema.get("enum") or ("",))} <= {guard.value for guard in value_guards}:
            yield RequiredChoice(tuple([f'"{guard.value}" as {path}' for guard in value_guards]), schema.origin)


def _find_object_choices(schema: Schema, paths: dict[str, str], minor: int) -> Iterator[RequiredChoice]:
    for choice in (schema, *(schema.get("allOf") or ())):
        for keyword in ("oneOf", "anyOf"):
            branches: Sequence[Schema] = choice.get(keyword) or ()
            required_names = [[name for name in branch.get("required") or () if name in paths] for branch in branches]
            if branches and all(required_names):
                yield RequiredChoice(tuple([paths[names[0]] for names in required_names]), branches[0].origin)
    paths_by_cel_name = {escape_cel_name(name): path for name, path in paths.items()}
    names_by_rule = {id(rule): names for rule in schema.rules if (names := _find_rule_fields(rule, paths_by_cel_name))}
    if names_by_rule:
        yield from [
            RequiredChoice(names_by_rule[id(rule)], rule.origin)
            for rule in _find_broken_rules(schema, minor)
            if id(rule) in names_by_rule
        ]


def _find_rule_fields(rule: ValidationRule, paths_by_cel_name: dict[str, str]) -> tuple[str, ...]:
    """Return the paths of the fields that a rule uses, empty if it uses other fields."""
    names: Collection[str] = dict.fromkeys([match[1] or "" for match in _SELF.finditer(rule.rule)])
    return (
        tuple([paths_by_cel_name[name] for name in names]) if all(name in paths_by_cel_name for name in names) else ()
    )


def _find_broken_rules(schema: Schema, minor: int) -> Iterator[ValidationRule]:
    """Yield the rules that an empty object violates."""
    from protoc_gen_crd.admission.expression_compiler import ExpressionCompiler  # noqa: PLC0415 - few guarded fields have such rules
    from protoc_gen_crd.admission.objects.rule_programs import RulePrograms  # noqa: PLC0415
    from protoc_gen_crd.admission.objects.structural_schemas import StructuralNodes  # noqa: PLC0415
    from protoc_gen_crd.kubernetes.shared_results import Switches  # noqa: PLC0415

    node = StructuralNodes().get_node(schema, resource=False)
    node_rules = RulePrograms(ExpressionCompiler(), Switches.from_minor(minor)).get_node_rules(node, root=False)
    if node_rules is None:
        return
    rules = [rule for rule in schema.rules if rule.rule.strip()]
    for rule, runnable in zip(rules, node_rules.rules, strict=True):
        if (
            runnable.program
            and not runnable.uses_old
            and runnable.program.evaluate({"self": node_rules.read({})}).value is False
        ):
            yield rule
