from __future__ import annotations

from pathlib import Path

import pytest

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.proto.generate_inputs import GenerateInputs, read_inputs


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)


def write(files: dict[str, str]) -> None:
    for name, text in files.items():
        Path(name).parent.mkdir(parents=True, exist_ok=True)
        Path(name).write_text(text)


def read(
    *paths: str, import_paths: tuple[str, ...] = (), targets: tuple[str, ...] = ()
) -> tuple[GenerateInputs, list[str]]:
    problems = Problems()
    inputs = read_inputs(paths, import_paths, targets, problems)
    return inputs, [f"{finding.at}: {finding.message} [{finding.rule}]" for finding in problems.findings]


def image(name: str, *paths: str) -> None:
    """Write a descriptor set of inputs."""
    request = read(*paths)[0].request
    Path(name).write_bytes(b"".join(b"\x0a" + _varint(len(data)) + data for data in _files(request)))


def _files(request: object) -> list[bytes]:
    return [file.SerializeToString() for file in request.proto_file]  # type: ignore[attr-defined]


def _varint(number: int) -> bytes:
    head = bytes([number & 0x7F | 0x80]) if number > 0x7F else b""
    return head + _varint(number >> 7) if head else bytes([number])


EMPTY = 'syntax = "proto3";\n'


def test_a_folder_contains_its_protos_without_hidden_folders() -> None:
    write({"api/b.proto": EMPTY, "api/a/x.proto": EMPTY, "api/.hidden/y.proto": EMPTY, "api/notes.txt": ""})
    inputs, findings = read("./api/", "api/../api/b.proto")
    assert findings == []
    assert list(inputs.request.file_to_generate) == ["b.proto", "a/x.proto"]
    assert inputs.paths == {"b.proto": "api/b.proto", "a/x.proto": "api/a/x.proto"}


def test_a_folder_without_protos() -> None:
    write({"api/notes.txt": ""})
    assert read("api")[1] == ['api: no .proto files in "api" [input-empty]']


@pytest.mark.parametrize(("path", "paths"), [("gone", ()), ("gone.proto", ()), (".", ("gone",))])
def test_a_missing_path(path: str, paths: tuple[str, ...]) -> None:
    with pytest.raises(FileNotFoundError) as raised:
        read(path, import_paths=paths)
    assert str(raised.value.filename).startswith("gone")


def test_roots_of_buf_are_used_if_they_contain_the_files() -> None:
    module = {"buf.yaml": "version: v2\nmodules:\n  - path: proto\n", "proto/a/x.proto": EMPTY, "other/y.proto": EMPTY}
    write(module)
    assert list(read("proto/a")[0].request.file_to_generate) == ["a/x.proto"]
    assert list(read("other")[0].request.file_to_generate) == ["y.proto"]


def test_import_paths_take_precedence_over_roots_of_buf() -> None:
    write({"buf.yaml": "version: v2\n", "proto/a/x.proto": EMPTY})
    assert list(read("proto", import_paths=("proto",))[0].request.file_to_generate) == ["a/x.proto"]


def test_sources_and_images_together() -> None:
    write(
        {
            "one/a.proto": f'{EMPTY}import "google/protobuf/any.proto";\n',
            "two/b.proto": f'{EMPTY}import "google/protobuf/any.proto";\n',
        }
    )
    image("two.binpb", "two")
    inputs, findings = read("one", "two.binpb")
    assert [finding for finding in findings if "unused" not in finding] == []
    assert [file.name for file in inputs.request.proto_file] == ["google/protobuf/any.proto", "a.proto", "b.proto"]
    assert list(inputs.request.file_to_generate) == ["a.proto", "b.proto"]


def test_a_target_of_two_inputs_is_duplicate() -> None:
    """The reader of the request reports the duplicate."""
    write({"one/a.proto": EMPTY})
    image("one.binpb", "one")
    assert [file.name for file in read("one", "one.binpb")[0].request.proto_file] == ["a.proto", "a.proto"]


def test_a_dump_is_a_request_with_the_parameter() -> None:
    write({"a.proto": EMPTY})
    inputs, _ = read("a.proto")
    dumped = type(inputs.request).FromString(inputs.serialize_request("format=json"))
    assert (dumped.parameter, list(dumped.file_to_generate)) == ("format=json", ["a.proto"])
    assert inputs.request.parameter == ""
