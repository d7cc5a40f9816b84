"""Choices that a schema leaves to fields outside a release channel alone, though it asks for one of them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from protoc_gen_crd.base.diagnostics import Place
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.channels.guards import FIELD, Guard
from protoc_gen_crd.schema.celnames import cel_name
from protoc_gen_crd.schema.types import Rule, Schema

_SELF = re.compile(r"\bself\b(?:\s*\.\s*([A-Za-z_]\w*)(?!\s*\())?")


class Demand(Record):
    """Fields of one object of which one must be set."""

    paths: tuple[str, ...]
    at: Place | None


def demands(guards: Sequence[Guard], minor: int) -> Iterator[Demand]:
    """What objects ask for that only guarded fields can give, where no single one of these is required."""
    objects: dict[int, list[Guard]] = {}
    for guard in guards:
        if not guard.value and guard.steps[-1].kind == FIELD:
            objects.setdefault(id(guard.parent), []).append(guard)
    yield from _of_enums(guards)
    for fields in objects.values():
        yield from _of_object(fields[0].parent, {guard.steps[-1].name: guard.path for guard in fields}, minor)


def _of_enums(guards: Sequence[Guard]) -> Iterator[Demand]:
    """Required fields of an enum that has no value but guarded ones."""
    values: dict[str, list[Guard]] = {}
    for guard in guards:
        if guard.value and guard.steps[-1].name in (guard.parent.get("required") or ()):
            values.setdefault(guard.path, []).append(guard)
    for path, found in values.items():
        schema = found[0].schema
        if {*map(str, schema.get("enum") or ("",))} <= {guard.value for guard in found}:
            yield Demand(tuple([f'"{guard.value}" as {path}' for guard in found]), schema.origin)


def _of_object(schema: Schema, paths: dict[str, str], minor: int) -> Iterator[Demand]:
    for choice in (schema, *(schema.get("allOf") or ())):
        for keyword in ("oneOf", "anyOf"):
            branches: Sequence[Schema] = choice.get(keyword) or ()
            asked = [[name for name in branch.get("required") or () if name in paths] for branch in branches]
            if branches and all(asked):
                yield Demand(tuple([paths[names[0]] for names in asked]), branches[0].origin)
    known = {cel_name(name): path for name, path in paths.items()}
    about = {id(rule): names for rule in schema.rules if (names := _asked(rule, known))}
    if about:
        yield from [Demand(about[id(rule)], rule.origin) for rule in _broken(schema, minor) if id(rule) in about]


def _asked(rule: Rule, known: dict[str, str]) -> tuple[str, ...]:
    """The paths of the fields that a rule is about, if it is about none but these."""
    names: Collection[str] = dict.fromkeys([match[1] or "" for match in _SELF.finditer(rule.rule)])
    return tuple([known[name] for name in names]) if all(name in known for name in names) else ()


def _broken(schema: Schema, minor: int) -> Iterator[Rule]:
    """The rules that an object without fields breaks."""
    from protoc_gen_crd.admission.expressions import Expressions  # noqa: PLC0415 - few guarded fields have such rules
    from protoc_gen_crd.admission.objects.programs import Programs  # noqa: PLC0415
    from protoc_gen_crd.admission.objects.structural import Structurals  # noqa: PLC0415
    from protoc_gen_crd.admission.switches import Switches  # noqa: PLC0415

    node = Structurals().of(schema, resource=False)
    ruled = Programs(Expressions(), Switches.of(minor)).of(node, root=False)
    if ruled is None:
        return
    rules = [rule for rule in schema.rules if rule.rule.strip()]
    for rule, runnable in zip(rules, ruled.rules, strict=True):
        if runnable.program and not runnable.uses_old and runnable.program.run({"self": ruled.read({})}).value is False:
            yield rule
