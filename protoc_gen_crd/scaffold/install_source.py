"""The source of the installation of this tool, so that CI installs the same.

Source: PEP 610 (direct_url.json of an installed distribution).
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from importlib.metadata import PackageNotFoundError, distribution
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

from protoc_gen_crd import __version__
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.documents.git_repository import GitError, GitRepository

_NAME = "protoc-gen-crd"
_PLAIN = re.compile(r"[A-Za-z0-9_./@:+~%-]+")  # needs no quotes in YAML and in a shell
_SCHEMES = ("http", "https")  # others are of this machine, or need a key that CI lacks
# git@host:path and ssh://git@host/path. GitHub, GitLab, and others with the user "git" serve the path over HTTPS, too.
_SSH = re.compile(r"(?:ssh://git@([\w.-]+)/|git@([\w.-]+):/?)(?=[^/])")


class InstallSource(Record):
    """The requirement for pip, empty if CI cannot install it. `repository` and `revision` are set if git has it."""

    requirement: str = ""
    repository: str = ""
    revision: str = ""


def find_install_source() -> InstallSource:
    """Return the git repository with its commit, an archive, or the release that an index has.

    A folder or a repository of this machine is a clone: its commit is at the address of its remote, if it was pushed.
    """
    try:
        content = distribution(_NAME).read_text("direct_url.json")
        # Without the file, the tool was installed by name.
        return _read_direct_url(json.loads(content)) if content else InstallSource(f"{_NAME}=={__version__}")
    except (PackageNotFoundError, ValueError):
        return InstallSource()


def _read_direct_url(direct: Mapping[str, Any]) -> InstallSource:
    url, vcs = str(direct.get("url")), direct.get("vcs_info") or {}
    if vcs.get("vcs", "git") != "git":
        return InstallSource()
    if urlsplit(url).scheme == "file" and "archive_info" not in direct:
        return _find_published(url2pathname(urlsplit(url).path), vcs.get("commit_id", "HEAD"))
    if vcs:
        return _make_source(url, str(vcs.get("commit_id")))
    return InstallSource(url if _is_remote(url) else "")


def _find_published(folder: str, ref: str) -> InstallSource:
    """Return the source of a clone: the address of its remote and a commit that the remote has."""
    try:
        repository = GitRepository(folder)
        commit = repository.resolve(ref)
        is_published = not repository.prefix and repository.is_published(commit)
        return _make_source(repository.remote, commit) if is_published else InstallSource()
    except (GitError, OSError):
        return InstallSource()


def _make_source(address: str, commit: str) -> InstallSource:
    url = (
        _SSH.sub(lambda match: f"https://{match[1] or match[2]}/", address, count=1) if _SSH.match(address) else address
    )
    if not _is_remote(url) or not _PLAIN.fullmatch(commit):
        return InstallSource()
    return InstallSource(f"git+{url}@{commit}", url, commit)


def _is_remote(url: str) -> bool:
    """Return whether any machine can read an address. One with a user name can contain a password."""
    parts = urlsplit(url)
    return parts.scheme in _SCHEMES and "@" not in parts.netloc and bool(_PLAIN.fullmatch(url))
