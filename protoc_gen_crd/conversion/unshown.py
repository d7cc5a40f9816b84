"""What two versions of a kind no longer see of each other when conversions go through another hub than before."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.entries import entries
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.plan import Plan
from protoc_gen_crd.conversion.planning import plan_of
from protoc_gen_crd.conversion.rules.rules import RuleFile
from protoc_gen_crd.crd.types import Crd


def unshown(crd: Crd, files: Sequence[RuleFile], was: str) -> Iterator[tuple[str, Path]]:
    """Versions, and their fields that the old hub, which is still there, shows as they are and the new one does not.

    Where the declarations do not say how the old hub converts, it is taken to show what it has itself under that path.
    """
    problems = Problems()
    now, old = plan_of(crd, Problems(), files), plan_of(crd.replace(hub=was), problems, files)
    if now is None or old is None:
        return
    for pair in now.pairs:
        if pair.spoke == was:
            continue
        less = _less(now, pair.spoke)
        had = less.keys() - _less(old, pair.spoke).keys()
        for path, there in less.items():
            here = paths.at(old.schema(was), path) is not None
            if (path in had) if not problems.findings else (here and not there):
                yield pair.spoke, path


def _less(plan: Plan, version: str) -> dict[Path, bool]:
    """The fields of a version that the hub does not show as they are, and whether it shows anything for them."""
    pair = next(pair for pair in plan.pairs if pair.spoke == version)
    found = entries(pair.to_hub, pair.from_hub)
    return {entry.path: entry.back is not None for entry in found if not (entry.empty or entry.made)}
