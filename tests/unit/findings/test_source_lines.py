from __future__ import annotations

from pathlib import Path

import pytest

from protoc_gen_crd.findings.finding import Excerpt, Location
from protoc_gen_crd.findings.source_lines import SourceFiles, count_characters

PROTO = """syntax = "proto3";
message A {
\t// +acme:MaxItems=3
\tstring näme = 1;
  /* prose
   * +acme:rule
   */
  string b = 2;
}
"""


@pytest.fixture
def sources(tmp_path: Path) -> SourceFiles:
    (tmp_path / "a.proto").write_text(PROTO, "utf-8")
    (tmp_path / "odd.proto").write_bytes(b"// \xff +x\n")
    return SourceFiles({name: str(tmp_path / name) for name in ("a.proto", "odd.proto", "gone.proto")})


@pytest.mark.parametrize(
    ("line", "column", "expected"),
    [("\tint32 a", 9, 2), ("ab\tc", 9, 4), ("ab\tc", 3, 3), ("äöü x", 8, 5), ("abc", 40, 4), ("abc", 1, 1)],
)
def test_protoc_counts_bytes_and_tab_stops(line: str, column: int, expected: int) -> None:
    assert count_characters(line, column) == expected


def test_columns_are_in_characters(sources: SourceFiles) -> None:
    assert sources.locate(Location("a.proto", 3, 12), None) == Location("a.proto", 3, 5)


def test_a_place_beside_its_marker_is_moved_to_it(sources: SourceFiles) -> None:
    assert sources.locate(Location("a.proto", 7, 4), Excerpt("+acme:rule")) == Location("a.proto", 6, 6)


def test_a_place_on_its_marker_stays(sources: SourceFiles) -> None:
    assert sources.locate(Location("a.proto", 3, 9), Excerpt("MaxItems")) == Location("a.proto", 3, 2)


def test_a_marker_of_several_lines_is_found_by_its_first_line(tmp_path: Path) -> None:
    (tmp_path / "b.proto").write_text("//\n// +cue-gen:A:printerColumn:name=X,\n//   type=string\n", "utf-8")
    sources = SourceFiles({"b.proto": str(tmp_path / "b.proto")})
    joined = Excerpt("+cue-gen:A:printerColumn:name=X, type=string")
    assert sources.locate(Location("b.proto", 1, 4), joined) == Location("b.proto", 2, 4)


def test_a_missing_string_keeps_the_place(sources: SourceFiles) -> None:
    assert sources.locate(Location("a.proto", 2, 1), Excerpt("+other")) == Location("a.proto", 2, 1)


@pytest.mark.parametrize("name", ["gone.proto", "..", "a\x00b", ""])
def test_a_file_that_cannot_be_read_has_no_lines(sources: SourceFiles, name: str) -> None:
    assert sources.read_line(Location(name, 1, 1)) == ""
    assert sources.locate(Location(name, 4, 2), Excerpt("x")) == Location(name, 4, 2)


def test_a_file_that_is_not_utf8_is_shown_nevertheless(sources: SourceFiles) -> None:
    assert sources.read_line(Location("odd.proto", 1, 1)) == "// \ufffd +x"


def test_a_line_past_the_end_is_empty(sources: SourceFiles) -> None:
    assert sources.read_line(Location("a.proto", 99, 1)) == ""
