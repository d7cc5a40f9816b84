"""Checks of a removed version: it must not be stored, the hub, a replacement, or the only one of its kind."""

from __future__ import annotations

from collections.abc import Iterable

from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.versioning.proto_deprecations import make_warning


def check_removal(crds: Iterable[Crd], version: str, problems: Problems) -> None:
    """Report versions that are stored, that others depend on, or that are the only one of their kind."""
    for crd in crds:
        entry = next(candidate for candidate in crd.versions if candidate.name == version)
        others = [other.name for other in crd.versions if other.name != version]
        reason, hint = "", ""
        if not others:
            reason, hint = "the only version", "remove the kind instead"
        elif entry.storage:
            reason = "the storage version"
            hint = f"make {others[0]} the storage version, release that, and migrate stored objects first"
        elif crd.hub == version:
            reason, hint = "the hub version of conversions", f"make {others[0]} the hub version first"
        elif replaced := [other.name for other in crd.versions if _names_replacement(crd, other, version)]:
            reason = f"the replacement of {', '.join(replaced)}"
            hint = f"remove the deprecation of {replaced[0]}, or name another replacement, first"
        if reason:
            message = f"version {version} of {crd.names.kind} is {reason}"
            problems.report("edit-removal", message, entry.origin, path=f"{crd.name}.{version}", hint=hint)


def _names_replacement(crd: Crd, other: CrdVersion, version: str) -> bool:
    """Report whether the deprecation warning of another version names a version as its replacement."""
    return other.deprecation_warning == make_warning(crd, other.name, version)
