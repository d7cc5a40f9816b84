"""Forms of --old."""

from __future__ import annotations

import pytest

from protoc_gen_crd.documents.side_reference import SideReference, parse_reference
from protoc_gen_crd.settings.option_types import SIDE


@pytest.mark.parametrize(
    ("string", "reference"),
    [
        ("git:main", SideReference("git", "main")),
        ("git:v1.0.0:api/v1", SideReference("git", "v1.0.0", "api/v1")),
        ("git:HEAD@{2026-01-01 12:00:00}:api", SideReference("git", "HEAD@{2026-01-01 12:00:00}", "api")),
        ("merge-base:origin/main", SideReference("merge-base", "origin/main")),
        ("merge-base", SideReference("merge-base")),
        ("latest-tag", SideReference("latest-tag")),
        ("latest-tag:api/v*", SideReference("latest-tag", "api/v*")),
        ("history", SideReference("history")),
        ("history:1.4", SideReference("history", "1.4")),
        ("cluster", SideReference("cluster")),
        ("./history", SideReference("path", "./history")),
        ("git", SideReference("path", "git")),
        ("cluster:a.yaml", SideReference("path", "cluster:a.yaml")),
        ("c:/old", SideReference("path", "c:/old")),
    ],
)
def test_forms(string: str, reference: SideReference) -> None:
    assert parse_reference(string) == reference
    assert str(reference) == string
    assert SIDE.parse(string) == string


@pytest.mark.parametrize("string", ["", "git:", "git::api", "merge-base:", "a\0b"])
def test_a_form_without_its_ref_is_invalid(string: str) -> None:
    with pytest.raises(ValueError, match=r"^"):
        parse_reference(string)
    with pytest.raises(ValueError, match=r"^"):
        SIDE.parse(string)
