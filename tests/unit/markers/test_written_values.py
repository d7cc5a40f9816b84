"""Findings about numbers as values of strings: the text as written, which differs from the number."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import pytest

from protoc_gen_crd import pipeline
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.settings.settings import OverrideEntry, Settings
from protoc_gen_crd.settings.settings_file import read_settings
from tests.support.compile import compile_texts, request_for

API = """syntax = "proto3";
// +groupName=acme.com
package acme.v1;
// +kubebuilder:resource
message Job {{
  // {}
  string release = 1;
}}
"""


@pytest.mark.parametrize(
    ("marker", "hints"),
    [
        ("+kubebuilder:default=1.10", ['quote it: "1.10"']),
        ("+kubebuilder:default=-007", ['quote it: "-007"']),
        ("+default=1.50", ['quote it: "1.50"']),
        ("+kubebuilder:validation:Enum=1.10;1.20", ['quote it: "1.10"', 'quote it: "1.20"']),
        ("+kubebuilder:validation:Enum={1.10,true,1.1}", ["quote the value", 'quote it: "true"', "quote the value"]),
    ],
)
def test_hints_quote_numbers_as_written(marker: str, hints: list[str], tmp_path: Path) -> None:
    problems = Problems()
    request = compile_texts({"api.proto": API.format(marker)}, tmp_path)
    pipeline.build_crds(request_for(request, "api.proto"), Settings(), problems)
    assert [finding.hint for finding in problems.findings if finding.rule == "marker-value"] == hints


def test_hints_for_overrides_quote_values_as_written(tmp_path: Path) -> None:
    file = tmp_path / "protoc-gen-crd.yaml"
    values = "{default: 1.10, example: &a Yes, enum: [0x10, 010, 1e3, ~, !!float 2.50, a]}"
    file.write_text(f"overrides:\n  acme.v1.Job.release: {values}\n")
    problems = Problems()
    overrides = cast("dict[str, OverrideEntry]", read_settings(str(file), problems)["overrides"])
    request = compile_texts({"api.proto": API.format("")}, tmp_path)
    pipeline.build_crds(request_for(request, "api.proto"), Settings(overrides=overrides), problems)
    words = ["1.10", "", "0x10", "010", "1e3", "", ""]
    assert sorted(finding.hint for finding in problems.findings) == sorted(
        f'quote it: "{word}"' if word else "quote the value" for word in words
    )
