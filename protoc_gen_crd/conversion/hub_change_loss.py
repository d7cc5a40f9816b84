"""Fields of other spokes that an earlier hub may have kept and that no longer convert to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan_builder import build_plan
from protoc_gen_crd.conversion.rule_files.rule_file import RuleFile
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.findings.finding import Problems


def find_hub_change_losses(crd: Crd, files: Sequence[RuleFile], old_hub: str) -> Iterator[tuple[str, Path]]:
    """Return versions and fields that the hub lacks and that do not convert directly to the old hub."""
    plan = build_plan(crd, Problems(), files)
    for gap in plan.gaps if plan is not None else ():
        if gap.other == old_hub:
            yield from ((gap.spoke, path) for path in gap.fields)
