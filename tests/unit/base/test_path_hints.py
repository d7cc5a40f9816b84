from __future__ import annotations

from pathlib import Path

import pytest

from protoc_gen_crd.base.path_hints import find_path_hint


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("widget.proto", "a.yaml"):
        Path(name).touch()
    for name in ("empty.d", "many.d"):
        Path(name).mkdir()
    for number in range(8):
        Path(f"many.d/{number}.yaml").touch()


@pytest.mark.parametrize(
    ("path", "hint"),
    [
        ("wigdet.proto", 'did you mean "widget.proto"?'),
        ("widget.prto", 'did you mean "widget.proto"?'),
        ("gone.proto", 'this folder contains "widget.proto"'),
        ("gone", 'this folder contains "a.yaml", "empty.d", "many.d", "widget.proto"'),
        (
            "gone/widget.proto",
            '"gone" does not exist, this folder contains "a.yaml", "empty.d", "many.d", "widget.proto"',
        ),
        ("empty.d/a.yaml", '"empty.d" is empty'),
        ("emtpy.d/a.yaml", 'did you mean "empty.d"?'),
        ("mnay.d/1.yaml", 'did you mean "many.d/1.yaml"?'),
        ("many.d/z.yaml", '"many.d" contains "0.yaml", "1.yaml", "2.yaml", "3.yaml", "4.yaml" and 3 more'),
        ("*.proto", "patterns are not expanded: pass the folder"),
    ],
)
def test_missing_file(path: str, hint: str) -> None:
    assert find_path_hint(FileNotFoundError(), path) == hint


def test_suggested_paths_are_relative_to_a_folder() -> None:
    assert find_path_hint(FileNotFoundError(), "many.d/11.yaml", "many.d") == 'did you mean "1.yaml"?'


def test_dangling_link() -> None:
    Path("link.yaml").symlink_to("gone.yaml")
    assert find_path_hint(FileNotFoundError(), "link.yaml") == '"link.yaml" is a symbolic link to "gone.yaml"'


def test_file_in_place_of_a_folder() -> None:
    assert find_path_hint(NotADirectoryError(), "a.yaml/b/c.yaml") == '"a.yaml" is a file'
    assert find_path_hint(PermissionError(), "a.yaml/b") == ""
