"""Hubs of recorded releases: the versions that stored objects may have been converted through."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from protoc_gen_crd.base.bounded_json import parse_json
from protoc_gen_crd.base.input_files import read_text
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.history.release_names import list_releases
from protoc_gen_crd.settings.settings import Settings

SPOKES = 2  # more spokes than this: some conversions are composed


def recorded_hubs(crds: Sequence[Crd], settings: Settings) -> dict[str, frozenset[str]]:
    """Return the hubs of all recorded releases by CRD name; empty without recorded releases.

    A kind without a release was never stored and has no earlier hub. The comparison of releases reports summaries that
    cannot be read.
    """
    candidates = [crd for crd in crds if len(crd.versions) > SPOKES]
    summaries = list(_read_summaries(Path(settings.history))) if candidates else []
    names = {crd.name: f"{crd.group}/{crd.names.kind}" for crd in candidates}
    return {name: frozenset(_find_hubs(summaries, kind)) for name, kind in names.items() if summaries}


def _read_summaries(folder: Path) -> Iterator[dict[str, Any]]:
    try:
        releases = list_releases(folder)
    except OSError:  # for example, no permission
        return
    for release in releases:
        try:
            data = parse_json(read_text(folder / release / "api.json"))
        except (OSError, ValueError):
            continue
        if kinds := _get_object(data, "kinds"):
            yield kinds


def _get_object(parent: Any, name: str) -> dict[str, Any]:
    """Return an object of a record, empty if it is missing or anything else, which the file may contain."""
    value = parent.get(name) if isinstance(parent, dict) else None
    return value if isinstance(value, dict) else {}


def _find_hubs(summaries: Sequence[dict[str, Any]], kind: str) -> Iterator[str]:
    """Return the hub of each release: the explicit one, else the storage version."""
    for kinds in summaries:
        summary = _get_object(kinds, kind)
        versions = _get_object(summary, "versions")
        named = _get_object(summary, "facts").get("hub")
        if named and isinstance(named, str):
            yield named
        else:
            yield from [name for name in versions if _get_object(_get_object(versions, name), "facts").get("storage")]
