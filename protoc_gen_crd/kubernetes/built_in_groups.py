"""API groups of Kubernetes itself, whose kinds no CRD defines.

Source: k8s.io/api, k8s.io/apiextensions-apiserver and k8s.io/kube-aggregator v0.37.1, `GroupName` of each package.
"""

from __future__ import annotations

_CORE_VERSION = "v1"
_CONFIGURATION_SUFFIX = ".config.k8s.io"
BUILT_IN_GROUPS = frozenset(
    {
        "admission.k8s.io",
        "admissionregistration.k8s.io",
        "apidiscovery.k8s.io",
        "apiextensions.k8s.io",
        "apiregistration.k8s.io",
        "apps",
        "authentication.k8s.io",
        "authorization.k8s.io",
        "autoscaling",
        "batch",
        "certificates.k8s.io",
        "coordination.k8s.io",
        "discovery.k8s.io",
        "events.k8s.io",
        "extensions",
        "flowcontrol.apiserver.k8s.io",
        "imagepolicy.k8s.io",
        "internal.apiserver.k8s.io",
        "lifecycle.k8s.io",
        "networking.k8s.io",
        "node.k8s.io",
        "policy",
        "rbac.authorization.k8s.io",
        "resource.k8s.io",
        "scheduling.k8s.io",
        "storage.k8s.io",
        "storagemigration.k8s.io",
    }
)


def is_built_in(group: str, version: str) -> bool:
    """Return whether a group, empty for the core group, belongs to Kubernetes itself."""
    return group in BUILT_IN_GROUPS if group else version == _CORE_VERSION


def is_configuration(group: str) -> bool:
    """Return whether the files of a group configure kustomize or a component, and are never sent to API servers."""
    return group.endswith(_CONFIGURATION_SUFFIX)
