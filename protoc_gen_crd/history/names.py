"""Which releases are recorded, and which one is next. Reads names of folders and no file, so a plugin run may ask."""

from __future__ import annotations

import os

from protoc_gen_crd.base.versions import following, parse_release
from protoc_gen_crd.settings import Settings


def names(folder: str | os.PathLike[str]) -> list[str]:
    """The names of the recorded releases, oldest first; none where there is no such folder."""
    found = [entry.name for entry in os.scandir(folder)] if os.path.isdir(folder) else []  # noqa: PTH112 - for plugins
    return sorted((name for name in found if parse_release(name)), key=lambda name: parse_release(name) or ())


def released(settings: Settings) -> Settings:
    """Settings for the next release, where releases are recorded and none is named."""
    if settings.release or settings.compat:
        return settings
    known = names(settings.history)
    return settings.replace(release=following(known[-1])) if known else settings
