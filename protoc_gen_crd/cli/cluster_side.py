"""The CRDs of a cluster as the old side of a comparison."""

from __future__ import annotations

import json
from collections.abc import Collection

from protoc_gen_crd.cluster.api_server import ClusterError
from protoc_gen_crd.cluster.cluster_client import connect
from protoc_gen_crd.cluster.installed_crds import list_manifests
from protoc_gen_crd.documents.api_side import ApiSide
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.side_loader import SideReader

LABEL = "cluster"


def read_cluster(groups: Collection[str], settings: Settings, problems: Problems) -> ApiSide | None:
    """Read the CRDs of these groups, or of all groups without any; None, with a finding, if it is not possible."""
    try:
        manifests = list_manifests(connect(settings.kubeconfig, settings.context))
    except ClusterError as error:
        hint = "check --kubeconfig and --context, or compare with a file of `kubectl get crds -o yaml`"
        problems.report("old-reference", f"cannot read {LABEL}: {error}", hint=hint)
        return None
    reader = SideReader(LABEL, settings, problems)
    selected = [manifest for manifest in manifests if not groups or manifest["spec"].get("group") in groups]
    files = {
        f"{LABEL}:{manifest['metadata']['name']}": json.dumps(manifest, indent=2).encode() for manifest in selected
    }
    return reader.read_contents(files)
