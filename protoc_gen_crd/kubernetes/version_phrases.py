"""API versions as a phrase in messages, in which many versions are shortened."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

_MAX_ITEMS = 5  # versions, or runs of versions


def format_versions(names: Sequence[str], order: Mapping[str, int]) -> str:
    """Return API versions as a phrase: `v3, v2 and v1`, of many `v9 to v5, v3 and v1`.

    `order` numbers the versions that a run such as `v9 to v5` may go through; of many runs only the first are named.
    """
    items = list(names)
    if len(items) > _MAX_ITEMS:
        runs: list[list[str]] = []
        for name in names:
            if runs and order[name] == order[runs[-1][-1]] + 1:
                runs[-1].append(name)
            else:
                runs.append([name])
        items = [f"{run[0]} to {run[-1]}" if len(run) > 1 else run[0] for run in runs[:_MAX_ITEMS]]
        if rest := sum(map(len, runs[_MAX_ITEMS:])):
            items.append(f"{rest} more")
    return " and ".join(filter(None, [", ".join(items[:-1]), items[-1]]))
