"""Images in manifests: names that container runtimes take, and their parts for kustomize and for docker."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.emit.manifests.manifest_files import make_workload
from protoc_gen_crd.emit.manifests.production_overlay import split_image
from protoc_gen_crd.emit.manifests.readme import format_readme
from protoc_gen_crd.settings.option_types import IMAGE
from protoc_gen_crd.settings.settings import Settings

DIGEST = "sha256:" + "0123456789abcdef" * 4


@pytest.mark.parametrize(
    ("image", "name", "rest", "built"),
    [
        ("webhook", "webhook", {"newTag": "0.1.0"}, "webhook:0.1.0"),
        ("acme/webhook:1.4-rc.1", "acme/webhook", {"newTag": "1.4-rc.1"}, "acme/webhook:1.4-rc.1"),
        ("localhost:5000/a/b", "localhost:5000/a/b", {"newTag": "0.1.0"}, "localhost:5000/a/b:0.1.0"),
        ("Registry.example/a__b/c-d:v1", "Registry.example/a__b/c-d", {"newTag": "v1"}, "Registry.example/a__b/c-d:v1"),
        (f"acme/webhook@{DIGEST}", "acme/webhook", {"digest": DIGEST}, "acme/webhook"),
        (f"r.example:80/w:1@{DIGEST}", "r.example:80/w", {"digest": DIGEST}, "r.example:80/w:1"),
    ],
)
def test_parts(image: str, name: str, rest: dict[str, str], built: str) -> None:
    assert IMAGE.parse(image) == image
    workload = make_workload(Settings(webhook_service="a/b", image=image))
    assert split_image(workload.image) == (name, rest)
    page = format_readme(workload, (), "deploy", "crds")
    assert f"--tag {built} .\ndocker push {built}\n" in page


@pytest.mark.parametrize(
    "image",
    ["", "a b", "UPPER", "a/UPPER", "a:", "a:-b", "a@sha256:12", "a//b", "/a", "a/", "a;b", "a\n", "https://a/b"],
)
def test_what_is_no_image(image: Any) -> None:
    with pytest.raises(ValueError, match=r".*"):
        IMAGE.parse(image)
