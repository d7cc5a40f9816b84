from __future__ import annotations

from pathlib import Path

from protoc_gen_crd.base.resolved_paths import resolve_links


def test_links_are_resolved(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to("folder")
    assert resolve_links(tmp_path / "link" / "file") == tmp_path / "folder" / "file"


def test_a_loop_of_links_raises_nothing(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    assert resolve_links(tmp_path / "loop") == tmp_path / "loop"
