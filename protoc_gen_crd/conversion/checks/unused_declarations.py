"""Report conversion options without an effect on any plan."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protoc_gen_crd.conversion.derivation.conversion_options import (
    ConversionDeclaration,
    get_declarations,
    iterate_field_declarations,
)
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.plan import Plan
from protoc_gen_crd.findings.finding import Place, Problems
from protoc_gen_crd.kubernetes.versions import get_age_key


def check_unused_declarations(plans: Sequence[Plan], problems: Problems) -> None:
    """Report declarations that no plan uses; for a message of several kinds, one use is enough."""
    known = {place for plan in plans for pair in plan.pairs for place in pair.used_declarations}
    known |= {place for plan in plans for place in plan.spoke_declarations}
    known |= {place for plan in plans for place in _find_reported_declarations(plan)}
    known |= {finding.at for finding in problems.findings if finding.at is not None}
    for plan in plans:
        for version in plan.crd.versions if plan.pairs else ():
            for path, one in iterate_field_declarations(plan.get_schema(version.name)):
                if one.origin not in known:
                    known.add(one.origin)
                    _report_unused(plan, version.name, path, one, problems)


def _find_reported_declarations(plan: Plan) -> Iterator[Place]:
    """Return the locations of declarations in fields that are reported: these have no effect."""
    faults = {fault for pair in plan.pairs for fault in pair.reported_fields}
    for version in plan.crd.versions if faults else ():
        for path, one in iterate_field_declarations(plan.get_schema(version.name)):
            if any((version.name, path[:cut]) in faults for cut in range(1, len(path) + 1)):
                yield one.origin


def _find_other_versions(plan: Plan, having: Sequence[str], path: Path, one: ConversionDeclaration) -> Sequence[str]:
    """Return the versions that a declaration can name: those of other packages, else all but the hub."""
    fields = {name: paths.find_schema(plan.get_schema(name), path) for name in having}
    elsewhere = [
        name
        for name, field in fields.items()
        if field and one.origin not in [each.origin for each in get_declarations(field)]
    ]
    return elsewhere or [name for name in having if name != plan.hub]


def _report_unused(plan: Plan, version: str, path: Path, one: ConversionDeclaration, problems: Problems) -> None:
    having = [
        each.name for each in plan.crd.versions if paths.find_schema(plan.get_schema(each.name), path) is not None
    ]
    lacking = [each.name for each in plan.crd.versions if each.name not in having]
    shown, hint = paths.format_path(path), ""
    if one.named_versions.issuperset(having):
        problem = f'all versions that have "{shown}" are in "versions": {", ".join(sorted(one.named_versions))}'
        hint = "name only versions that have something else in its place"
    elif not lacking and not one.named_versions:
        problem = f'the conversion option applies to no version: all versions have "{shown}"'
        others = _find_other_versions(plan, having, path, one)
        named = " ".join(f'versions: "{name}"' for name in others)
        hint = f"name the versions that have something else in its place: {named}"
        newest = max(having, key=get_age_key)
        if newest not in others:  # else it declares the field in another package
            hint = f'add since: "{newest}" if {newest} introduces the field, or {hint}'
    else:
        problem = f'the conversion option of "{shown}" of {version} has no effect'
        if one.named_versions and plan.hub not in one.named_versions and version != plan.hub:
            hint = f"{version} converts through the hub {plan.hub}: declare only what {plan.hub} has in its place"
    problems.report("conversion-version", problem, one.origin, path=one.owner, hint=hint)
