from __future__ import annotations

from pathlib import Path

import pytest

from protoc_gen_crd.base.path_hints import find_path_hint


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("widget.proto", "a.yaml"):
        Path(name).touch()


@pytest.mark.parametrize(
    ("path", "hint"),
    [
        ("wigdet.proto", 'did you mean "widget.proto"?'),
        ("widget.prto", 'did you mean "widget.proto"?'),
        ("gone.proto", ""),
        ("gone/widget.proto", ""),
        ("*.proto", "patterns are not expanded: pass the folder"),
    ],
)
def test_missing_file(path: str, hint: str) -> None:
    assert find_path_hint(FileNotFoundError(), path) == hint


def test_dangling_link() -> None:
    Path("link.yaml").symlink_to("gone.yaml")
    assert find_path_hint(FileNotFoundError(), "link.yaml") == '"link.yaml" is a symbolic link to "gone.yaml"'


def test_file_in_place_of_a_folder() -> None:
    assert find_path_hint(NotADirectoryError(), "a.yaml/b/c.yaml") == '"a.yaml" is a file'
    assert find_path_hint(PermissionError(), "a.yaml/b") == ""
