"""The check for data that an earlier hub may have kept, and that the hub of this API cannot convert."""

from __future__ import annotations

from protoc_gen_crd.conversion.document_hints import choose_hint
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.paths import METADATA_PATH, Path
from protoc_gen_crd.conversion.plan.plan import Gap, Plan
from protoc_gen_crd.conversion.recorded_hubs import SPOKES, recorded_hubs
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.settings.settings import Settings


def are_hubs_unknown(crd: Crd, settings: Settings) -> bool:
    """Return true if stored objects may have been converted through another hub.

    An explicit hub, or recorded releases, determine which version stored objects were converted through.
    """
    served = [version.name for version in crd.versions if version.served]
    return not crd.hub and len(served) > SPOKES and not recorded_hubs([crd], settings)


def check_unknown_hub(plan: Plan, settings: Settings, problems: Problems) -> None:
    """Report data that an earlier hub may have kept for two versions and that cannot be converted between them."""
    if not are_hubs_unknown(plan.crd, settings):
        return
    served = [version.name for version in plan.crd.versions if version.served]
    reported: set[frozenset[str]] = set()
    for gap in plan.gaps:
        ends = frozenset((gap.spoke, gap.other))
        if gap.fields and ends <= {*served} and ends not in reported:
            reported.add(ends)
            field = f'"{paths.format_path(_choose_field(plan, gap))}" of {gap.spoke}'
            problem = f"the hub {plan.hub} cannot represent all of {field}, no conversion between {gap.spoke} and "
            problem += f"{gap.other} is declared, and it is unknown whether the hub has changed"
            origin = plan.crd.get_place("hub") or plan.crd.origin
            setting = choose_hint(
                origin, f'hub_version: "{plan.hub}"', f"hub_versions: {{{plan.crd.name}: {plan.hub}}} in the settings"
            )
            option = f'declare the counterpart in {gap.other}: conversion {{versions: "{gap.other}" ...}}'
            rules = f"add rules between {gap.spoke} and {gap.other}"
            hint = f"if {plan.hub} has always been the hub, set {setting} or record releases with "
            hint += f"protoc-gen-crd history record; otherwise, {choose_hint(origin, option, rules)}"
            problems.report("conversion-hub-unknown", problem, origin, path=f"{plan.crd.name}.{gap.spoke}", hint=hint)


def _choose_field(plan: Plan, gap: Gap) -> Path:
    """Return the field of a gap to report: if possible, one that the other version lacks."""
    other = plan.get_schema(gap.other)
    return min(
        gap.fields, key=lambda path: (path[:1] == METADATA_PATH, paths.find_schema(other, path) is not None, path)
    )
