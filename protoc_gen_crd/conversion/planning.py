"""Crds to plans: the hub of a kind, and a pair for each other version."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from protoc_gen_crd.base.diagnostics import Finding, Place, Problems
from protoc_gen_crd.conversion.chains.beside import check_beside, check_fields
from protoc_gen_crd.conversion.chains.chains import Chains
from protoc_gen_crd.conversion.chains.completed import pair_of
from protoc_gen_crd.conversion.check.check import check
from protoc_gen_crd.conversion.check.heard import check_heard
from protoc_gen_crd.conversion.derive.declared import declares
from protoc_gen_crd.conversion.hub import with_hubs
from protoc_gen_crd.conversion.plan.plan import Plan
from protoc_gen_crd.conversion.plan.resources import with_resources
from protoc_gen_crd.conversion.plan.shadowed import with_shadowed
from protoc_gen_crd.conversion.rules.rulefiles import read_rules
from protoc_gen_crd.conversion.rules.rules import RuleFile
from protoc_gen_crd.conversion.stanza import served
from protoc_gen_crd.crd.types import Crd
from protoc_gen_crd.schema.types import Schema
from protoc_gen_crd.settings import Settings

_NONE = Schema({})


def plan_of(crd: Crd, problems: Problems, files: Sequence[RuleFile] = ()) -> Plan | None:
    """The plan of a kind and of rule files, checked; None where there is nothing to convert between, or no such hub."""
    stored = next((version.name for version in crd.versions if version.storage), "")
    hub = crd.hub or stored
    schemas = {version.name: with_resources(version.schema or _NONE) for version in crd.versions}
    if hub not in schemas:
        if len(schemas) > 1:
            problem = f'the hub must be a version of the kind, {", ".join(schemas)}, found "{hub}"'
            at = crd.place("hub")
            problems.report("conversion-hub", problem, at, path=crd.name, hint=problems.suggestion(hub, schemas))
        return None
    spokes = [name for name in schemas if name != hub]
    rules = next((file for file in files if file.about(crd)), None)
    if rules is not None:
        _check_rules(rules, schemas, problems)

    before = len(problems.findings)
    chains = Chains(schemas, rules)
    plan = Plan(crd, hub, schemas, tuple([pair_of(chains, name, hub, problems) for name in spokes]))
    heard = check_fields(plan, schemas, problems).union(*(pair.heard for pair in plan.pairs))
    plan = plan.replace(beside=heard.union(chains.holding(heard)))
    if rules is not None:
        check_beside(rules, plan, schemas, problems)
    plan = plan.replace(pairs=tuple(map(with_shadowed, plan.pairs)))
    half = (*_half(rules, plan, problems), *_faulty(rules)) if rules is not None else ()
    check(plan.replace(pairs=tuple([each for each in plan.pairs if each.spoke not in half])), problems)
    problems.findings[before:] = _once(problems.findings[before:])
    return plan


def _once(findings: Sequence[Finding]) -> Iterator[Finding]:
    """Findings on a message that stands at several places of the object: each once, with the first of them."""
    seen: set[tuple[str, Place | None, str]] = set()
    for finding in findings:
        told = re.sub(r'"[^"]*\.([^".]+)"', r'"\1"', finding.message)
        key = (finding.rule, finding.at, told)
        if key not in seen:
            yield finding
        seen.add(key)


def _check_rules(rules: RuleFile, known: Mapping[str, Schema], problems: Problems) -> None:
    """Rules must lead from one version of the kind to another."""
    for one in rules.directions:
        for name in (one.source, one.target):
            if name not in known:
                problem = f'a version must be one of the kind, {", ".join(known)}, found "{name}"'
                problems.report("conversion-version", problem, one.origin, hint=problems.suggestion(name, known))
        if one.source == one.target:
            problem = f"rules must lead from one version to another, found {one.source} to itself"
            problems.report("conversion-rule", problem, one.origin, hint="within a version objects stay as they are")


def _half(rules: RuleFile, plan: Plan, problems: Problems) -> Sequence[str]:
    """The versions that rules lead from or to alone, which is reported."""
    ways = {ends for pair in plan.pairs for ends in ((pair.spoke, plan.hub), (plan.hub, pair.spoke))}
    known = [one for one in rules.directions if (one.source, one.target) in ways]
    found = [one for one in known if one.rules and rules.direction(one.target, one.source) is None]
    for one in found:
        problem = f"rules must lead both ways, found {one.source} to {one.target} and none back"
        hint = f"add those from {one.target} to {one.source}, with an empty list where all is derived"
        problems.report("conversion-rule", problem, one.origin, hint=hint)
    return [name for one in found for name in (one.source, one.target) if name != plan.hub]


def _faulty(rules: RuleFile) -> Iterator[str]:
    """The versions of rules of which it has been told that they cannot be read."""
    yield from (name for one in rules.directions if one.faulty for name in (one.source, one.target))


def plans(crds: Sequence[Crd], settings: Settings, problems: Problems) -> tuple[Plan, ...]:
    """The plans of the kinds of whose conversion their fields or a rule file say anything."""
    files = read_rules(settings, problems)
    check_names(files, crds, problems)
    check_once(files, crds, problems)
    crds = with_hubs(crds, settings, problems)
    about = told(crds, files)
    for crd in about:
        _check_served(crd, problems)
    made = tuple([plan for crd in about if (plan := plan_of(crd, problems, files)) is not None])
    check_heard(made, problems)
    return made


def every_plan(crds: Sequence[Crd], settings: Settings) -> tuple[Plan, ...]:
    """The plans of all kinds with several versions that lose nothing, of those of which nothing is said, too."""
    made = list(plans(crds, settings, Problems()))
    crds = with_hubs(crds, settings, Problems())
    known = {plan.name for plan in made}
    for crd in crds:
        problems = Problems()
        plan = plan_of(crd, problems) if crd.name not in known and len(crd.versions) > 1 else None
        if plan is not None and not problems.findings:
            made.append(plan)
    return tuple(made)


def with_webhook(
    crds: Sequence[Crd], settings: Settings, problems: Problems, files: Sequence[RuleFile] = ()
) -> tuple[Crd, ...]:
    """The Crds, those of whose conversion anything is said, here or in further files, with the settings' webhook."""
    return served(crds, told(crds, (*files, *read_rules(settings, Problems()))), settings, problems)


def told(crds: Sequence[Crd], files: Sequence[RuleFile]) -> list[Crd]:
    """The kinds of whose conversion their fields or a rule file say anything."""
    return [crd for crd in crds if declares(crd) or any(file.about(crd) for file in files)]


def _check_served(crd: Crd, problems: Problems) -> None:
    """A server converts nothing by itself."""
    strategy = (crd.conversion or {}).get("strategy", "None")
    if strategy == "None" and sum(version.served for version in crd.versions) > 1:
        problem = f"a CRD whose objects are converted must name a webhook, found none for {crd.names.kind}"
        hint = "servers change apiVersion alone until spec.conversion names one; accept this if that is set elsewhere"
        problems.report("conversion-unserved", problem, crd.origin, path=crd.name, hint=hint)


def check_names(files: Sequence[RuleFile], crds: Sequence[Crd], problems: Problems) -> None:
    """Every rule file must be about a kind."""
    for file in files:
        if not any(file.about(crd) for crd in crds):
            problem = f'a rule file must be named after a CRD that is there, found "{file.name}"'
            hint = problems.suggestion(file.name, [crd.name for crd in crds])
            problems.report("conversion-rule", problem, file.origin, hint=hint)


def check_once(files: Sequence[RuleFile], crds: Sequence[Crd], problems: Problems) -> None:
    """The rules of a kind must stand in one place."""
    for crd in crds:
        about = [file for file in files if file.about(crd)]
        for file in about[1:]:
            places = f"{about[0].origin} and {file.origin}"
            problem = f"the rules of a CRD must stand in one place, found those of {crd.name} at {places}"
            problems.report("conversion-rule", problem, file.origin, path=crd.name, hint="put them into one list")
