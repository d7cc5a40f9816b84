"""Where this tool was installed from, so that CI installs the same.

Source: PEP 610 (direct_url.json of an installed distribution).
"""

from __future__ import annotations

import json
import re
from importlib.metadata import PackageNotFoundError, distribution

from protoc_gen_crd import __version__
from protoc_gen_crd.base.record import Record

_NAME = "protoc-gen-crd"
_PLAIN = re.compile(r"[A-Za-z0-9_./@:+~%-]+")  # needs no quotes in YAML and in a shell


class InstallSource(Record):
    """The requirement for pip. `repository` and `revision` are empty unless git was the source."""

    requirement: str
    repository: str = ""
    revision: str = ""


def find_install_source() -> InstallSource:
    """Return the git repository with its commit, otherwise the release of this version."""
    try:
        direct = json.loads(distribution(_NAME).read_text("direct_url.json") or "{}")
    except (PackageNotFoundError, ValueError):
        direct = {}
    source = direct.get("vcs_info") or {}
    url, commit = str(direct.get("url")), str(source.get("commit_id"))
    if source.get("vcs") == "git" and _PLAIN.fullmatch(url) and _PLAIN.fullmatch(commit):
        return InstallSource(f"git+{url}@{commit}", url, commit)
    return InstallSource(f"{_NAME}=={__version__}")
