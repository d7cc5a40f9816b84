"""Hubs of the settings: the versions that conversions go through of kinds whose protos do not say it, or have none."""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.crd.types import Crd
from protoc_gen_crd.settings import HubRow, Settings


def with_hubs(crds: Sequence[Crd], settings: Settings, problems: Problems) -> tuple[Crd, ...]:
    """The Crds, with the hubs that the settings name; names of CRDs that are not there are reported."""
    given = settings.hub_versions
    known = [crd.name for crd in crds]
    for name, row in given.items():
        if name not in known:
            problem = f'"hub_versions" must name CRDs that are there, found "{name}"'
            problems.report("conversion-hub", problem, row.at, hint=problems.suggestion(name, known))
    return tuple([_with(crd, given[crd.name], problems) if crd.name in given else crd for crd in crds])


def _with(crd: Crd, row: HubRow, problems: Problems) -> Crd:
    if crd.hub and crd.hub != row.version:
        at = crd.place("hub")
        here = f" at {at.resolve()}" if at else ""
        problem = f"the hub of a kind must be said once, found {row.version} and {crd.hub}{here}"
        problems.report("conversion-hub", problem, row.at, path=crd.name)
        return crd
    return crd.replace(hub=row.version, marks={**crd.marks, "hub": row.at})
