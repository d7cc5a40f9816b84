"""Names of recorded releases, and the next release. Only folder names are read, to be fast enough for plugin runs."""

from __future__ import annotations

import os

from protoc_gen_crd.kubernetes.version_ranges import get_next_release, parse_release
from protoc_gen_crd.settings.settings import Settings


def list_releases(folder: str | os.PathLike[str]) -> list[str]:
    """Return the names of the recorded releases, oldest first; empty if the folder does not exist."""
    names = [entry.name for entry in os.scandir(folder)] if os.path.isdir(folder) else []  # noqa: PTH112 - avoids the import of pathlib in plugin runs
    return sorted((name for name in names if parse_release(name)), key=lambda name: parse_release(name) or ())


def resolve_release(settings: Settings) -> Settings:
    """Set the release to the next one, if releases are recorded and the settings name none.

    Suppressions that end before the release or today are marked as expired.
    """
    resolved = _set_release(settings)
    if not any(entry.until for entry in resolved.findings):
        return resolved
    from protoc_gen_crd.findings.expiry import mark_expired  # noqa: PLC0415 - few entries have an end

    return resolved.replace(findings=mark_expired(resolved.findings, resolved.release))


def _set_release(settings: Settings) -> Settings:
    if settings.release or settings.compat:
        return settings
    releases = list_releases(settings.history)
    return settings.replace(release=get_next_release(releases[-1])) if releases else settings
