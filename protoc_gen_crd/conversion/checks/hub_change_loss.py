"""Fields of other spokes that an earlier hub may have kept and that no longer convert to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protoc_gen_crd.comparison.api_summary import HUB, ApiSummary
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan_builder import build_plan
from protoc_gen_crd.conversion.rule_files.api_conversion import RuleFile
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.findings.finding import Problems

_MIN_VERSIONS = 3  # with two versions, no conversion goes through a third one


def check_hub_change(before: ApiSummary, crds: Sequence[Crd], files: Sequence[RuleFile], problems: Problems) -> None:
    """Report fields that are lost in conversions between spokes because the hub has changed."""
    for crd in crds:
        kind = before.get(f"{crd.group}/{crd.names.kind}")
        stored = [name for name, version in kind.versions.items() if version.facts.get("storage")] if kind else []
        new = next((version.name for version in crd.versions if version.storage), "")
        names = [version.name for version in crd.versions]
        recorded = kind.facts.get(HUB) if kind else None
        old, new = recorded or (stored[0] if stored else new), crd.hub or new
        if old not in names or old == new or len(names) < _MIN_VERSIONS:
            continue
        for version, path in _find_hub_change_losses(crd, files, old):
            problem = f"the hub of {crd.names.kind} changes from {old} to {new}, which cannot represent all of "
            problem += f'"{paths.format_path(path)}" of {version}'
            hint = f'add such a field to {new}, or keep the hub with (protoc_gen_crd.v1.resource).hub_version = "{old}"'
            hint += "" if crd.hub else "; the storage version can still change"
            problems.report("conversion-hub-change", problem, crd.origin, path=f"{crd.name}.{version}", hint=hint)


def _find_hub_change_losses(crd: Crd, files: Sequence[RuleFile], old_hub: str) -> Iterator[tuple[str, Path]]:
    """Return versions and fields that the hub lacks and that do not convert directly to the old hub."""
    plan = build_plan(crd, Problems(), files)
    for gap in plan.gaps if plan is not None else ():
        if gap.other == old_hub:
            yield from ((gap.spoke, path) for path in gap.fields)
