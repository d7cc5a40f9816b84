"""Markers that protoc drops are reported if the source file is the compiled one, and not otherwise."""

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


def find_places(compiled: str, text: str, folder: Path) -> list[tuple[int, int]]:
    (folder / "a.proto").write_text(compiled)
    problems = Problems()
    request = Request.from_message(compile_files({"a.proto": str(folder / "a.proto")}, [], problems), problems)
    assert request
    file = ApiSet(request, problems).get_file("a.proto")
    places = [at.resolve() for _, at, _ in list_dropped_markers(file, text.split("\n"))]
    return [(at.line, at.column) for at in places]


def test_places_of_dropped_markers(tmp_path: Path) -> None:
    # A tab moves to the next column after a multiple of eight.
    assert find_places(TEXT, TEXT, tmp_path) == [(8, 19), (9, 25), (10, 32), (12, 4)]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "// +required\nmessage B {}\n",  # other lines
        TEXT.replace("// +required\nmessage", "// required\nmessage"),  # a compiled marker is missing
    ],
)
def test_markers_of_a_different_file_are_ignored(text: str, tmp_path: Path) -> None:
    assert find_places(TEXT, text, tmp_path) == []


@pytest.mark.parametrize("text", ["{" * 9 + "}" * 12 + "// +required", "/* +required", "'\n\"// +required", "; ; }"])
def test_invalid_proto_is_accepted(text: str, tmp_path: Path) -> None:
    assert find_places(TEXT, text, tmp_path) == []
