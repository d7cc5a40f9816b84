"""Changes that a recorded release already has, or that affect only what was never released.

Compatibility is promised between releases. What a release was recorded with has been accepted, and an element that no
release has may still change.
"""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd.comparison.api_comparison import compare_apis
from protoc_gen_crd.comparison.change import Change
from protoc_gen_crd.comparison.group_api import GroupApi
from protoc_gen_crd.comparison.group_comparison import compare_groups
from protoc_gen_crd.crd.crd import Crd


def drop_released(changes: Sequence[Change], released: Sequence[Crd], new: Sequence[Crd], minor: int) -> list[Change]:
    """Return the changes that are also changes of the last release, and those of kinds that it does not have.

    Args:
        changes: The changes since some other state of the API.
        released: The CRDs of the last recorded release.
        new: The current CRDs.
        minor: The minor version of Kubernetes that compares.
    """
    if not released:
        return list(changes)
    kinds = {f"{crd.group}/{crd.names.kind}" for crd in released}
    unreleased = {key for change in compare_apis(released, new, minor) for key in _get_keys(change)}
    return [change for change in changes if change.kind not in kinds or unreleased & set(_get_keys(change))]


def drop_released_groups(changes: Sequence[Change], released: GroupApi, new: GroupApi) -> list[Change]:
    """Return the changes that are also changes of the last release, and those of groups that it does not have."""
    unreleased = {key for change in compare_groups(released, new) for key in _get_keys(change)}
    return [change for change in changes if change.kind not in released.summary or unreleased & set(_get_keys(change))]


def _get_keys(change: Change) -> list[tuple[str, str, str]]:
    """Return the elements of a change by version; changes of whole objects and CRDs also have their rule."""
    rule = "" if change.path else change.rule
    names = [path or rule for path in (change.path, *change.other_paths)]
    return [(change.kind, version, name) for version in change.versions or ("",) for name in names]
