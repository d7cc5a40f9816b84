"""The webhook as validating webhook of the API server itself, for a CRD that is installed with fewer constraints."""

from __future__ import annotations

import base64
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.cluster.server import Cluster
from tests.conftest import ROOT
from tests.support.serving import CERTIFICATES, Serving, until

NAME = "machines.acme.example"
HOOKS = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations"
URL = "/apis/acme.example/v1/namespaces/default/machines"
MERGE, APPLY = "application/merge-patch+json", "application/apply-patch+yaml"
TEXT = (
    'Machine.acme.example "{}" is invalid: spec.replicas: Invalid value: 6: spec.replicas in body should be less than'
)


@pytest.fixture(scope="module")
def webhook(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Serving, Path]]:
    folder = tmp_path_factory.mktemp("machines") / "crds"
    command = [sys.executable, "-m", "protoc_gen_crd", "generate", str(ROOT / "testdata" / "webhook" / "api")]
    subprocess.run([*command, "--out", str(folder), "--converters", "converters"], check=True)
    running = Serving(folder, "--converter-package", folder / "converters")
    yield running, folder
    running.stop()


@pytest.fixture(scope="module")
def machines(webhook: tuple[Serving, Path], cluster: Cluster) -> Iterator[Cluster]:
    """A server whose CRD has no bounds, with the webhook that validates them."""
    running, folder = webhook
    (crd,) = yaml.safe_load_all((folder / "acme.example_machines.yaml").read_text("utf-8"))
    authority = base64.b64encode((CERTIFICATES / "ca.crt").read_bytes()).decode()
    client = {"caBundle": authority, "url": f"https://localhost:{running.port}"}
    review = {"conversionReviewVersions": ["v1"], "clientConfig": {**client, "url": f"{client['url']}/convert"}}
    crd["spec"]["conversion"] = {"strategy": "Webhook", "webhook": review}
    for version in crd["spec"]["versions"]:
        for part in version["schema"]["openAPIV3Schema"]["properties"].values():
            for field in part.get("properties", {}).values():
                field.pop("maximum", None)
    cluster.serve([crd])
    rule = {"apiGroups": ["acme.example"], "apiVersions": ["*"], "operations": ["*"]}
    hook = {
        "name": "validate.acme.example",
        "clientConfig": {**client, "url": f"{client['url']}/validate"},
        "rules": [{**rule, "resources": ["machines", "machines/status"]}],
        "admissionReviewVersions": ["v1"],
        "sideEffects": "None",
    }
    kind = {"apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingWebhookConfiguration"}
    response = cluster.call("POST", HOOKS, {**kind, "metadata": {"name": "acme"}, "webhooks": [hook]})
    assert response.code == 201, response.body
    assert until(lambda: cluster.call("POST", f"{URL}?dryRun=All", machine("probe", replicas=6)).code == 422)
    yield cluster
    cluster.call("DELETE", f"{HOOKS}/acme")
    cluster.remove([NAME])


def machine(name: str, **spec: Any) -> dict[str, Any]:
    return {"apiVersion": "acme.example/v1", "kind": "Machine", "metadata": {"name": name}, "spec": spec}


def test_creations_are_validated(machines: Cluster) -> None:
    assert machines.call("POST", URL, machine("a", replicas=5)).code == 201
    rejected = machines.call("POST", URL, machine("b", replicas=6))
    assert rejected.code == 422
    assert TEXT.format("b") in rejected.body["message"]
    assert 'admission webhook "validate.acme.example" denied the request' in rejected.body["message"]
    generated = {**machine("", replicas=1), "metadata": {"generateName": "m-"}}
    assert machines.call("POST", URL, generated).code == 201
    old = {**machine("c", host="h", replicas=6), "apiVersion": "acme.example/v1alpha1"}
    assert machines.call("POST", URL.replace("v1", "v1alpha1", 1), old).code == 422


def test_updates_are_validated(machines: Cluster) -> None:
    machines.call("POST", URL, machine("changed", replicas=5))
    obj = machines.call("GET", f"{URL}/changed").body
    assert machines.call("PUT", f"{URL}/changed", {**obj, "spec": {"replicas": 6}}).code == 422
    response = machines.call("PUT", f"{URL}/changed", {**obj, "spec": {"replicas": 4, "hosts": ["a", "b"]}})
    assert response.code == 200, response.body
    labels = {"metadata": {"labels": {"a": "b"}, "finalizers": ["acme.example/f"]}}
    assert machines.call("PATCH", f"{URL}/changed", labels, MERGE).code == 200
    assert machines.call("PATCH", f"{URL}/changed", {"spec": {"replicas": 7}}, MERGE).code == 422
    applied = machine("changed", replicas=3)
    assert machines.call("PATCH", f"{URL}/changed?fieldManager=x&force=true", applied, APPLY).code == 200
    older = f"{URL}/changed".replace("v1", "v1alpha1", 1)
    assert machines.call("PATCH", older, {"spec": {"replicas": 2}}, MERGE).code == 200
    assert machines.call("PATCH", older, {"spec": {"replicas": 8}}, MERGE).code == 422
    assert machines.call("PATCH", f"{URL}/changed", {"metadata": {"finalizers": None}}, MERGE).code == 200


def test_status_updates_are_validated(machines: Cluster) -> None:
    machines.call("POST", URL, machine("status", replicas=5))
    good, bad = ({"status": {"ready": count}} for count in (5, 6))
    assert machines.call("PATCH", f"{URL}/status/status", good, MERGE).code == 200
    rejected = machines.call("PATCH", f"{URL}/status/status", bad, MERGE)
    assert rejected.code == 422
    assert "status.ready: Invalid value: 6" in rejected.body["message"]


def test_deletions_are_allowed(machines: Cluster) -> None:
    machines.call("POST", URL, machine("gone", replicas=5))
    assert machines.call("PATCH", f"{URL}/gone", {"metadata": {"finalizers": ["acme.example/f"]}}, MERGE).code == 200
    assert machines.call("DELETE", f"{URL}/gone").code == 200
    assert machines.call("PATCH", f"{URL}/gone", {"metadata": {"finalizers": None}}, MERGE).code == 200
    assert machines.call("GET", f"{URL}/gone").code == 404
    assert machines.call("DELETE", URL).code == 200
