"""Crds to plans: the hub of a kind, and a pair for each other version."""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.conversion.check import check
from protoc_gen_crd.conversion.declared import declares
from protoc_gen_crd.conversion.derive import derive
from protoc_gen_crd.conversion.plan import Plan
from protoc_gen_crd.crd.types import Crd
from protoc_gen_crd.schema.types import Schema

_NONE = Schema({})


def plan_of(crd: Crd, problems: Problems) -> Plan | None:
    """The plan of a kind, checked; None for one that has no versions to convert between, or no such hub."""
    stored = next((version.name for version in crd.versions if version.storage), "")
    hub = crd.hub or stored
    schemas = {version.name: version.schema or _NONE for version in crd.versions}
    if hub not in schemas:
        if len(schemas) > 1:
            problem = f'the hub must be a version of the kind, {", ".join(schemas)}, found "{hub}"'
            at = crd.place("hub")
            problems.report("conversion-hub", problem, at, path=crd.name, hint=problems.suggestion(hub, schemas))
        return None
    spokes = [name for name in schemas if name != hub]
    pairs = tuple([derive((name, hub), (schemas[name], schemas[hub]), problems) for name in spokes])
    plan = Plan(crd, hub, pairs)
    check(plan, problems)
    return plan


def plans(crds: Sequence[Crd], problems: Problems) -> tuple[Plan, ...]:
    """The plans of the kinds that say anything of their conversion."""
    found = (plan_of(crd, problems) for crd in crds if declares(crd))
    return tuple([plan for plan in found if plan is not None])
