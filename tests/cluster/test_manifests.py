"""The webhook's manifests and the command `patch` on the running API server."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

import pytest
import yaml

from protoc_gen_crd.cli.main import main
from tests.cluster.server import CRDS, Cluster
from tests.conftest import ROOT

BASE = ROOT / "testdata" / "manifests" / "jobs" / "expected" / "deploy" / "base"
PROTOS = ROOT / "testdata" / "patch" / "printed"
NAME = "jobs.acme.example"
# Return the collection of a kind; those of cert-manager are unknown to the server.
PATHS = {
    "ClusterRole": "/apis/rbac.authorization.k8s.io/v1/clusterroles",
    "Deployment": "/apis/apps/v1/namespaces/acme-system/deployments",
    "NetworkPolicy": "/apis/networking.k8s.io/v1/namespaces/acme-system/networkpolicies",
    "PodDisruptionBudget": "/apis/policy/v1/namespaces/acme-system/poddisruptionbudgets",
    "Service": "/api/v1/namespaces/acme-system/services",
    "ServiceAccount": "/api/v1/namespaces/acme-system/serviceaccounts",
    "ValidatingWebhookConfiguration": "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
}


def documents() -> Iterator[dict[str, Any]]:
    for file in sorted(BASE.glob("*.yaml")):
        yield from yaml.safe_load_all(file.read_text("utf-8"))


def test_the_server_accepts_every_manifest(cluster: Cluster) -> None:
    (namespace,) = (document for document in documents() if document["kind"] == "Namespace")
    assert cluster.call("POST", "/api/v1/namespaces", namespace).code == 201
    try:
        for document in documents():
            if document["kind"] in PATHS:
                # Strictly, and with the warnings of the restricted profile, which the namespace enables.
                reply = cluster.call("POST", f"{PATHS[document['kind']]}?dryRun=All&fieldValidation=Strict", document)
                assert (document["kind"], reply.code, reply.warnings) == (document["kind"], 201, ())
    finally:
        cluster.call("DELETE", "/api/v1/namespaces/acme-system")


def test_patch_changes_nothing_but_the_conversion(
    cluster: Cluster, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("kubernetes", reason="the client is missing: pip install --editable .[dev]")
    monkeypatch.chdir(cluster.folder)
    (cluster.folder / ".git").mkdir(exist_ok=True)
    assert main(["generate", str(PROTOS), "--out", "crds"]) == 0
    crd = yaml.safe_load((cluster.folder / "crds" / "acme.example_jobs.yaml").read_text("utf-8"))
    assert cluster.call("POST", CRDS, crd).code == 201
    try:
        before = cluster.call("GET", f"{CRDS}/{NAME}").body
        flags = ["--cluster", "--kubeconfig", str(cluster.kubeconfig)]
        arguments = ["patch", str(PROTOS), "--webhook-service", "acme-system/converter", *flags]
        assert main(arguments) == 0
        assert main(arguments) == 0
        assert capsys.readouterr().out.endswith(f"patched {NAME}\n{NAME} is up to date\n")
        after = cluster.call("GET", f"{CRDS}/{NAME}").body
        assert after["spec"].pop("conversion") == {
            "strategy": "Webhook",
            "webhook": {
                "clientConfig": {
                    "service": {"namespace": "acme-system", "name": "converter", "path": "/convert", "port": 443}
                },
                "conversionReviewVersions": ["v1"],
            },
        }
        assert before["spec"].pop("conversion") == {"strategy": "None"}
        assert after["spec"] == before["spec"]
        assert main(["patch", str(PROTOS), "--webhook-url", "https://converter.acme.example", *flags]) == 0
        url = cluster.call("GET", f"{CRDS}/{NAME}").body["spec"]["conversion"]["webhook"]["clientConfig"]
        assert url == {"url": "https://converter.acme.example/convert"}
        _check_stored(cluster, flags, capsys)
    finally:
        cluster.call("DELETE", f"{CRDS}/{NAME}")


def _check_stored(cluster: Cluster, flags: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing is patched while the server may have objects in a version that the API no longer has."""
    crd = cluster.call("GET", f"{CRDS}/{NAME}").body
    old = copy.deepcopy(crd["spec"]["versions"][-1]) | {"name": "v1alpha1", "storage": False}
    crd["spec"]["versions"].append(old)
    assert cluster.call("PUT", f"{CRDS}/{NAME}", crd).code == 200
    crd = cluster.call("GET", f"{CRDS}/{NAME}").body
    crd["status"]["storedVersions"] = ["v1alpha1", *crd["status"]["storedVersions"]]
    assert cluster.call("PUT", f"{CRDS}/{NAME}/status", crd).code == 200
    assert main(["patch", str(PROTOS), "--webhook-service", "acme-system/converter", *flags]) == 1
    assert "version v1alpha1 of Job is removed" in capsys.readouterr().err
