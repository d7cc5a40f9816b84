from __future__ import annotations

from pathlib import Path

import pytest

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.proto.buf_config import find_config_folders, find_modules


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)


def modules(files: dict[str, str], start: str) -> tuple[list[str], list[str], list[str]]:
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)
    Path(start).mkdir(parents=True, exist_ok=True)
    problems = Problems()
    result = find_modules(Path(start), problems)
    messages = [f"{finding.at}: {finding.message} [{finding.rule}]" for finding in problems.findings]
    return list(result.roots), list(result.excludes), messages


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({}, []),
        ({"buf.yaml": "version: v2\nmodules:\n  - path: proto\n  - path: vendor\n"}, ["proto", "vendor"]),
        ({"buf.yaml": "version: v2\n"}, ["."]),
        ({"buf.yaml": "version: v2\nmodules:\n  - lint: {}\n"}, ["."]),
        ({"buf.yaml": "version: v1\n"}, ["."]),
        ({"proto/buf.yaml": "version: v1\n"}, ["proto"]),
        (
            {"proto/buf.yaml": "version: v1\n", "buf.work.yaml": "version: v1\ndirectories: [vendor, proto]\n"},
            ["vendor", "proto"],
        ),
        ({"buf.yaml": "version: v1beta1\nbuild:\n  roots:\n    - proto\n"}, ["proto"]),
    ],
)  # fmt: skip
def test_the_roots_of_a_module_or_workspace(files: dict[str, str], expected: list[str]) -> None:
    Path("vendor").mkdir()
    assert modules(files, "proto/acme/v1") == (expected, [], [])


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        ({"buf.yaml": "version: v1\nbuild:\n  excludes: [vendor, gone]\n"}, ["vendor", "gone"]),
        ({"buf.yaml": "version: v1\nbuild: {}\n"}, []),
        ({"buf.yaml": "version: v2\nmodules:\n  - path: proto\n    excludes: [proto/old]\n"}, ["proto/old"]),
        (
            {"proto/buf.yaml": "build: {excludes: [old]}\n", "buf.work.yaml": "directories: [vendor, proto]\n"},
            ["proto/old"],
        ),
    ],
)
def test_excludes_of_a_module(files: dict[str, str], expected: list[str]) -> None:
    Path("vendor").mkdir()
    _, excludes, findings = modules(files, "proto/acme/v1")
    assert (excludes, findings) == (expected, [])


def test_a_repository_ends_the_search(tmp_path: Path) -> None:
    assert modules({"buf.yaml": "version: v2\n", "inner/.git/HEAD": ""}, "inner/proto") == ([], [], [])


def test_a_module_that_is_not_a_folder() -> None:
    assert modules({"buf.yaml": "version: v2\nmodules: [{path: gone}]\n"}, "proto") == (
        [],
        [],
        ['buf.yaml:2:11: module of the buf configuration is not a folder: "gone" [buf-config]'],
    )


@pytest.mark.parametrize("text", ["- a\n", "a: [\n", "text"])
def test_a_configuration_that_is_not_a_mapping(text: str) -> None:
    *_, findings = modules({"buf.yaml": text}, "proto")
    assert findings == ["buf.yaml:1:1: buf configuration is not a YAML mapping [buf-config]"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("version: v1\nbuild: text\n", 'buf.yaml:2:8: "build" is not a mapping'),
        ("version: v2\nmodules: proto\n", 'buf.yaml:2:10: "modules" is not a list'),
        ("version: v2\nmodules: [proto]\n", 'buf.yaml:2:11: item of "modules" is not a mapping'),
        ("version: v3\n", 'buf.yaml:1:10: unsupported version "v3" (supported: v1beta1, v1, v2)'),
    ],
)
def test_values_of_wrong_types_are_reported(text: str, expected: str) -> None:
    assert modules({"buf.yaml": text}, "proto")[2] == [f"{expected} [buf-config]"]


@pytest.mark.parametrize("config", ["a/buf.yaml", "a/b/buf.work.yaml", "buf.yaml", "a/b/c/buf.yaml"])
def test_the_nearest_folders_with_a_configuration_have_the_same_modules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, config: str
) -> None:
    for folder in ("a/b/c", "a/b/d", "e"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / config).write_text("version: v1\ndirectories: [c]\n")
    monkeypatch.chdir(tmp_path)
    folders = [Path(name) for name in ("a/b/c", "a/b/d", "a", "e", "../" + tmp_path.name + "/a")]
    nearest = find_config_folders(folders)
    expected = dict.fromkeys(find_modules(folder, Problems()) for folder in folders)
    assert [*dict.fromkeys(find_modules(folder, Problems()) for folder in nearest)] == [*expected]
    assert len(nearest) <= len(folders)
