"""Folders and files that contain a set of files."""

from __future__ import annotations

import pytest

from protoc_gen_crd.scaffold.path_cover import cover_files, find_proto_root, is_below


@pytest.mark.parametrize(
    ("files", "excluded", "expected"),
    [
        ([], [], ()),
        (["crds/a.yaml", "crds/b.yaml"], [], ("crds",)),
        (["crds/a.yaml", "crds/more/b.yaml"], [], ("crds",)),
        (["a.yaml", "crds/b.yaml"], [], ("a.yaml", "crds")),
        (["crds/a.yaml", "crds/b.yaml"], ["crds/broken.yaml"], ("crds/a.yaml", "crds/b.yaml")),
        (["crds/a.yaml", "crds/more/b.yaml"], ["crds/broken.yaml"], ("crds/a.yaml", "crds/more")),
        (["crds/a.yaml"], ["crds/templates/b.yaml"], ("crds/a.yaml",)),
        (["crd/a.yaml"], ["crds/b.yaml"], ("crd",)),
    ],
)
def test_covers(files: list[str], excluded: list[str], expected: tuple[str, ...]) -> None:
    assert cover_files(files, excluded) == expected


@pytest.mark.parametrize(
    ("file", "package", "expected"),
    [
        ("proto/acme/v1/a.proto", "acme.v1", "proto"),
        ("api/proto/acme/v1/a.proto", "acme.v1", "api/proto"),
        ("acme/v1/a.proto", "acme.v1", "acme"),
        ("proto/a.proto", "acme.v1", "proto"),
        ("proto/a.proto", "", "proto"),
        ("a.proto", "acme.v1", "a.proto"),
    ],
)
def test_roots_of_protos(file: str, package: str, expected: str) -> None:
    assert find_proto_root(file, package) == expected


def test_files_below_a_path() -> None:
    assert is_below("crds/a.yaml", "crds")
    assert is_below("crds/a.yaml", "crds/a.yaml")
    assert not is_below("crds/a.yaml", "crd")
