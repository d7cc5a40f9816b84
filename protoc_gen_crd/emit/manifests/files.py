"""Manifests to files: a base, a component for monitoring, an overlay for production, and the texts beside them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from protoc_gen_crd.base.diagnostics import Problems
from protoc_gen_crd.base.versions import minors_of
from protoc_gen_crd.base.yamlwrite import dump
from protoc_gen_crd.conversion.stanza import client_config, injected, service_of
from protoc_gen_crd.crd.types import Crd
from protoc_gen_crd.emit import OutputFile
from protoc_gen_crd.emit.manifests.monitoring import monitoring
from protoc_gen_crd.emit.manifests.pages import dockerfile, readme
from protoc_gen_crd.emit.manifests.trust import certificates, judging, roles
from protoc_gen_crd.emit.manifests.workload import Manifest, Workload, manifests
from protoc_gen_crd.settings import Settings

_VALIDATE = "/validate"
_KUSTOMIZE = "kustomize.config.k8s.io"
_RESTRICTED = {f"pod-security.kubernetes.io/{mode}": "restricted" for mode in ("audit", "enforce", "warn")}
_REPLICAS = 3  # of the overlay
_TAG = "0.1.0"  # of the overlay, where the settings name none


def manifest_files(crds: Sequence[Crd], settings: Settings, problems: Problems) -> tuple[OutputFile, ...]:
    """All files, by name."""
    of = workload(settings)
    inside = settings.replace(webhook_url="")
    client = client_config(inside, _VALIDATE, problems) or {}
    base: dict[str, Sequence[Manifest]] = {name: [one] for name, one in manifests(of).items()}
    if of.own_namespace:
        base["namespace"] = [_namespace(of)]
    base["certificates"] = certificates(of)
    base["clusterrole"] = roles(of, crds)
    base["validatingwebhookconfiguration"] = [judging(of, crds, client, injected(inside))]
    converted = [crd.name for crd in crds if (crd.conversion or {}).get("strategy") == "Webhook"]
    alerts = {name: [one] for name, one in monitoring(of, converted).items()}
    files = {
        **_folder("base", base, "v1beta1", "Kustomization"),
        **_folder("monitoring", alerts, "v1alpha1", "Component"),
        "overlays/production/kustomization.yaml": [_overlay(of)],
    }
    texts = {name: "".join(f"---\n{dump(one)}" for one in documents) for name, documents in files.items()}
    texts["README.md"] = readme(of, crds, settings.manifests, settings.out)
    texts["Dockerfile"] = dockerfile(of, settings.out)
    return tuple([OutputFile(name, text) for name, text in sorted(texts.items())])


def workload(settings: Settings) -> Workload:
    """What the settings say of the webhook."""
    namespace, name, port = service_of(settings)
    image = settings.image or f"{name}:{_TAG}"
    oldest = minors_of(settings.kubernetes)[0]
    return Workload(namespace, name, port, settings.port, image, settings.certificates, settings.drain, oldest)


def _folder(
    folder: str, documents: Mapping[str, Sequence[Manifest]], version: str, kind: str
) -> dict[str, Sequence[Manifest]]:
    resources = [f"{name}.yaml" for name in sorted(documents)]
    kustomization = {"apiVersion": f"{_KUSTOMIZE}/{version}", "kind": kind, "resources": resources}
    named = {f"{folder}/{name}.yaml": found for name, found in documents.items()}
    return {**named, f"{folder}/kustomization.yaml": [kustomization]}


def _namespace(of: Workload) -> Manifest:
    labels = {**of.labels, **_RESTRICTED}
    return {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": of.namespace, "labels": labels}}


def _overlay(of: Workload) -> Manifest:
    name, tag = image_parts(of.image)
    return {
        "apiVersion": f"{_KUSTOMIZE}/v1beta1",
        "kind": "Kustomization",
        "components": ["../../monitoring"],
        "images": [{"name": name, **tag}],
        "replicas": [{"name": of.name, "count": _REPLICAS}],
        "resources": ["../../base"],
    }


def image_parts(image: str) -> tuple[str, dict[str, str]]:
    """The name of an image, and its tag or digest as kustomize wants it."""
    name, at, digest = image.partition("@")
    head, colon, tag = name.rpartition(":")
    if not colon or "/" in tag:
        head, tag = name, _TAG
    return head, {"digest": digest} if at else {"newTag": tag}
