"""Every test file is collected, whatever its folder is called."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import ROOT

FOLDERS = ("testdata", "build", "dist", "venv", "node_modules", "CVS")


def missing(root: Path, config: pytest.Config) -> list[str]:
    """Return the test files below a folder that pytest does not enter or does not recognize."""
    ignored = config.getini("norecursedirs")
    patterns = config.getini("python_files")
    return [
        path.relative_to(root).as_posix()
        for path in sorted(root.rglob("*test*.py"))
        if any(path.name.startswith(start) or path.stem.endswith(end) for start, end in [("test", "_test")])
        and (
            not any(path.match(pattern) for pattern in patterns)
            or any(folder.match(pattern) for folder in path.relative_to(root).parents for pattern in ignored)
        )
    ]


def test_every_test_file_is_collected(request: pytest.FixtureRequest) -> None:
    assert missing(ROOT / "tests", request.config) == []


def test_tests_are_looked_for_in_one_place(request: pytest.FixtureRequest) -> None:
    assert request.config.getini("testpaths") == ["tests"]


@pytest.mark.parametrize("name", FOLDERS)
def test_a_folder_of_any_name_is_entered(name: str, request: pytest.FixtureRequest, tmp_path: Path) -> None:
    (tmp_path / name).mkdir()
    (tmp_path / name / "test_a.py").touch()
    assert missing(tmp_path, request.config) == []


def test_a_file_that_is_not_collected_is_found(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    for name in (".hidden/test_a.py", "tests_of_b.py", "test_c.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert missing(tmp_path, request.config) == [".hidden/test_a.py", "tests_of_b.py"]
