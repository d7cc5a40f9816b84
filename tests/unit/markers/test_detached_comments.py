"""Markers that protoc drops: found where the text is the one that was compiled, and not in any other text."""

from __future__ import annotations

from pathlib import Path

import pytest

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.markers.detached_comments import list_dropped_markers
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.protoc_compiler import compile_files
from protoc_gen_crd.proto.request import Request

TEXT = """syntax = "proto3";
package acme.v1;

// +required
message A {
  // +required
  string a = 1; /* +required */ // "
  string u = 2 /* +required */ [json_name = "{ // +required"];
\tmap<string, /*\t+nullable*/ string> b = 3;
  oneof o { string c = 4; } // +required
}
// +required
"""


def found(compiled: str, text: str, folder: Path) -> list[tuple[int, int]]:
    (folder / "a.proto").write_text(compiled)
    problems = Problems()
    request = Request.from_message(compile_files({"a.proto": str(folder / "a.proto")}, [], problems), problems)
    assert request
    file = ApiSet(request, problems).get_file("a.proto")
    places = [at.resolve() for _, at, _ in list_dropped_markers(file, text.split("\n"))]
    return [(at.line, at.column) for at in places]


def test_places_are_those_of_the_text(tmp_path: Path) -> None:
    # A tab goes on to the next column behind a multiple of eight.
    assert found(TEXT, TEXT, tmp_path) == [(8, 19), (9, 25), (10, 32), (12, 4)]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "// +required\nmessage B {}\n",  # other lines
        TEXT.replace("// +required\nmessage", "// required\nmessage"),  # not all that was compiled
    ],
)
def test_another_text_is_left_alone(text: str, tmp_path: Path) -> None:
    assert found(TEXT, text, tmp_path) == []


@pytest.mark.parametrize("text", ["{" * 9 + "}" * 12 + "// +required", "/* +required", "'\n\"// +required", "; ; }"])
def test_any_text_can_be_read(text: str, tmp_path: Path) -> None:
    assert found(TEXT, text, tmp_path) == []
