"""The build of the webhook's image: the context and the COPY instruction for each place of the output folder."""

from __future__ import annotations

import pytest

from protoc_gen_crd.emit.manifests.dockerfile import format_dockerfile
from protoc_gen_crd.emit.manifests.manifest_files import make_workload
from protoc_gen_crd.emit.manifests.readme import format_readme
from protoc_gen_crd.settings.settings import Settings


@pytest.mark.parametrize(
    ("out", "place", "copied", "context"),
    [
        ("crds", "in the parent folder of crds", "crds", "."),
        ("gen/crds", "in the parent folder of gen", "gen/crds", "."),
        ("./gen/../crds/", "in the parent folder of crds", "./gen/../crds/", "."),
        ("..crds", "in the parent folder of ..crds", "..crds", "."),
        (".", "with . as its context", ".", "."),
        ("..", "with .. as its context", ".", ".."),
        ("../crds", "with ../crds as its context", ".", "../crds"),
        ("gen/../../crds", "with gen/../../crds as its context", ".", "gen/../../crds"),
        ("/srv/a b", "with /srv/a b as its context", ".", "'/srv/a b'"),
    ],
)
def test_the_copied_folder_is_in_the_context(out: str, place: str, copied: str, context: str) -> None:
    workload = make_workload(Settings(webhook_service="a/b"))
    lines = format_dockerfile(workload, out).splitlines()
    assert lines[0] == f"# Image of the webhook b: build it {place}."
    assert f"COPY {copied} /srv/api" in lines
    build = f"docker build --file deploy/Dockerfile --tag b:0.1.0 {context}"
    assert build in format_readme(workload, (), "deploy", out).splitlines()
