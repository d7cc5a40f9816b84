"""The APIExport of a group, and the check of APIConversions that an output folder must keep."""

from __future__ import annotations

from pathlib import Path

import pytest

from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.emit.kcp_files import make_kcp_files
from protoc_gen_crd.emit.kcp_retention import check_retained_conversions
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.settings.settings import Settings

CONVERSION = """apiVersion: apis.kcp.io/v1alpha1
kind: APIConversion
metadata: {name: v1.widgets.example.com}
spec:
  conversions:
  - {from: v1beta1, to: v1, rules: []}
  - {from: v1, to: v1beta1, rules: []}
"""


def make_crd(*versions: str, plural: str = "widgets") -> Crd:
    schema = {"openAPIV3Schema": {"type": "object"}}
    crd = decode(
        {
            "apiVersion": "apiextensions.k8s.io/v1",
            "kind": "CustomResourceDefinition",
            "metadata": {"name": f"{plural}.example.com"},
            "spec": {
                "group": "example.com",
                "scope": "Namespaced",
                "names": {"kind": plural[:-1].title(), "plural": plural},
                "versions": [
                    {"name": name, "served": True, "storage": name == versions[-1], "schema": schema}
                    for name in versions
                ],
            },
        }
    ).crd
    assert crd is not None
    return crd


def report(folder: Path, content: str, *crds: Crd) -> list[str]:
    (folder / "apiconversion-widgets.example.com.yaml").write_text(content)
    check_retained_conversions(folder, crds, problems := Problems())
    return [finding.message for finding in problems.findings]


def test_a_removed_version_is_reported(tmp_path: Path) -> None:
    (message,) = report(tmp_path, CONVERSION, make_crd("v1"))
    assert message.startswith("APIConversion v1.widgets.example.com is the last one that converts v1beta1 of")
    (message,) = report(tmp_path, CONVERSION, make_crd("v1", "v2"))
    assert "converts v1beta1 of" in message


def test_a_removed_kind_is_reported(tmp_path: Path) -> None:
    (message,) = report(tmp_path, CONVERSION, make_crd("v1", plural="gadgets"))
    assert "converts v1 and v1beta1 of widgets.example.com" in message


def test_a_version_that_is_added_is_not_reported(tmp_path: Path) -> None:
    assert report(tmp_path, CONVERSION, make_crd("v1beta1", "v1")) == []
    assert report(tmp_path, CONVERSION, make_crd("v1beta1", "v1", "v2")) == []


@pytest.mark.parametrize("content", ["", "[", "kind: APIConversion", "- a", "\x00", CONVERSION.replace("to: v1,", "")])
def test_other_files_are_ignored(tmp_path: Path, content: str) -> None:
    assert report(tmp_path, content, make_crd("v1")) == []
    check_retained_conversions(tmp_path / "none", [make_crd("v1")], problems := Problems())
    assert problems.findings == []


def test_a_group_has_one_export_with_all_schemas() -> None:
    files = make_kcp_files(
        [make_crd("v1"), make_crd("v1", plural="gadgets")], (), Settings(kcp=".", kcp_prefix="v1"), Problems()
    )
    (export,) = [file.text for file in files if "apiexport-" in file.name]
    assert [line.split(": ")[1] for line in export.splitlines() if "schema:" in line] == [
        "v1.gadgets.example.com",
        "v1.widgets.example.com",
    ]
