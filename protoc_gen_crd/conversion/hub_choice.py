"""The hub version of a kind: the declared one, that of the settings, or the storage version."""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd.conversion.recorded_hubs import recorded_hubs
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.settings.settings import HubEntry, Settings


def choose_hub(crd: Crd, problems: Problems) -> str:
    """Return the hub version of a kind: the declared one, else the storage version.

    Args:
        crd: The CRD.
        problems: Receives a finding if the declared hub is no version of the kind.

    Returns:
        The name of the version; empty if the kind does not have it.
    """
    stored = _get_storage_version(crd)
    hub, versions = crd.hub or stored, [version.name for version in crd.versions]
    if hub in versions:
        return hub
    if len(versions) > 1:
        problem = f'unknown hub version "{hub}": the versions of the kind are {", ".join(versions)}'
        hint = problems.suggest(hub, versions) or f"remove it: by default, the storage version {stored} is the hub"
        problems.report("conversion-hub", problem, crd.get_place("hub"), path=crd.name, hint=hint)
    return ""


def _get_storage_version(crd: Crd) -> str:
    return next((version.name for version in crd.versions if version.storage), "")


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
    hub = crd.hub or _get_storage_version(crd)
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
