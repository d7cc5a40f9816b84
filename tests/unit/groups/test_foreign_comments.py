"""Foreign strings in the comments of gRPC API groups: generated files are the same as with a harmless comment."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from protoc_gen_crd.cli.main import main
from tests.support.foreign_strings import HARMLESS, HOSTILE, markdown_tree, python_tree

COMMENTS = [
    *(item for item in HOSTILE if item.isprintable() and len(item) < 100),
    'ends with """', 'four """"', 'Use "deprecated" calls', 'a "HEADER" of', 'say "api.Iterator"', "-> AsyncIterator[",
    "</script>", "<!-- x", "-->", "{% x %}", "*/ x", "[x](javascript:alert(1))", "def x(a, b) -> c:",
]  # fmt: skip
TREES = {".py": python_tree, ".md": markdown_tree}
PROTO = """syntax = "proto3";
package acme.{version};
// {last}.
service Widgets {{
{rpcs}}}
message Metadata {{
{fields}}}
"""


def write(folder: Path, comments: list[str]) -> dict[str, Any]:
    """Generate the packages of a group with these comments, and return the trees of its modules and pages."""
    rpcs = "".join(
        f"  // {comment}\n  rpc Get{index}({stream} Metadata) returns ({stream} Metadata);\n"
        for index, comment in enumerate(comments)
        for stream in ["stream" if index % 2 else ""]
    )
    notice = "// Deprecated: "
    fields = "".join(
        f"  // {comment}\n  string a{index} = {2 * index + 1};\n"
        f"  {notice}{comment}\n  string b{index} = {2 * index + 2} [deprecated = true];\n"
        for index, comment in enumerate(comments)
    )
    for version in ("v1", "v2"):
        file = folder / "acme" / version / "widgets.proto"
        file.parent.mkdir(parents=True)
        file.write_text(PROTO.format(version=version, rpcs=rpcs, fields=fields, last=comments[-1]))
    out = folder / "out"
    assert main(["generate", str(folder / "acme"), "--groups", "groups", "--out", str(out), "--quiet"]) == 0
    files = [file for file in sorted((out / "groups" / "acme").rglob("*")) if file.suffix in TREES]
    return {str(file.relative_to(out)): TREES[file.suffix](file.read_text("utf-8")) for file in files}


def test_comments_stay_comments(tmp_path: Path) -> None:
    (tmp_path / "harmless").mkdir()
    harmless = write(tmp_path / "harmless", [HARMLESS] * len(COMMENTS))
    assert write(tmp_path / "hostile", COMMENTS) == harmless


def test_messages_can_have_names_of_the_api_module(tmp_path: Path) -> None:
    write(tmp_path, [HARMLESS])
    text = (tmp_path / "out" / "groups" / "acme" / "v1" / "hub_client.py").read_text("utf-8")
    assert "request: hub.Metadata," in text
    assert "metadata: api.Metadata = None" in text
