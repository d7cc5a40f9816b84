"""API versions and ranges of versions as phrases in messages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from protoc_gen_crd.kubernetes.api_version_order import get_age_key
from protoc_gen_crd.kubernetes.version_ranges import VersionRange

_MAX_ITEMS = 5  # versions, or runs of versions


def format_versions(names: Sequence[str], all_names: Iterable[str]) -> str:
    """Return API versions as a phrase: `v3, v2 and v1`, of many `v1, v3 and v5 to v9`.

    Runs such as `v5 to v9` go through the versions in `all_names`, from old to new; of many runs only the first are
    named.
    """
    items = list(names)
    if len(items) > _MAX_ITEMS:
        ages = {name: age for age, name in enumerate(sorted(all_names, key=get_age_key))}
        runs: list[list[str]] = []
        for name in sorted(names, key=get_age_key):
            if runs and ages[name] == ages[runs[-1][-1]] + 1:
                runs[-1].append(name)
            else:
                runs.append([name])
        items = [f"{run[0]} to {run[-1]}" if len(run) > 1 else run[0] for run in runs[:_MAX_ITEMS]]
        if rest := sum(map(len, runs[_MAX_ITEMS:])):
            items.append(f"{rest} more")
    return " and ".join(filter(None, [", ".join(items[:-1]), items[-1]]))


def format_ranges(ranges: Iterable[VersionRange]) -> str:
    """Return the versions that are in all of some ranges as a phrase: `v1 and later`, `v1beta1 to v1`."""
    return ", and only in ".join(map(_format_range, ranges))


def _format_range(version_range: VersionRange) -> str:
    since, until = version_range.since, version_range.until
    if since and until:
        phrase = since if since == until else f"{since} to {until}"
    else:
        phrase = f"{since} and later" if since else f"{until} and earlier"
    return f"release {phrase}" if version_range.is_of_releases else phrase
