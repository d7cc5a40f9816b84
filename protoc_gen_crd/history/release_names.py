"""Names of recorded releases, and the next release. Reads only folder names, which is cheap enough for plugin runs."""

from __future__ import annotations

import os

from protoc_gen_crd.kubernetes.versions import get_next_release, parse_release
from protoc_gen_crd.settings.settings import Settings


def list_releases(folder: str | os.PathLike[str]) -> list[str]:
    """The names of the recorded releases, oldest first; none where there is no such folder."""
    found = [entry.name for entry in os.scandir(folder)] if os.path.isdir(folder) else []  # noqa: PTH112 - for plugins
    return sorted((name for name in found if parse_release(name)), key=lambda name: parse_release(name) or ())


def resolve_release(settings: Settings) -> Settings:
    """Settings for the next release, where releases are recorded and none is named."""
    if settings.release or settings.compat:
        return settings
    known = list_releases(settings.history)
    return settings.replace(release=get_next_release(known[-1])) if known else settings
