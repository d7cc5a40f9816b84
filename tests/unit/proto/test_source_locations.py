"""Places of comments that belong to no element: the request contains their text, but not their places."""

from __future__ import annotations

from pathlib import Path

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.proto.protoc_compiler import compile_files
from protoc_gen_crd.proto.source_locations import CommentPlace, ElementPlace, SourceMap

LOST = """syntax = "proto3";
package acme.v1;

// +4

// Text.
message A {  // +7
  // +8

  // Text.
  // +11

  // Leading
  // comment.
  string a = 1;  // +15

  string b = 2 [
    deprecated = true
  ];  // +19

  message B {  // +21
    enum E {  // +22
      X = 0;  // +23
    }
  }

  oneof o {  // +27
    string c = 3;
  }
}

enum F {  // +32
  Y = 0;
}
"""


def test_lines_of_unattached_comments(tmp_path: Path) -> None:
    (tmp_path / "a.proto").write_text(LOST)
    request = compile_files({"a.proto": str(tmp_path / "a.proto")}, [], Problems())
    lines_by_number = {}
    for lost in SourceMap(request.proto_file[-1]).lost:
        lines = lost.text.split("\n")
        offset = next(index for index, line in enumerate(lines) if "+" in line)
        lines_by_number[int(lines[offset].partition("+")[2])] = lost.line + offset
    assert lines_by_number == {line: line for line in (4, 7, 8, 11, 15, 19, 21, 22, 23, 27, 32)}


def test_columns_of_unattached_comments(tmp_path: Path) -> None:
    (tmp_path / "a.proto").write_text(LOST)
    request = compile_files({"a.proto": str(tmp_path / "a.proto")}, [], Problems())
    columns = {lost.line: lost.column for lost in SourceMap(request.proto_file[-1]).lost if not lost.trailing}
    assert columns == {4: 1, 8: 3, 10: 3}


OWNERS = """syntax = "proto3";
package p.v1;
message Outer {
  message Inner { string text = 1 [deprecated = true]; }
  enum Kind { NONE = 0; }
  oneof choice { int32 number = 1; }
}
"""


def test_the_owners_of_places(tmp_path: Path) -> None:
    (tmp_path / "a.proto").write_text(OWNERS)
    request = compile_files({"a.proto": str(tmp_path / "a.proto")}, [], Problems())
    source = SourceMap(request.proto_file[-1])
    paths = {(): "", (2,): "", (4, 0): ".Outer", (4, 0, 3, 0, 2, 0): ".Outer.Inner.text", (4, 0, 8, 0): ".Outer.choice"}
    paths |= {(4, 0, 4, 0, 2, 0): ".Outer.Kind.NONE", (4, 0, 3, 0, 2, 0, 8, 3): ".Outer.Inner.text"}
    assert {path: source.find_owner(path) for path in paths} == {path: f"p.v1{name}" for path, name in paths.items()}
    assert CommentPlace(ElementPlace(source, (4, 0)), 0, 0).find_owner() == "p.v1.Outer"


BLOCKS = """syntax = "proto3";
/**
 * A.
 * +four
 */
message A {
  /*
   * +eight
   */
  string a = 1;
  // +eleven
  string b = 2;
}
"""


def test_lines_of_blocks_without_the_source(tmp_path: Path) -> None:
    """The line `*/` is not a part of the comment."""
    (tmp_path / "a.proto").write_text(BLOCKS)
    source = SourceMap(compile_files({"a.proto": str(tmp_path / "a.proto")}, [], Problems()).proto_file[-1])
    lines = [(path, text.split("\n")) for path, text in source.leading.items()]
    places = [
        str(CommentPlace(ElementPlace(source, path), number, 1).resolve()).rpartition(":")[0]
        for path, rows in lines
        for number, row in enumerate(rows)
        if "+" in row
    ]
    assert places == ["a.proto:4", "a.proto:8", "a.proto:11"]
