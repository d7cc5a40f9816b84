"""Inputs and machines on which runs failed with a traceback, without an end or without a path."""

from __future__ import annotations

import compileall
import errno
import os
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorSet

from protoc_gen_crd.base.temporary_files import run_prefix
from tests.conftest import ROOT
from tests.support.compile import compile_texts
from tests.support.fork_server import run_program

RECORDINGS = ROOT / "testdata" / "failures"
API = """syntax = "proto3";
import "protoc_gen_crd/v1/options.proto";
message Widget {
  option (protoc_gen_crd.v1.resource) = {group: "acme.example" versions: ["v1"]};
  string size = 1;
}
"""
PREFIX_OF_A_RUN = "from protoc_gen_crd.base.temporary_files import run_prefix; print(run_prefix())"
MEMORY = 2_000_000_000  # bytes of addresses
SECONDS = 120  # a run takes less than two where nothing else runs


def run(
    folder: Path, *arguments: str, limit: Callable[[], None] | None = None, **variables: str
) -> subprocess.CompletedProcess[str]:
    """Run the program in a forked process, or in a started one with a further limit."""
    environment = {**os.environ, "NO_COLOR": "1", **variables}
    if limit is None:
        result = run_program(arguments, folder, environment, seconds=SECONDS, memory=MEMORY)
    else:
        result = start(folder, environment, limit, *arguments)
    assert "Traceback" not in result.stderr
    return result


def start(
    folder: Path, environment: Mapping[str, str], limit: Callable[[], None], *arguments: str
) -> subprocess.CompletedProcess[str]:
    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        limit()

    command = [sys.executable, "-m", "protoc_gen_crd", *arguments]
    # Under a limit on file sizes, Python would write truncated bytecode to the package: it is written before.
    compileall.compile_dir(ROOT / "protoc_gen_crd", quiet=2)
    environment = {**environment, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONPATH": str(ROOT)}
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, timeout=SECONDS, env=environment,
        preexec_fn=limited, stdin=subprocess.DEVNULL,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("recording", "command", "rule"),
    [
        ("image-name-not-utf8", "generate i.binpb", "image-invalid"),
        ("deep-default", "convert deepdef2.proto --prove", "conversion-depth"),
        ("deep-default", "generate deepdef2.proto --converters c --check", "conversion-depth"),
        ("plan-with-errors", "convert . --plan", "conversion-path"),
    ],
)
def test_a_recorded_mistake_is_a_finding(recording: str, command: str, rule: str) -> None:
    result = run(RECORDINGS / recording, *command.split())
    assert result.returncode == 1
    assert f"[{rule}]" in result.stderr


def pipe(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    path.symlink_to("/dev/zero")


def sparse(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(2**36)


SPECIAL = pytest.mark.parametrize("special", [pipe, device, sparse])


@SPECIAL
@pytest.mark.parametrize("name", ["1.0/release.json", "1.0/api.json", "checksums.txt"])
def test_a_history_with_a_special_file_is_a_finding(tmp_path: Path, name: str, special: Callable[[Path], None]) -> None:
    shutil.copytree(ROOT / "testdata" / "history" / "truncated" / "history", tmp_path / "history")
    path = next(tmp_path.glob(f"history/{name}"), tmp_path / "history" / name)
    path.unlink(missing_ok=True)
    special(path)
    result = run(tmp_path, "history", "check")
    assert result.returncode == 1
    assert f"history/{name}" in result.stderr


@SPECIAL
@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("things/__init__.py", "convert things --converter-package things --to v2"),
        ("protoc-gen-crd.yaml", "generate ."),
        ("objects.yaml", "validate ."),
        ("objects.yaml", "validate objects.yaml"),
        ("rules.yaml", "convert crd.yaml rules.yaml --to v2"),
        ("ca.crt", "patch crd.yaml --webhook-ca ca.crt --webhook-url https://h"),
        ("kubeconfig", "migrate --kubeconfig kubeconfig things.t.io"),
        ("buf.yaml", "generate api.proto"),
        ("tls.crt", "serve api.proto --certificates . --port 0"),
    ],
)
def test_a_special_file_is_an_error_with_its_path(
    tmp_path: Path, name: str, command: str, special: Callable[[Path], None]
) -> None:
    shutil.copy(RECORDINGS / "plan-with-errors" / "crd.yaml", tmp_path)
    (tmp_path / "api.proto").write_text(API)
    (tmp_path / name).parent.mkdir(exist_ok=True)
    special(tmp_path / name)
    result = run(tmp_path, *command.split())
    if (name, special) == ("buf.yaml", sparse) or name != "buf.yaml":  # others are no configuration
        assert result.returncode in (1, 2)
        assert name in result.stderr


def test_a_request_is_not_written_to_a_pipe(tmp_path: Path) -> None:
    (tmp_path / "api.proto").write_text(API)
    os.mkfifo(tmp_path / "request")
    result = run(tmp_path, "generate", "api.proto", "--dump-request", "request")
    assert result.returncode == 2
    assert "request: a named pipe, not a regular file" in result.stderr


@pytest.mark.parametrize("create", [Path.touch, os.mkfifo])
def test_docs_with_a_file_as_history_are_an_error(tmp_path: Path, create: Callable[[Path], None]) -> None:
    (tmp_path / "api.proto").write_text(API)
    create(tmp_path / "releases")
    result = run(tmp_path, "docs", "api.proto", "--history", "releases")
    assert result.returncode == 1
    assert 'the history "releases" is not a folder [option-value]' in result.stderr


def test_standard_input_without_an_end_is_a_finding(tmp_path: Path) -> None:
    with Path("/dev/zero").open("rb") as zero:
        command = [sys.executable, "-m", "protoc_gen_crd", "validate", "-"]
        result = subprocess.run(command, stdin=zero, capture_output=True, text=True, check=False, timeout=SECONDS)
    assert (result.returncode, "<stdin>" in result.stderr) == (1, True)


def tiny() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))


@pytest.mark.parametrize(
    ("command", "path"),
    [
        ("generate api.binpb --out crds", "crds/acme.example_widgets.yaml"),
        ("generate api.binpb --check --dump-request saved", "saved"),
        ("history record 1.0 api.binpb", "history/.1.0.tmp/"),
    ],
)
def test_an_error_of_writing_names_the_path(tmp_path: Path, command: str, path: str) -> None:
    files = compile_texts({"api.proto": API}, tmp_path / "sources").proto_file
    (tmp_path / "api.binpb").write_bytes(FileDescriptorSet(file=files).SerializeToString())
    shutil.rmtree(tmp_path / "sources")
    result = run(tmp_path, *command.split(), limit=tiny)
    assert result.returncode == 2
    assert path in result.stderr
    assert os.strerror(errno.EFBIG) in result.stderr
    left = [file for file in tmp_path.rglob("*") if file.is_file() and file.stat().st_size]
    assert left == [tmp_path / "api.binpb"]


def test_objects_are_unchanged_if_they_cannot_be_written(tmp_path: Path) -> None:
    """The temporary files of the compiler are below the limit."""
    shutil.copytree(ROOT / "testdata" / "webhook" / "api", tmp_path / "api")
    machine = "apiVersion: acme.example/v1alpha1\nkind: Machine\nmetadata: {name: a}\nspec: {host: HOST, replicas: 3}\n"
    (tmp_path / "first.yaml").write_text(machine)
    (tmp_path / "second.yaml").write_text(machine.replace("HOST", "h" * (1 << 20)))
    before = {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()}
    command = ["convert", "api", "first.yaml", "second.yaml", "--to", "v1", "--write"]
    result = run(tmp_path, *command, limit=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20)))
    assert result.returncode == 2
    assert f"second.yaml: {os.strerror(errno.EFBIG)}" in result.stderr
    assert {file: file.read_bytes() for file in tmp_path.rglob("*") if file.is_file()} == before


def test_full_standard_output_is_named(tmp_path: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        command = [sys.executable, "-m", "protoc_gen_crd", "explain", "conversion-path"]
        result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert result.stderr == f"protoc-gen-crd: standard output: {os.strerror(errno.ENOSPC)}\n"


def get_prefix_of_a_killed_run() -> str:
    dead = subprocess.Popen([sys.executable, "-c", PREFIX_OF_A_RUN],
                            stdout=subprocess.PIPE, text=True, cwd=ROOT)  # fmt: skip
    return dead.communicate()[0].strip()


def test_temporary_files_of_killed_runs_are_removed(tmp_path: Path) -> None:
    (tmp_path / "api.proto").write_text(API)
    (tmp_path / "crds").mkdir()
    (tmp_path / "tmp").mkdir()
    prefix = get_prefix_of_a_killed_run()
    (tmp_path / "tmp" / f"{prefix}x").mkdir()
    (tmp_path / "tmp" / f"{prefix}x" / "image").write_text("")
    (tmp_path / "crds" / f".{prefix}0.tmp").write_text("half")
    others = {f".{run_prefix()}0.tmp", ".protoc-gen-crd-mine.tmp"}  # of a run that goes on, and of somebody else
    for name in others:
        (tmp_path / "crds" / name).write_text("")
    result = run(tmp_path, "generate", "api.proto", "--out", "crds", TMPDIR=str(tmp_path / "tmp"))
    assert (result.returncode, result.stderr) == (0, "")
    assert {path.name for path in (tmp_path / "crds").glob(".protoc-gen-crd-*.tmp")} == others
    assert not list((tmp_path / "tmp").iterdir())
    (tmp_path / "crds" / f".{prefix}1.tmp").write_text("half")
    assert run(tmp_path, "generate", "api.proto", "--out", "crds").returncode == 0  # writes nothing
    assert {path.name for path in (tmp_path / "crds").glob(".protoc-gen-crd-*.tmp")} == others


@pytest.mark.parametrize(
    ("command", "status"),
    [
        ("version add v1beta2 --from v1beta1 api", 0),
        ("version add v1beta2 --from v9 api", 1),  # no such version
        ("version add v1beta1 --from v1beta1 api", 1),  # it exists
        ("version remove v1beta1 api", 1),  # served
        ("version add v1beta2 --from v1beta1 api crds", 1),  # a document with an error
    ],
)
def test_commands_that_edit_sources_remove_temporary_files_of_killed_runs(
    tmp_path: Path, command: str, status: int
) -> None:
    shutil.copytree(ROOT / "testdata" / "versioning" / "markers" / "api", tmp_path / "api")
    (tmp_path / "crds").mkdir()
    (tmp_path / "crds" / "crd.yaml").write_text("kind: CustomResourceDefinition\napiVersion: apiextensions.k8s.io/v1\n")
    (tmp_path / "api" / f".{get_prefix_of_a_killed_run()}0.tmp").write_text("half")
    assert run(tmp_path, *command.split()).returncode == status
    assert not list(tmp_path.rglob(".protoc-gen-crd-*.tmp"))


def test_rejected_commands_remove_temporary_files_beside_copies_for_other_versions(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "testdata" / "versioning" / "packages", tmp_path, dirs_exist_ok=True)
    folders = ("", "proto/acme/widgets/v1beta1", "proto/acme/widgets/v1beta2", "tests", "samples/widgets.acme.example")
    for folder in folders:
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / f".{get_prefix_of_a_killed_run()}0.tmp").write_text("half")
    assert run(tmp_path, "version", "add", "v1", "--from", "v9").returncode == 1  # no such version
    assert not list(tmp_path.rglob(".protoc-gen-crd-*.tmp"))


@pytest.mark.parametrize("command", ["import crds", "migrate --emit add-on crds"])
def test_commands_that_write_nothing_remove_temporary_files_of_killed_runs(tmp_path: Path, command: str) -> None:
    shutil.copytree(ROOT / "examples" / "widget" / "crds", tmp_path / "crds")
    assert run(tmp_path, "import", "crds").returncode == 0
    (folder,) = {path.parent for path in (tmp_path / "proto").rglob("*.proto")}
    for place in (folder, tmp_path):
        (place / f".{get_prefix_of_a_killed_run()}0.tmp").write_text("half")
    assert run(tmp_path, *command.split()).returncode == 0
    assert len(list(tmp_path.rglob(".protoc-gen-crd-*.tmp"))) == 1  # beside what the command would write


@pytest.mark.parametrize(
    "command",
    [
        "convert loop --to v1",
        "convert loop.yaml --to v1",
        "convert loop.proto --to v1",
        "convert --prove loop",
        "convert widget.proto --to v1 --converter-package loop",
        "serve --port 0 loop",
        "explore loop",
        "generate loop",
        "generate widget.proto --out loop",
        "version add --from v1 v2 loop",
        "version add --from v1 v2 loop.proto",
    ],
)
def test_a_loop_of_links_is_an_error_with_its_path(tmp_path: Path, command: str) -> None:
    (tmp_path / "widget.proto").write_text(API)
    for name in ("loop", "loop.yaml", "loop.proto"):
        (tmp_path / name).symlink_to(name)
    result = run(tmp_path, *command.split())
    assert result.returncode == 2
    *_, error = result.stderr.splitlines()
    assert re.fullmatch("protoc-gen-crd: .*loop.*: Too many levels of symbolic links", error)


def test_a_loop_of_links_as_state_of_a_migration_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "widget.proto").write_text(API)
    (tmp_path / "loop").symlink_to("loop")
    result = run(tmp_path, *["migrate", "widget.proto", "--state", "loop", "--kubeconfig", "missing"])
    assert result.returncode == 2
    assert result.stderr.startswith("protoc-gen-crd: no kubeconfig at missing: ")
