"""Removed fields that are still accepted: their parent is now a map or preserves unknown fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from protoc_gen_crd.comparison.api_summary import ApiSummary, Facts, KindSummary, VersionSummary, get_parent
from protoc_gen_crd.comparison.summary_comparison import is_below
from protoc_gen_crd.schema.schema import PRESERVE


def restore_accepted_fields(before: ApiSummary, current: ApiSummary) -> ApiSummary:
    """Return the current API with removed fields that are still accepted, with their current constraints."""
    return {name: _restore_in_kind(before[name], kind) if name in before else kind for name, kind in current.items()}


def _restore_in_kind(old: KindSummary, new: KindSummary) -> KindSummary:
    versions = {
        name: _restore_in_version(old.versions[name], version) if name in old.versions else version
        for name, version in new.versions.items()
    }
    return new.replace(versions=versions)


def _restore_in_version(old: VersionSummary, new: VersionSummary) -> VersionSummary:
    accepted = dict(_find_accepted_fields(old.fields, new.fields))
    return new.replace(fields={**new.fields, **accepted}) if accepted else new


def _find_accepted_fields(old: Mapping[str, Facts], new: Mapping[str, Facts]) -> Iterator[tuple[str, Facts]]:
    """Find removed fields that are still accepted, with the facts of the map values or none."""
    with_fields = {get_parent(path) for path in new if not path.endswith("{}")}
    for path in (path for path in old if path not in new):
        parent = get_parent(path)
        if parent in with_fields or parent not in new or not path.startswith(f"{parent}."):
            continue
        values = f"{parent}{{}}"
        if values in new:
            parts = (part for part in new if part == values or is_below(part, values))
            yield from ((path + part[len(values) :], new[part]) for part in parts)
        elif new[parent].get(PRESERVE):
            yield from ((part, {}) for part in old if part == path or is_below(part, path))
