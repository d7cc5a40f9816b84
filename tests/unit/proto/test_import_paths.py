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
    made = resolve_layout(files, import_paths or [], problems)
    assert all(found.rule == "proto-path" for found in problems.findings)
    return made, [f"{found.at}: {found.message}" for found in problems.findings]


def test_a_name_starts_where_its_importer_says() -> None:
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


def test_without_imports_the_package_tells() -> None:
    tree({"proto/acme/v1/a.proto": 'syntax = "proto3";\n  package acme.v1 ;\n'})
    assert layout(["proto/acme/v1/a.proto"])[0] == ImportLayout(
        {"acme/v1/a.proto": "proto/acme/v1/a.proto"}, ("proto",)
    )


def test_files_that_tell_nothing_start_from_their_common_folder() -> None:
    tree({"api/one/x.proto": "", "api/two/x.proto": 'import "google/protobuf/any.proto";'})
    names = {"one/x.proto": "api/one/x.proto", "two/x.proto": "api/two/x.proto"}
    assert layout(["api/one/x.proto", "api/two/x.proto"]) == (ImportLayout(names, ("api",)), [])


def test_absolute_paths_stay_absolute(tmp_path: Path) -> None:
    tree({"api/x.proto": ""})
    assert layout([f"{tmp_path}/api/x.proto"])[0].import_paths == (f"{tmp_path}/api",)


def test_given_import_paths_are_all_that_counts() -> None:
    tree({"a/b/x.proto": 'import "x.proto";', "c/y.proto": ""})
    made, findings = layout(["a/b/x.proto", "c/y.proto"], ["./a", "a/b"])
    assert made == ImportLayout({"b/x.proto": "a/b/x.proto"}, ("./a", "a/b"))
    assert findings == ['c/y.proto: file is outside the import paths "./a", "a/b"']


def test_two_files_cannot_share_a_name() -> None:
    tree({"a/x.proto": 'import "x.proto";', "b/x.proto": 'import "x.proto";'})
    assert layout(["a/x.proto", "b/x.proto"])[1] == [
        'b/x.proto: duplicate file name "x.proto", also the name of "a/x.proto"'
    ]


def test_odd_bytes_and_cycles_are_read_like_anything_else() -> None:
    Path("x.proto").write_bytes(b'\xff\nimport "y.proto";\n')
    tree({"y.proto": 'import "x.proto";'})
    assert layout(["x.proto"])[0] == ImportLayout({"x.proto": "x.proto"}, (".",))
