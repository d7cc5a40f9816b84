"""The plugin in the hands of protoc and buf."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

import pytest
from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest, CodeGeneratorResponse
from google.protobuf.descriptor_pb2 import FileDescriptorSet

from protoc_gen_crd.cli.output_manifest import MANIFEST_NAME
from protoc_gen_crd.proto.bundled_protos import OPTIONS
from tests.conftest import ROOT, shared
from tests.support.fork_server import get_server
from tests.support.goldens import read_folder

PROGRAM = Path(sys.executable).with_name("protoc-gen-crd")
EXAMPLES = sorted(path.parent.name for path in (ROOT / "examples").glob("*/protoc-gen-crd.yaml"))
TARGETS = ("analysis/", "meta/", "networking/", "type/")  # folders of the corpus
SETTINGS = ROOT / "testdata" / "istio" / "protoc-gen-crd.yaml"

Done = subprocess.CompletedProcess[bytes]
Item = TypeVar("Item")


def run(*command: str | Path, folder: Path, data: bytes = b"", **changes: str) -> Done:
    variables = {**os.environ, "NO_COLOR": "1", **changes}
    return subprocess.run(command, cwd=folder, input=data, capture_output=True, check=False, env=variables)


def protoc(folder: Path, *arguments: str) -> Done:
    """Run protoc with our plugin."""
    paths = ("-Iproto", f"-I{OPTIONS}") if (folder / "proto").is_dir() else ("-I.",)
    plugin = f"--plugin=protoc-gen-crd={PROGRAM}"
    result = get_server("protoc").run([plugin, *paths, *arguments], folder, {**os.environ, "NO_COLOR": "1"})
    return subprocess.CompletedProcess(arguments, result.returncode, result.stdout, result.stderr)


def generate(folder: Path, *arguments: str) -> Done:
    """Run `generate`."""
    environment = {**os.environ, "NO_COLOR": "1"}
    result = get_server("protoc-gen-crd").run(["generate", *arguments], folder, environment)
    return subprocess.CompletedProcess(arguments, result.returncode, result.stdout, result.stderr)


def buf(folder: Path, *arguments: str, strategy: str = "all", opt: str = "") -> Done:
    """Run `buf generate` with our plugin, which writes to the folder `buf`."""
    plugin = {"local": str(PROGRAM), "out": "buf", "strategy": strategy, "opt": opt}
    template = json.dumps({"version": "v2", "plugins": [plugin]})
    return run(PROGRAM.with_name("buf"), "generate", "--template", template, *arguments, folder=folder)


def read_files(folder: Path) -> dict[str, str]:
    """Return the generated files, without those that only `generate` writes: its list, and files written once."""
    files = {name: text for name, text in read_folder(folder).items() if name != MANIFEST_NAME}
    return {name: text for name, text in files.items() if not text.startswith("# Written once by protoc-gen-crd.")}


@pytest.mark.parametrize("name", EXAMPLES)
def test_protoc_buf_and_generate_write_the_same(name: str, tmp_path: Path) -> None:
    folder = tmp_path / name
    shutil.copytree(ROOT / "examples" / name, folder)
    shutil.copytree(OPTIONS, folder / "vendor")
    (folder / "buf.yaml").write_text("version: v2\nmodules: [{path: proto}, {path: vendor}]\n")
    (folder / "protoc").mkdir()
    names = sorted(path.relative_to(folder / "proto").as_posix() for path in folder.glob("proto/**/*.proto"))
    runs = [
        generate(folder, "--out", "generate"),
        protoc(folder, "--crd_out=protoc", "--crd_opt=settings=protoc-gen-crd.yaml", *names),
        buf(folder, "proto", opt="settings=protoc-gen-crd.yaml"),
    ]
    assert [(candidate.returncode, candidate.stderr) for candidate in runs] == [(0, b"")] * 3
    expected = read_files(folder / "generate")
    assert expected
    assert read_files(folder / "protoc") == expected
    assert read_files(folder / "buf") == expected


@pytest.fixture(scope="module")
def corpus() -> FileDescriptorSet:
    return FileDescriptorSet.FromString(shared("corpora", "istio-networking", "image.binpb").read_bytes())


@pytest.mark.parametrize(("option", "value", "files"), [("compat", "istio", 1), ("settings", str(SETTINGS), 9)])
def test_the_networking_api_is_the_same_in_all_ways(
    option: str, value: str, files: int, corpus: FileDescriptorSet, tmp_path: Path
) -> None:
    image, parameter = shared("corpora", "istio-networking", "image.binpb"), f"{option}={value}"
    targets = [file.name for file in corpus.file if file.name.startswith(TARGETS)]
    paths = [argument for folder in TARGETS for argument in ("--path", folder)]
    (tmp_path / "protoc").mkdir()
    runs = [
        generate(tmp_path, str(image), "--out", "generate", f"--{option}", value),
        protoc(tmp_path, f"--descriptor_set_in={image}", "--crd_out=protoc", f"--crd_opt={parameter}", *targets),
        buf(tmp_path, str(image), *paths, opt=parameter),
    ]
    assert [candidate.returncode for candidate in runs] == [0, 0, 0], runs
    expected = read_files(tmp_path / "generate")
    assert len(expected) == files
    assert read_files(tmp_path / "protoc") == expected
    assert read_files(tmp_path / "buf") == expected


def shuffled(items: Sequence[Item], seed: str) -> list[Item]:
    """The items in an order that the seed makes."""
    return sorted(items, key=lambda item: sha256(f"{seed} {item}".encode()).digest())


@pytest.mark.parametrize(
    ("parameter", "error"),
    [
        ("", ""),
        ("compat=istio,report=differences", ""),
        ("bundle=all.yaml", ""),
        ("oneof=cel", ""),
    ],
)
def test_neither_hash_seed_nor_order_shows(
    parameter: str, error: str, corpus: FileDescriptorSet, tmp_path: Path
) -> None:
    targets = [file.name for file in corpus.file if file.name.startswith(TARGETS)]
    parameter += f",settings={SETTINGS}" if "compat" not in parameter else ""
    requests = [
        CodeGeneratorRequest(
            file_to_generate=shuffled(targets, seed), proto_file=shuffled(corpus.file, seed), parameter=parameter
        )
        for seed in "123"
    ]
    first, *others = [
        run(PROGRAM, folder=tmp_path, data=candidate.SerializeToString(), PYTHONHASHSEED=str(seed), LC_ALL="C")
        for seed, candidate in enumerate(requests)
    ]
    response = CodeGeneratorResponse.FromString(first.stdout)
    assert (error in response.error, bool(response.error), bool(response.file)) == (True, bool(error), not error)
    assert [(other.stdout, other.stderr) for other in others] == [(first.stdout, first.stderr)] * 2


# A pipeline that prints in every way there is, as a library may do.
NOISY = """
import os, sys
import protoc_gen_crd.pipeline as pipeline
from protoc_gen_crd.plugin import main
quiet = pipeline.generate_files
def generate_files(*arguments):
    print("one", flush=True)
    sys.__stdout__.write("two")
    os.write(1, b"three")
    return quiet(*arguments)
pipeline.generate_files = generate_files
sys.exit(main())
"""


def test_nothing_but_the_response_is_on_standard_output(tmp_path: Path) -> None:
    request = CodeGeneratorRequest(parameter="format=json")
    request.proto_file.add(name="a.proto")
    done = run(sys.executable, "-c", NOISY, folder=tmp_path, data=request.SerializeToString())
    response = CodeGeneratorResponse.FromString(done.stdout)
    assert (done.returncode, response.error, list(response.file)) == (0, "", [])
    assert all(word in done.stderr for word in (b"one", b"two", b"three"))


def test_a_missing_request_is_reported_in_one_line(tmp_path: Path) -> None:
    done = run(PROGRAM, folder=tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == (
        "protoc-gen-crd: expected a CodeGeneratorRequest on standard input, found nothing; try --help\n"
    )


MISTAKE = """syntax = "proto3";
package acme.v1;

// +kubebuilder:resource
// +cue-gen:Widget:groupName:acme.example
message Widget {
  // +kubebuilder:validation:MaxLenght=3
  string name = 1;
}
"""


def test_protoc_shows_findings_at_their_places(tmp_path: Path) -> None:
    (tmp_path / "api.proto").write_text(MISTAKE)
    done = protoc(tmp_path, "--crd_out=.", "api.proto")
    problem = 'unknown marker "+kubebuilder:validation:MaxLenght" [marker-unknown]'
    assert done.returncode == 1
    assert done.stderr.decode() == (
        "--crd_out: 1 error\n"
        f"api.proto:7:7: error: {problem}\n"
        "    7 |   // +kubebuilder:validation:MaxLenght=3\n"
        "      |       ^\n"
        '  hint: did you mean "kubebuilder:validation:MaxLength"?\n'
    )
    assert not list(tmp_path.glob("*.yaml"))


def test_buf_shows_them_too(tmp_path: Path) -> None:
    (tmp_path / "api.proto").write_text(MISTAKE)
    (tmp_path / "buf.yaml").write_text("version: v2\n")
    done = buf(tmp_path)
    assert done.returncode != 0
    assert "\napi.proto:7:7: error: unknown marker" in done.stderr.decode()


V1 = """syntax = "proto3";
// +groupName=acme.example
package acme.v1;
import "protoc_gen_crd/v1/options.proto";
message Widget {
  option (protoc_gen_crd.v1.resource) = {
    storage_version: "v2" status: "acme.v2.Status" unserved_versions: "v1"
  };
}
"""
V2 = """syntax = "proto3";
// +groupName=acme.example
package acme.v2;
// +kubebuilder:storageversion
message Widget {}
message Status {}
"""


def test_places_are_exact_where_names_start_from_a_module(tmp_path: Path) -> None:
    (tmp_path / "proto" / "acme").mkdir(parents=True)
    text = (
        'syntax = "proto3";\npackage acme;\n\nmessage A {\n\t/* +kubebuilder:validation:Enmu=c */\n\tstring c = 1;\n}\n'
    )
    (tmp_path / "proto" / "acme" / "a.proto").write_text(text)
    (tmp_path / "buf.yaml").write_text("version: v2\nmodules: [{path: proto}]\n")
    done = buf(tmp_path)
    assert b"proto/acme/a.proto:5:6: error: unknown marker" in done.stderr


def test_buf_without_strategy_all_is_reported(tmp_path: Path) -> None:
    for version, text in (("v1", V1), ("v2", V2)):
        file = tmp_path / "proto" / "acme" / version / "api.proto"
        file.parent.mkdir(parents=True)
        file.write_text(text)
    shutil.copytree(OPTIONS, tmp_path / "vendor")
    (tmp_path / "buf.yaml").write_text("version: v2\nmodules: [{path: proto}, {path: vendor}]\n")
    done = buf(tmp_path, strategy="directory")
    error = done.stderr.decode()
    assert done.returncode != 0
    assert 'unknown storage version "v2" of Widget (versions: v1)' in error
    assert 'status message "acme.v2.Status" is not in the request' in error
    assert error.count("strategy: all") == 2
    done = buf(tmp_path)
    assert (done.returncode, done.stderr) == (0, b"")
    assert list(read_files(tmp_path / "buf")) == ["acme.example_widgets.yaml"]


OPTIONAL = """syntax = "proto3";
package acme.v1;

// +cue-gen:Widget:groupName:acme.example
// +cue-gen:Widget:version:v1
// +cue-gen:Widget:storageVersion
message Widget {
  optional string name = 1;
}
"""


def test_compat_istio_declares_no_features_like_the_go_plugin(tmp_path: Path) -> None:
    (tmp_path / "api.proto").write_text(OPTIONAL)
    (tmp_path / "buf.yaml").write_text("version: v2\n")
    done = buf(tmp_path, opt="compat=istio")
    assert done.returncode == 0
    assert b'does not support required features.\n  Feature "proto3 optional"' in done.stderr
    assert [Path(name).name for name in read_files(tmp_path / "buf")] == ["customresourcedefinitions.gen.yaml"]
    done = protoc(tmp_path, "--crd_out=.", "--crd_opt=compat=istio", "api.proto")
    assert done.returncode == 1
    assert b"hasn't been updated to support optional fields in proto3" in done.stderr


def test_compat_istio_rejects_editions_under_buf(tmp_path: Path) -> None:
    (tmp_path / "api.proto").write_text('edition = "2023";\npackage acme.v1;\nmessage Widget {}\n')
    (tmp_path / "buf.yaml").write_text("version: v2\n")
    done = buf(tmp_path, opt="compat=istio")
    assert done.returncode != 0
    assert b"a file with an edition" in done.stderr


_KIND = """syntax = "proto3";
package %s.v1;
// +protoc-gen-crd:resource={group: "%s.example"}
message %s {
  // +kubebuilder:validation:MaxLength=%d
  string name = 1;
}
"""


def make_modules(folder: Path, limit: int, *names: str) -> None:
    """Write a module with a folder per name, each with one kind."""
    shutil.rmtree(folder / "api", ignore_errors=True)
    for name in names:
        file = folder / "api" / name.partition("_")[0] / f"{name}.proto"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(_KIND % (name.partition("_")[0], name.replace("_", ""), name.replace("_", "").title(), limit))


def test_the_plugin_reports_changes_since_an_image(tmp_path: Path) -> None:
    """A kind of a folder that the run does not see is not removed, a kind of another file of its folder is."""
    make_modules(tmp_path, 10, "acme", "acme_other", "zeta")
    assert run(PROGRAM.with_name("buf"), "build", "api", "-o", "old.binpb", folder=tmp_path).returncode == 0
    done = buf(tmp_path, "api", strategy="directory", opt="old=old.binpb")
    assert (done.returncode, done.stderr) == (0, b"")
    make_modules(tmp_path, 20, "acme", "acme_other", "zeta")
    done = buf(tmp_path, "api", opt="old=old.binpb")
    assert (done.returncode, done.stderr.count(b"[change-bound-loosened]")) == (0, 3)
    make_modules(tmp_path, 5, "acme", "zeta")
    done = buf(tmp_path, "api", strategy="directory", opt="old=old.binpb")
    error = done.stderr.decode()
    assert (done.returncode, error.count("maxLength 10 is now 5"), error.count("[change-kind-removed]")) == (1, 2, 1)
    assert "old.binpb:acme/acme_other.proto:4:1: error: acmeother.example/Acmeother: " in error


def test_the_plugin_reports_changes_of_protos_since_an_image(tmp_path: Path) -> None:
    make_modules(tmp_path, 10, "acme", "acme_other", "zeta")
    assert run(PROGRAM.with_name("buf"), "build", "api", "-o", "old.binpb", folder=tmp_path).returncode == 0
    for file in tmp_path.glob("api/*/*.proto"):
        file.write_text(file.read_text().replace("string name = 1", "string name = 2"))
    for strategy in ("all", "directory"):
        done = buf(tmp_path, "api", strategy=strategy, opt="old=old.binpb")
        error = done.stderr.decode()
        assert (done.returncode, error.count("number 1 is now 2 [change-field-number]")) == (0, 3), error
        assert "change-unreserved" not in error
        assert "change-uncompared" not in error


def test_the_plugin_accepts_only_files_as_old_side(tmp_path: Path) -> None:
    make_modules(tmp_path, 10, "acme")
    for value, message in (
        ("git:main", 'plugin option "old" is not a file: "git:main" [option-value]'),
        (".", 'plugin option "old" is not a file: "." [option-value]'),
        ("none.binpb", 'cannot read the older API "none.binpb": No such file or directory [option-value]'),
        ("git:", "expected git:REF[:DIR], merge-base[:REF]"),
    ):
        done = buf(tmp_path, "api", opt=f"old={value}")
        assert (done.returncode, message in done.stderr.decode()) == (1, True), done.stderr
