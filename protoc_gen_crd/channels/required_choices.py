"""Choices that a schema leaves to fields outside a release channel alone, though it asks for one of them."""

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
    """Fields of one object of which one must be set."""

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
    """Required fields of an enum that has no value but guarded ones."""
    values: dict[str, list[Guard]] = {}
    for guard in guards:
        if guard.value and guard.steps[-1].name in (guard.parent.get("required") or ()):
            values.setdefault(guard.path, []).append(guard)
    for path, found in values.items():
        schema = found[0].schema
        if {*map(str, schema.get("enum") or ("",))} <= {guard.value for guard in found}:
            yield RequiredChoice(tuple([f'"{guard.value}" as {path}' for guard in found]), schema.origin)


def _find_object_choices(schema: Schema, paths: dict[str, str], minor: int) -> Iterator[RequiredChoice]:
    for choice in (schema, *(schema.get("allOf") or ())):
        for keyword in ("oneOf", "anyOf"):
            branches: Sequence[Schema] = choice.get(keyword) or ()
            asked = [[name for name in branch.get("required") or () if name in paths] for branch in branches]
            if branches and all(asked):
                yield RequiredChoice(tuple([paths[names[0]] for names in asked]), branches[0].origin)
    known = {escape_cel_name(name): path for name, path in paths.items()}
    about = {id(rule): names for rule in schema.rules if (names := _find_rule_fields(rule, known))}
    if about:
        yield from [
            RequiredChoice(about[id(rule)], rule.origin)
            for rule in _find_broken_rules(schema, minor)
            if id(rule) in about
        ]


def _find_rule_fields(rule: ValidationRule, known: dict[str, str]) -> tuple[str, ...]:
    """The paths of the fields that a rule is about, if it is about none but these."""
    names: Collection[str] = dict.fromkeys([match[1] or "" for match in _SELF.finditer(rule.rule)])
    return tuple([known[name] for name in names]) if all(name in known for name in names) else ()


def _find_broken_rules(schema: Schema, minor: int) -> Iterator[ValidationRule]:
    """The rules that an object without fields breaks."""
    from protoc_gen_crd.admission.compiled_rules import ExpressionCompiler  # noqa: PLC0415 - few guarded fields have such rules
    from protoc_gen_crd.admission.objects.rule_programs import RulePrograms  # noqa: PLC0415
    from protoc_gen_crd.admission.objects.structural_schemas import StructuralNodes  # noqa: PLC0415
    from protoc_gen_crd.admission.switches import Switches  # noqa: PLC0415

    node = StructuralNodes().get_node(schema, resource=False)
    ruled = RulePrograms(ExpressionCompiler(), Switches.from_minor(minor)).get_node_rules(node, root=False)
    if ruled is None:
        return
    rules = [rule for rule in schema.rules if rule.rule.strip()]
    for rule, runnable in zip(rules, ruled.rules, strict=True):
        if (
            runnable.program
            and not runnable.uses_old
            and runnable.program.evaluate({"self": ruled.read({})}).value is False
        ):
            yield rule
