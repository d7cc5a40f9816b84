from __future__ import annotations

from pathlib import Path

import pytest

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.proto.import_paths import ImportLayout, resolve_layout


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def tree(files: dict[str, str]) -> None:
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, "utf-8")


def layout(files: list[str], import_paths: list[str] | None = None) -> tuple[ImportLayout, list[str]]:
    problems = Problems()
    resolved = resolve_layout(files, import_paths or [], problems)
    assert all(finding.rule == "proto-path" for finding in problems.findings)
    return resolved, [f"{finding.at}: {finding.message}" for finding in problems.findings]


def test_names_are_relative_to_the_root_of_their_importer() -> None:
    tree({"proto/acme/v1/a.proto": 'import "acme/v1/b.proto";', "proto/acme/v1/b.proto": ""})
    both = ["proto/acme/v1/a.proto", "proto/acme/v1/b.proto"]
    names = {"acme/v1/a.proto": both[0], "acme/v1/b.proto": both[1]}
    assert layout(both) == (ImportLayout(names, ("proto",)), [])


def test_the_root_may_lie_above_the_working_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    tree({"proto/acme/v1/a.proto": 'import public "acme/v1/b.proto";', "proto/acme/v1/b.proto": ""})
    monkeypatch.chdir("proto/acme/v1")
    assert layout(["a.proto"])[0] == ImportLayout({"acme/v1/a.proto": "a.proto"}, ("../..",))


def test_imports_of_imports_count() -> None:
    tree({"a/x.proto": 'import "y.proto";', "a/y.proto": 'import "b/z.proto";', "a/b/z.proto": "", "b/z.proto": ""})
    assert layout(["a/x.proto"])[0].import_paths == ("a",)
    tree({"a/y.proto": 'import "c/z.proto";', "c/z.proto": ""})
    assert layout(["a/x.proto"])[0].import_paths == ("a", ".")


def test_without_imports_the_package_decides() -> None:
    tree({"proto/acme/v1/a.proto": 'syntax = "proto3";\n  package acme.v1 ;\n'})
    assert layout(["proto/acme/v1/a.proto"])[0] == ImportLayout(
        {"acme/v1/a.proto": "proto/acme/v1/a.proto"}, ("proto",)
    )


def test_other_files_are_relative_to_their_common_folder() -> None:
    tree({"api/one/x.proto": "", "api/two/x.proto": 'import "google/protobuf/any.proto";'})
    names = {"one/x.proto": "api/one/x.proto", "two/x.proto": "api/two/x.proto"}
    assert layout(["api/one/x.proto", "api/two/x.proto"]) == (ImportLayout(names, ("api",)), [])


def test_absolute_paths_stay_absolute(tmp_path: Path) -> None:
    tree({"api/x.proto": ""})
    assert layout([f"{tmp_path}/api/x.proto"])[0].import_paths == (f"{tmp_path}/api",)


def test_only_import_paths_of_the_user_are_used() -> None:
    tree({"a/b/x.proto": 'import "x.proto";', "c/y.proto": ""})
    imports, findings = layout(["a/b/x.proto", "c/y.proto"], ["./a", "a/b"])
    assert imports == ImportLayout({"b/x.proto": "a/b/x.proto"}, ("./a", "a/b"))
    assert findings == ['c/y.proto: file is outside the import paths "./a", "a/b"']


def test_two_files_cannot_share_a_name() -> None:
    tree({"a/x.proto": 'import "x.proto";', "b/x.proto": 'import "x.proto";'})
    assert layout(["a/x.proto", "b/x.proto"])[1] == [
        'b/x.proto: duplicate file name "x.proto", also the name of "a/x.proto"'
    ]


def test_invalid_bytes_and_cycles_are_accepted() -> None:
    Path("x.proto").write_bytes(b'\xff\nimport "y.proto";\n')
    tree({"y.proto": 'import "x.proto";'})
    assert layout(["x.proto"])[0] == ImportLayout({"x.proto": "x.proto"}, (".",))
