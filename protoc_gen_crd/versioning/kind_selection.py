"""Selection of the kinds whose versions change."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.suggestions import suggest
from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.versioning.api_sources import KindSource
from protoc_gen_crd.versioning.crd_manifests import CrdManifest
from protoc_gen_crd.versioning.workspace import Workspace


class _Kind(Protocol):
    @property
    def group(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def versions(self) -> tuple[str, ...]: ...


class KindSelection(Record):
    """The selected kinds that have a version, from .proto files and from CRD manifests, and their CRDs."""

    kinds: tuple[KindSource, ...]
    manifests: tuple[CrdManifest, ...]
    crds: tuple[Crd, ...]

    @property
    def names(self) -> list[str]:
        """The names of the CRDs."""
        return [crd.name for crd in self.crds]

    @property
    def pairs(self) -> frozenset[tuple[str, str]]:
        """The groups and kinds."""
        return frozenset((crd.group, crd.names.kind) for crd in self.crds)


def list_versions(versions: Iterable[str]) -> str:
    """Return the hint that lists the known versions."""
    return f"versions: {', '.join(sorted(set(versions)))}"


def select_kinds(
    workspace: Workspace, patterns: Sequence[str], version: str, problems: Problems
) -> KindSelection | None:
    """Return the kinds that match the patterns and have a version; None, with findings, if there are none.

    Without patterns, all kinds with the version are selected, which must be of one group.
    """
    known = len(problems.findings)
    kinds: list[_Kind] = [*workspace.kinds, *workspace.manifests]
    matching = [kind for kind in kinds if not patterns or any(_matches(kind, pattern) for pattern in patterns)]
    for pattern in patterns:
        if not any(_matches(kind, pattern) for kind in kinds):
            hint = suggest(pattern, [name for kind in kinds for name in (kind.kind, kind.name)]) or _list_names(kinds)
            problems.report("edit-element", f'unknown kind "{pattern}"', hint=hint)
    with_version = [kind for kind in matching if version in kind.versions]
    if not with_version and len(problems.findings) == known:
        versions = [name for kind in matching for name in kind.versions]
        versions += [
            group_version.name
            for plan in workspace.groups.plans
            for group_version in plan.group.versions
            if not patterns
        ]
        owner = "no kind and no API group" if workspace.groups.plans else "no kind"
        hint = suggest(version, versions) or list_versions(versions)
        problems.report("edit-element", f'{owner} has the version "{version}"', hint=hint)
    groups = sorted({kind.group for kind in with_version})
    if len(groups) > 1 and not patterns:
        message = f"{version} is a version of several groups: {', '.join(groups)}"
        hint = f"select kinds: {' '.join(f'--kind {kind.name}' for kind in with_version)}"
        problems.report("edit-element", message, hint=hint)
    if len(problems.findings) > known:
        return None
    names = {kind.name for kind in with_version}
    crds = tuple(crd for crd in workspace.crds if f"{crd.names.kind}.{crd.group}" in names)
    return KindSelection(
        tuple(kind for kind in workspace.kinds if kind.name in names),
        tuple(manifest for manifest in workspace.manifests if manifest.name in names),
        crds,
    )


def _matches(kind: _Kind, pattern: str) -> bool:
    return pattern in (kind.kind, kind.name)


def _list_names(kinds: Iterable[_Kind]) -> str:
    return f"kinds: {', '.join(kind.name for kind in kinds)}"
