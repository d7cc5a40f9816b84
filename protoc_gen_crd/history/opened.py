"""Objects with fields that are open now, maps or free of form: they go on taking the fields, under the same names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from protoc_gen_crd.history.changes import is_below
from protoc_gen_crd.history.summary import Facts, KindSummary, Summary, VersionSummary, parent
from protoc_gen_crd.schema.types import PRESERVE


def opened(before: Summary, current: Summary) -> Summary:
    """The current API with such fields as if they were declared still, with what is asked of them now."""
    return {name: _kind(before[name], kind) if name in before else kind for name, kind in current.items()}


def _kind(old: KindSummary, new: KindSummary) -> KindSummary:
    versions = {
        name: _version(old.versions[name], version) if name in old.versions else version
        for name, version in new.versions.items()
    }
    return new.replace(versions=versions)


def _version(old: VersionSummary, new: VersionSummary) -> VersionSummary:
    kept = dict(_kept(old.fields, new.fields))
    return new.replace(fields={**new.fields, **kept}) if kept else new


def _kept(old: Mapping[str, Facts], new: Mapping[str, Facts]) -> Iterator[tuple[str, Facts]]:
    """The fields that are gone and taken all the same; a field of a map is what the map holds."""
    known = {parent(path) for path in new if not path.endswith("{}")}
    for path in (path for path in old if path not in new):
        around = parent(path)
        if around in known or around not in new or not path.startswith(f"{around}."):
            continue
        held = f"{around}{{}}"
        if held in new:
            yield from ((path + each[len(held) :], new[each]) for each in new if each == held or is_below(each, held))
        elif new[around].get(PRESERVE):
            yield from ((each, {}) for each in old if each == path or is_below(each, path))
