"""API groups of Kubernetes itself, whose kinds no CRD defines."""

from __future__ import annotations

from protoc_gen_crd.kubernetes.built_in_kinds import BUILT_IN_KINDS

CORE_VERSION = "v1"
_CONFIGURATION_SUFFIX = ".config.k8s.io"
_SUBPROJECT_SUFFIX = ".x-k8s.io"
_DEPRECATED_GROUP = "extensions"


def is_built_in(group: str, version: str) -> bool:
    """Return whether a group, empty for the core group, belongs to Kubernetes itself."""
    return group in BUILT_IN_KINDS if group else version == CORE_VERSION


def has_built_in_kind(group: str, kind: str) -> bool:
    """Return whether a built-in group has a kind, which can be a list."""
    return not BUILT_IN_KINDS[group].isdisjoint((kind, kind.removesuffix("List")))


def list_built_in_groups(kind: str) -> list[str]:
    """Return the built-in groups of a kind, sorted and empty for the core group, without deprecated ones."""
    groups = [group for group in sorted(BUILT_IN_KINDS) if has_built_in_kind(group, kind)]
    return [group for group in groups if group != _DEPRECATED_GROUP] or groups


def is_subproject(group: str) -> bool:
    """Return whether a group has the suffix for CRDs of Kubernetes' subprojects, such as `scheduling.x-k8s.io`."""
    return group.endswith(_SUBPROJECT_SUFFIX)


def is_configuration(group: str) -> bool:
    """Return whether the files of a group configure kustomize or a component, and are never sent to API servers."""
    return group.endswith(_CONFIGURATION_SUFFIX)
