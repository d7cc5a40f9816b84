"""The production overlay of the webhook's manifests."""

from __future__ import annotations

from protoc_gen_crd.emit.manifests.workload import Manifest, Workload

KUSTOMIZE = "kustomize.config.k8s.io"
_DEFAULT_TAG = "0.1.0"  # of the image
_REPLICAS = 3


def make_production_overlay(of: Workload) -> Manifest:
    """Make the kustomization with the image, the replicas, and the monitoring component."""
    name, version = split_image(of.image)
    return {
        "apiVersion": f"{KUSTOMIZE}/v1beta1",
        "kind": "Kustomization",
        "components": ["../../monitoring"],
        "images": [{"name": name, **version}],
        "replicas": [{"name": of.name, "count": _REPLICAS}],
        "resources": ["../../base"],
    }


def split_image(image: str) -> tuple[str, dict[str, str]]:
    """Split an image into its name, and its tag or digest for kustomize, if it has one."""
    name, at, digest = image.partition("@")
    head, colon, tag = name.rpartition(":")
    if not colon or "/" in tag:
        head, tag = name, ""
    return head, {"digest": digest} if at else {"newTag": tag} if tag else {}


def add_default_tag(image: str) -> str:
    """Return the image with the default tag if it has neither a tag nor a digest."""
    return image if split_image(image)[1] else f"{image}:{_DEFAULT_TAG}"
