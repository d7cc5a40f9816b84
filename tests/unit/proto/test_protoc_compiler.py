from __future__ import annotations

import os
from pathlib import Path

import pytest
from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.proto import protoc_compiler
from protoc_gen_crd.proto.protoc_compiler import compile_files, get_disk_paths

START_PROTOC = protoc_compiler._run_protoc  # before the tests replace it


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(protoc_compiler, "_run_protoc", START_PROTOC)


def compiled(sources: dict[str, str], paths: list[str] | None = None) -> tuple[CodeGeneratorRequest, list[str]]:
    """Compile the sources that are in no import path, each with its own name."""
    for name, text in sources.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text, "utf-8")
    names = {name: name for name in sources if "/" not in name}
    problems = Problems()
    request = compile_files(names, paths or [], problems)
    return request, sorted(f"{finding.at}: {finding.message} [{finding.rule}]" for finding in problems.findings)


def test_our_options_and_the_well_known_types_are_found() -> None:
    request, findings = compiled(
        {
            "a.proto": 'syntax = "proto3";\nimport "google/protobuf/any.proto";\n'
            'import "protoc_gen_crd/v1/options.proto";\n'
            "// A comment.\nmessage A {\n  google.protobuf.Any a = 1 [(protoc_gen_crd.v1.field).max_items = 3];\n}\n"
        }
    )
    assert findings == []
    assert list(request.file_to_generate) == ["a.proto"]
    assert {file.name for file in request.proto_file} == {
        "a.proto", "google/protobuf/any.proto", "google/protobuf/descriptor.proto", "protoc_gen_crd/v1/options.proto",
    }  # fmt: skip
    (file,) = [file for file in request.proto_file if file.name == "a.proto"]
    assert [where.leading_comments for where in file.source_code_info.location if where.leading_comments] == [
        " A comment.\n"
    ]
    assert file.message_type[0].field[0].json_name == "a"


def test_errors_have_places_in_files_as_given() -> None:
    request, findings = compiled({"a.proto": 'syntax = "proto3";\nmessage A {\n\tB b = 1;\n  int32 c = 1.5;\n}\n'})
    assert not request.proto_file
    assert findings == ["a.proto:4:13: Expected field number [proto-compile]"]
    request, findings = compiled({"a.proto": 'syntax = "proto3";\nmessage A {\n\tB b = 1;\n}\n'})
    assert findings == ['a.proto:3:9: "B" is not defined [proto-compile]']


@pytest.mark.parametrize("data", [b"\x7fELF\2\1\1\0\0", b"\x1f\x8b\x08\xff\xfe\x93" * 50])
def test_a_binary_file_is_one_error(data: bytes) -> None:
    Path("a.proto").write_bytes(data)
    problems = Problems()
    compile_files({"a.proto": "a.proto"}, [], problems)
    (result,) = problems.findings
    assert (result.message, str(result.at)) == ("file is binary, expected the text of a .proto file", "a.proto")


def test_a_stray_control_character_has_its_place() -> None:
    _, findings = compiled({"a.proto": 'syntax = "proto3";\nmessage A {\x07}\n'})
    assert findings == ["a.proto:2:12: Invalid control characters encountered in text [proto-compile]"]


def test_a_missing_import_is_reported_at_its_statement() -> None:
    _, findings = compiled({"a.proto": 'syntax = "proto3";\nimport "gone/b.proto";\n', "p/x.proto": ""}, ["p"])
    assert findings == ['a.proto:2:1: import "gone/b.proto" not found in "p" [proto-import]']


def test_an_import_with_errors_is_reported_once() -> None:
    sources = {"a.proto": 'syntax = "proto3";\nimport "b.proto";\n', "p/b.proto": 'syntax = "proto3";\nmessage {\n'}
    assert compiled(sources, ["p"])[1] == ["p/b.proto:2:9: Expected message name [proto-compile]"]


def test_warnings_do_not_stop_the_work() -> None:
    request, findings = compiled(
        {"a.proto": 'syntax = "proto3";\nimport "google/protobuf/any.proto";\n', "b.proto": "message B {}\n"}
    )
    assert list(request.file_to_generate) == ["a.proto", "b.proto"]
    unused, unversioned = findings
    assert unused == "a.proto:2:1: Import google/protobuf/any.proto is unused [proto-warning]"
    assert unversioned == "b.proto: no syntax or edition: the file is compiled as proto2 [proto-warning]"


def test_errors_above_a_limit_are_counted() -> None:
    _, findings = compiled({"a.proto": "/* " * 3_000 + "*/"})
    assert len(findings) == 1_001
    assert any("more errors and warnings of protoc" in finding for finding in findings)


def test_names_with_signs_and_spaces() -> None:
    sources = dict.fromkeys(("@ .proto", "-o.proto", "ä.b.proto"), 'syntax = "proto3"; import "y.proto";')
    request, findings = compiled({"p=q/y.proto": 'syntax = "proto3";', **sources}, ["p=q"])
    assert [finding for finding in findings if "unused" not in finding] == []
    assert list(request.file_to_generate) == ["@ .proto", "-o.proto", "ä.b.proto"]


@pytest.mark.parametrize("name", [f"a{os.pathsep}b.proto", "a=b.proto"])
def test_a_name_that_protoc_would_split_is_rejected(name: str) -> None:
    assert compiled({name: ""})[1] == [
        f'{name}: path "{name}" contains "=", "{os.pathsep}" or a line break [proto-path]'
    ]


def test_files_of_the_request_are_found_on_disk() -> None:
    sources = {"a.proto": 'syntax = "proto3";\nimport "b.proto";\n', "p/b.proto": 'syntax = "proto3";\n'}
    request, _ = compiled(sources, ["p"])
    assert get_disk_paths(request, {"a.proto": "a.proto"}, ["p"]) == {"a.proto": "a.proto", "b.proto": "p/b.proto"}


def test_a_folder_of_the_user_is_not_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "grpc_tools").mkdir()
    (tmp_path / "grpc_tools" / "__init__.py").write_text("raise SystemExit('run')")
    (tmp_path / "a.proto").write_text('syntax = "proto3";')
    monkeypatch.chdir(tmp_path)
    problems = Problems()
    request = compile_files({"a.proto": "a.proto"}, ["."], problems)
    assert ([file.name for file in request.proto_file], problems.findings) == (["a.proto"], [])


# Rejects the first import of the compiler module, and writes a file to record it.
_HIDING = """
import sys
from pathlib import Path

class Hiding:
    def find_spec(self, name, path=None, target=None):
        if name == "grpc_tools._protoc_compiler":
            sys.meta_path.remove(self)
            Path("hidden").touch()
            raise ImportError(name)

sys.meta_path.insert(0, Hiding())
"""


def test_without_the_private_module_the_public_function_is_called(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = {"a.proto": 'syntax = "proto3";\nimport "google/protobuf/any.proto";\n// A.\nmessage A {}\n'}
    quick = compiled(source)
    (tmp_path / "hiding").mkdir()
    (tmp_path / "hiding" / "sitecustomize.py").write_text(_HIDING)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "hiding"))
    assert compiled(source) == quick
    assert Path("hidden").exists()
    _, findings = compiled({"b.proto": 'syntax = "proto3";\nmessage B {\n  Lost a = 1;\n}\n'})
    assert findings == ['b.proto:3:3: "Lost" is not defined [proto-compile]']


def test_a_name_that_is_not_utf8(tmp_path: Path) -> None:
    problems = Problems()
    request = compile_files({"\udcff.proto": "\udcff.proto"}, [], problems)
    assert not request.proto_file
    assert [finding.message for finding in problems.findings] == [r"file name b'\xff.proto' is not UTF-8"]
