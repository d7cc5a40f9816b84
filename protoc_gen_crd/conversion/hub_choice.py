"""Hub versions from the settings file, for kinds whose protos have none."""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd.conversion.recorded_hubs import recorded_hubs
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.settings.settings import HubEntry, Settings


def apply_hub_settings(crds: Sequence[Crd], settings: Settings, problems: Problems) -> tuple[Crd, ...]:
    """Set the hubs that the settings name; report unknown CRD names."""
    hub_versions = settings.hub_versions
    names = [crd.name for crd in crds]
    for name, row in hub_versions.items():
        if name not in names:
            problem = f'unknown CRD "{name}" in "hub_versions"'
            hint = problems.suggest(name, names) or f"remove it: the CRDs are {', '.join(names) or 'none'}"
            problems.report("conversion-hub", problem, row.at, hint=hint)
    crds = [_set_hub(crd, hub_versions[crd.name], problems) if crd.name in hub_versions else crd for crd in crds]
    recorded = recorded_hubs(crds, settings)
    return tuple([_compare_hub(crd, recorded[crd.name]) if crd.name in recorded else crd for crd in crds])


def _compare_hub(crd: Crd, recorded: frozenset[str]) -> Crd:
    """Set the earlier hubs; set the current hub explicitly if all recorded releases have the same one."""
    hub = crd.hub or next((version.name for version in crd.versions if version.storage), "")
    earlier_hubs = tuple(sorted(recorded - {hub}))
    return crd.replace(earlier_hubs=earlier_hubs) if earlier_hubs else crd.replace(hub=hub)


def _set_hub(crd: Crd, row: HubEntry, problems: Problems) -> Crd:
    if crd.hub and crd.hub != row.version:
        at = crd.get_place("hub")
        place = f" at {at.resolve()}" if at else ""
        problem = f"conflicting hub versions of one kind: {row.version}, and {crd.hub}{place}"
        problems.report(
            "conversion-hub", problem, row.at, path=crd.name, hint="name the hub in one of these places only"
        )
        return crd
    return crd.replace(hub=row.version, marks={**crd.marks, "hub": row.at})
