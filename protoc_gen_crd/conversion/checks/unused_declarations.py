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
from protoc_gen_crd.kubernetes.api_version_order import get_age_key


def check_unused_declarations(plans: Sequence[Plan], problems: Problems) -> None:
    """Report declarations that no plan uses; for a message of several kinds, one use is enough."""
    used_or_reported = {place for plan in plans for pair in plan.pairs for place in pair.used_declarations}
    used_or_reported |= {place for plan in plans for place in plan.spoke_declarations}
    used_or_reported |= {place for plan in plans for place in _find_reported_declarations(plan)}
    used_or_reported |= {finding.at for finding in problems.findings if finding.at is not None}
    for plan in plans:
        for version in plan.crd.versions if plan.pairs else ():
            for path, declaration in iterate_field_declarations(plan.get_schema(version.name)):
                if declaration.origin not in used_or_reported:
                    used_or_reported.add(declaration.origin)
                    _report_unused(plan, version.name, path, declaration, problems)


def _find_reported_declarations(plan: Plan) -> Iterator[Place]:
    """Return the locations of declarations in fields that are reported: these have no effect."""
    faults = {fault for pair in plan.pairs for fault in pair.reported_fields}
    for version in plan.crd.versions if faults else ():
        for path, declaration in iterate_field_declarations(plan.get_schema(version.name)):
            if any((version.name, path[:cut]) in faults for cut in range(1, len(path) + 1)):
                yield declaration.origin


def _find_other_versions(
    plan: Plan, having: Sequence[str], path: Path, declaration: ConversionDeclaration
) -> Sequence[str]:
    """Return the versions that a declaration can name: those of other packages, else all but the hub."""
    fields = {name: paths.find_schema(plan.get_schema(name), path) for name in having}
    elsewhere = [
        name
        for name, field in fields.items()
        if field and declaration.origin not in [other.origin for other in get_declarations(field)]
    ]
    return elsewhere or [name for name in having if name != plan.hub]


def _report_unused(
    plan: Plan, version: str, path: Path, declaration: ConversionDeclaration, problems: Problems
) -> None:
    having = [
        other.name for other in plan.crd.versions if paths.find_schema(plan.get_schema(other.name), path) is not None
    ]
    lacking = [other.name for other in plan.crd.versions if other.name not in having]
    field, hint = paths.format_path(path), ""
    if declaration.named_versions.issuperset(having):
        problem = f'all versions that have "{field}" are in "versions": {", ".join(sorted(declaration.named_versions))}'
        hint = "name only versions that have something else in its place"
    elif not lacking and not declaration.named_versions:
        problem = f'the conversion option applies to no version: all versions have "{field}"'
        others = _find_other_versions(plan, having, path, declaration)
        options = " ".join(f'versions: "{name}"' for name in others)
        hint = f"name the versions that have something else in its place: {options}"
        newest = max(having, key=get_age_key)
        if newest not in others:  # else it declares the field in another package
            hint = f'add since: "{newest}" if {newest} introduces the field, or {hint}'
    else:
        problem = f'the conversion option of "{field}" of {version} has no effect'
        if declaration.named_versions and plan.hub not in declaration.named_versions and version != plan.hub:
            hint = f"{version} converts through the hub {plan.hub}: declare only what {plan.hub} has in its place"
    problems.report("conversion-version", problem, declaration.origin, path=declaration.owner, hint=hint)
