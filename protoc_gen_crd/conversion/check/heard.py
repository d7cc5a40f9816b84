"""Declarations against the plans of a run: each must say something of the versions of a kind."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protoc_gen_crd.base.diagnostics import Place, Problems
from protoc_gen_crd.conversion.derive.declared import Declared, declared, placed
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.plan import Plan


def check_heard(plans: Sequence[Plan], problems: Problems) -> None:
    """Report declarations that no plan has made anything of; a message of several kinds needs to be heard in one."""
    known = {place for plan in plans for pair in plan.pairs for place in pair.heard}
    known |= {place for plan in plans for place in plan.beside}
    known |= {place for plan in plans for place in _told(plan)}
    known |= {finding.at for finding in problems.findings if finding.at is not None}
    for plan in plans:
        for version in plan.crd.versions if plan.pairs else ():
            for path, one in placed(plan.schema(version.name)):
                if one.origin not in known:
                    known.add(one.origin)
                    _report(plan, version.name, path, one, problems)


def _told(plan: Plan) -> Iterator[Place]:
    """The places of declarations in what has been refused, which is why nothing comes of them."""
    faults = {fault for pair in plan.pairs for fault in pair.faults}
    for version in plan.crd.versions if faults else ():
        for path, one in placed(plan.schema(version.name)):
            if any((version.name, path[:cut]) in faults for cut in range(1, len(path) + 1)):
                yield one.origin


def _others(plan: Plan, having: Sequence[str], path: Path, one: Declared) -> Sequence[str]:
    """The versions that a declaration may be about: those of other packages, else all but the hub."""
    fields = {name: paths.at(plan.schema(name), path) for name in having}
    elsewhere = [
        name for name, field in fields.items() if field and one.origin not in [each.origin for each in declared(field)]
    ]
    return elsewhere or [name for name in having if name != plan.hub]


def _report(plan: Plan, version: str, path: Path, one: Declared, problems: Problems) -> None:
    having = [each.name for each in plan.crd.versions if paths.at(plan.schema(each.name), path) is not None]
    lacking = [each.name for each in plan.crd.versions if each.name not in having]
    shown, hint = paths.shown(path), ""
    if one.named.issuperset(having):
        problem = f'"versions" must leave out a version that has "{shown}", found {", ".join(sorted(one.named))}'
        hint = "name those alone that have something else in its place"
    elif not lacking and not one.named:
        problem = f'a conversion must be about a version, found none without "{shown}"'
        named = " ".join(f'versions: "{name}"' for name in _others(plan, having, path, one))
        hint = f"name the versions that have something else in its place: {named}"
    else:
        problem = f'what a field says must become a step, found none for "{shown}" of {version}'
        if one.named and plan.hub not in one.named and version != plan.hub:
            hint = f"{version} converts by way of {plan.hub}, the hub: say what {plan.hub} has in its place alone"
    problems.report("conversion-version", problem, one.origin, path=one.owner, hint=hint)
