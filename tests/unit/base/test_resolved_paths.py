from __future__ import annotations

import ast
from pathlib import Path

from protoc_gen_crd.base.resolved_paths import resolve_links
from tests.support.package import trees, walk


def test_links_are_resolved(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("folder")
    assert resolve_links(tmp_path / "link" / "file") == tmp_path / "folder" / "file"


def test_a_loop_of_links_raises_nothing(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    assert resolve_links(tmp_path / "loop") == tmp_path / "loop"


def is_resolved_by_pathlib(node: ast.AST) -> bool:
    """Return whether an expression is `Path(...).resolve()` or `folder.resolve()`."""
    if not (isinstance(node, ast.Attribute) and node.attr == "resolve"):
        return False
    name = ast.unparse(node.value)
    return name.startswith("Path(") or name.endswith(("path", "folder"))


def test_no_other_module_resolves_paths() -> None:
    assert [name for name, tree in trees().items() if any(map(is_resolved_by_pathlib, walk(tree)))] == []
