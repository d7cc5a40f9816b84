"""Removed fields that are still accepted: their parent is now a map or preserves unknown fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from protoc_gen_crd.history.api_changes import is_below
from protoc_gen_crd.history.api_summary import ApiSummary, Facts, KindSummary, VersionSummary, get_parent
from protoc_gen_crd.schema.schema import PRESERVE


def restore_accepted_fields(before: ApiSummary, current: ApiSummary) -> ApiSummary:
    """The current API with such fields as if they were declared still, with what is asked of them now."""
    return {name: _restore_in_kind(before[name], kind) if name in before else kind for name, kind in current.items()}


def _restore_in_kind(old: KindSummary, new: KindSummary) -> KindSummary:
    versions = {
        name: _restore_in_version(old.versions[name], version) if name in old.versions else version
        for name, version in new.versions.items()
    }
    return new.replace(versions=versions)


def _restore_in_version(old: VersionSummary, new: VersionSummary) -> VersionSummary:
    kept = dict(_find_accepted_fields(old.fields, new.fields))
    return new.replace(fields={**new.fields, **kept}) if kept else new


def _find_accepted_fields(old: Mapping[str, Facts], new: Mapping[str, Facts]) -> Iterator[tuple[str, Facts]]:
    """Find removed fields that are still accepted, with the facts of the map values or none."""
    known = {get_parent(path) for path in new if not path.endswith("{}")}
    for path in (path for path in old if path not in new):
        around = get_parent(path)
        if around in known or around not in new or not path.startswith(f"{around}."):
            continue
        held = f"{around}{{}}"
        if held in new:
            yield from ((path + each[len(held) :], new[each]) for each in new if each == held or is_below(each, held))
        elif new[around].get(PRESERVE):
            yield from ((each, {}) for each in old if each == path or is_below(each, path))
