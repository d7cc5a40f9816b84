"""`generate` as a user runs it: processes, files, exit statuses."""

from __future__ import annotations

import gzip
import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from protoc_gen_crd.cli.output_manifest import MANIFEST_NAME
from tests.conftest import shared
from tests.support.fork_server import run_program
from tests.support.goldens import read_folder
from tests.support.serving import until

API = """syntax = "proto3";
// +groupName=acme.example
package acme.v1;
import "acme/v1/part.proto";

// A widget.
// +kubebuilder:resource
message Widget {
  // How many.
  // +kubebuilder:validation:Minimum=0
  int32 size = 1;
  Part part = 2;
}
"""
PART = 'syntax = "proto3";\npackage acme.v1;\nmessage Part {\n  string name = 1;\n}\n'
GADGET = """syntax = "proto3";
// +groupName=acme.example
package acme.v1;

// +kubebuilder:resource
message Gadget {
}
"""
WIDGETS, GADGETS = "acme.example_widgets.yaml", "acme.example_gadgets.yaml"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with an API, which is the working folder."""
    for name, text in {"widget": API, "part": PART, "gadget": GADGET}.items():
        file = tmp_path / "proto" / "acme" / "v1" / f"{name}.proto"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    (tmp_path / ".git").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def crd(*arguments: str, data: bytes = b"") -> subprocess.CompletedProcess[str]:
    """Run the program; the output as text."""
    environment = {**os.environ, "NO_COLOR": "1"}
    return run_program(arguments, Path.cwd(), environment, data)


def protoc(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "grpc_tools.protoc", *arguments], check=True, capture_output=True)


def test_a_folder_becomes_files(project: Path) -> None:
    run = crd("generate", "proto")
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout == f"wrote crds/{GADGETS}\nwrote crds/{WIDGETS}\ncrds: 2 files, 2 written\n"
    written = read_folder(project / "crds")
    assert set(written) == {WIDGETS, GADGETS, MANIFEST_NAME}
    assert "description: How many.\n" in written[WIDGETS]
    again = crd("generate", "proto")
    assert (again.returncode, again.stdout) == (0, "crds: 2 files, 0 written\n")
    assert read_folder(project / "crds") == written


def test_every_way_in_gives_the_same_bytes(project: Path) -> None:
    """Folder, files from anywhere, descriptor set, zipped buf image, protoc with the plugin, a saved request."""
    crd("generate", "proto", "--out", "folder", "--dump-request", "request.bin")
    files = [f"proto/acme/v1/{name}.proto" for name in ("widget", "gadget", "part")]
    crd("generate", *files, "--out", "files")
    names = ["acme/v1/widget.proto", "acme/v1/gadget.proto", "acme/v1/part.proto"]
    protoc("-Iproto", "-oset.bin", "--include_imports", "--include_source_info", *names)
    crd("generate", "set.bin", "--out", "set")
    buf = Path(sys.executable).with_name("buf")
    subprocess.run([buf, "build", "proto", "-o", "image.binpb"], check=True)
    Path("image.gz").write_bytes(gzip.compress(Path("image.binpb").read_bytes()))
    crd("generate", "image.gz", "--out", "image")
    Path("plugin").mkdir()
    Path("plugin.sh").write_text(f"#!/bin/sh\nexec {sys.executable} -m protoc_gen_crd\n")
    Path("plugin.sh").chmod(0o755)
    protoc("--plugin=protoc-gen-crd=plugin.sh", "-Iproto", "--crd_out=plugin", *names)
    crd("--request", "request.bin", "--out", "replay")
    expected = {name: text for name, text in read_folder(project / "folder").items() if name != MANIFEST_NAME}
    for other in ("files", "set", "image", "plugin", "replay"):
        by_name = {name: text for name, text in read_folder(project / other).items() if name != MANIFEST_NAME}
        assert by_name == expected, other
    assert len(expected) == 2


def test_checking_reports_stale_files(project: Path) -> None:
    assert crd("generate", "proto", "--check").returncode == 1
    assert not Path("crds").exists()
    crd("generate", "proto")
    assert crd("generate", "proto", "--check").returncode == 0
    Path("proto/acme/v1/widget.proto").write_text(API.replace("How many.", "How many of them."))
    before = read_folder(project / "crds")
    run = crd("generate", "proto", "--check")
    assert run.returncode == 1
    assert read_folder(project / "crds") == before
    assert "-                description: How many.\n+                description: How many of them.\n" in run.stdout
    assert run.stderr == (
        f"crds/{WIDGETS}: error: file is out of date [output-stale]\n  hint: run `protoc-gen-crd generate`\n1 error\n"
    )


def test_a_mistake_leaves_everything_as_it_was(project: Path) -> None:
    crd("generate", "proto")
    before = read_folder(project / "crds")
    Path("proto/acme/v1/gadget.proto").write_text(GADGET.replace("{\n}", "{\n  int32 more = 1;\n}"))
    Path("proto/acme/v1/widget.proto").write_text(API.replace("Minimum=0", "Minimun=0"))
    run = crd("generate", "proto")
    assert (run.returncode, run.stdout) == (1, "")
    assert run.stderr.startswith("proto/acme/v1/widget.proto:10:7: error: ")
    assert "\n   10 |   // +kubebuilder:validation:Minimun=0\n      |       ^" in run.stderr
    assert run.stderr.endswith("1 error\n")
    assert read_folder(project / "crds") == before


def test_an_import_that_lies_elsewhere_is_pointed_at(project: Path) -> None:
    Path("vendor/acme/v1").mkdir(parents=True)
    Path("proto/acme/v1/part.proto").rename("vendor/acme/v1/part.proto")
    run = crd("generate", "proto")
    hint = "  hint: it is in another folder: use --import-path proto --import-path vendor\n"
    assert run.returncode == 1
    assert run.stderr.endswith(f"{hint}1 error\n")
    assert crd("generate", "proto", "--import-path", "proto", "--import-path", "vendor").returncode == 0


def test_files_that_a_buf_module_excludes_are_excluded(project: Path) -> None:
    Path("buf.yaml").write_text("version: v2\nmodules:\n  - path: proto\n    excludes: [proto/old]\n")
    Path("proto/old").mkdir()
    Path("proto/old/broken.proto").write_text("no proto")
    assert crd("generate", "proto").returncode == 0
    assert crd("generate", "proto/old").returncode == 1


def test_a_file_that_does_not_compile(project: Path) -> None:
    Path("proto/acme/v1/part.proto").unlink()
    run = crd("generate", "proto")
    assert run.returncode == 1
    assert run.stderr.splitlines()[0].startswith(
        'proto/acme/v1/widget.proto:4:1: error: import "acme/v1/part.proto" not found in "proto'
    )
    assert not Path("crds").exists()


def test_stale_files_are_reported_and_pruned(project: Path) -> None:
    crd("generate", "proto")
    Path("proto/acme/v1/gadget.proto").unlink()
    Path("crds/other.yaml").write_text("kind: CustomResourceDefinition\n")
    run = crd("generate", "proto")
    assert run.returncode == 0
    assert f"crds/{GADGETS}: warning: " in run.stderr
    assert crd("generate", "proto", "--fail-on", "warning").returncode == 1
    assert crd("generate", "proto", "--check").returncode == 1
    run = crd("generate", "proto", "--prune")
    assert (run.returncode, run.stderr) == (0, "")
    assert f"removed crds/{GADGETS}\n" in run.stdout
    assert set(read_folder(project / "crds")) == {WIDGETS, "other.yaml", MANIFEST_NAME}


def test_findings_for_programs_have_standard_output_to_themselves(project: Path) -> None:
    run = crd("generate", "proto", "--format-findings", "json")
    assert json.loads(run.stdout)["findings"] == []
    assert f"wrote crds/{WIDGETS}" in run.stderr
    Path("proto/acme/v1/widget.proto").write_text(API.replace("Minimum=0", "Minimun=0"))
    run = crd("generate", "proto", "--format-findings", "sarif")
    (result,) = json.loads(run.stdout)["runs"][0]["results"]
    assert (run.returncode, result["ruleId"], run.stderr) == (1, "marker-unknown", "")
    region = result["locations"][0]["physicalLocation"]
    assert region == {
        "artifactLocation": {"uri": "proto/acme/v1/widget.proto"}, "region": {"startLine": 10, "startColumn": 7},
    }  # fmt: skip
    run = crd("generate", "proto", "--format-findings", "github")
    assert run.stderr.startswith("::error file=proto/acme/v1/widget.proto,line=10,col=7,title=marker-unknown::")


def test_an_output_that_would_leave_the_folder(project: Path) -> None:
    run = crd("generate", "proto", "--bundle", "../all.yaml")
    assert run.returncode == 2
    assert 'argument --bundle: expected the name of a file in the output folder, got "../all.yaml"' in run.stderr
    assert not Path("all.yaml").exists()


def test_a_file_where_a_folder_should_be(project: Path) -> None:
    Path("crds").write_text("mine")
    run = crd("generate", "proto")
    assert run.returncode == 2
    assert "Traceback" not in run.stderr
    assert Path("crds").read_text() == "mine"


def test_files_with_dots_and_spaces_in_their_names(project: Path) -> None:
    file = Path("my protos/a.b/my api.v1.proto")
    file.parent.mkdir(parents=True)
    file.write_text(GADGET)
    run = crd("generate", "my protos", "--out", "my crds")
    assert (run.returncode, run.stderr) == (0, "")
    assert f"wrote my crds/{GADGETS}\n" in run.stdout


def import_that_waits() -> Sequence[str]:
    """Flags with which a read does not end: protoc finds a pipe in the place of an import."""
    Path("slow").mkdir()
    os.mkfifo("slow/slow_part.proto")
    Path("proto/acme/v1/slow.proto").write_text('syntax = "proto3"; import "slow_part.proto";')
    return "-I", "proto", "-I", "slow"


@pytest.mark.parametrize("command", ["generate", "generate folder --settings", "validate", "--request"])
@pytest.mark.parametrize("path", ["pipe", "folder"])
def test_a_pipe_is_not_waited_for(project: Path, command: str, path: str) -> None:
    Path("folder").mkdir()
    os.mkfifo("folder/pipe.proto")
    os.mkfifo("pipe")
    verbose = crd(*command.split(), path).stderr
    assert "a named pipe, not a regular file" in verbose or (path == "folder" and "Is a directory" in verbose)


def test_a_file_in_utf_16_has_one_finding(project: Path) -> None:
    Path("wide.proto").write_text(API, "utf-16")
    run = crd("generate", "wide.proto")
    assert (run.returncode, run.stderr.count("error: ")) == (1, 1)
    assert "file is encoded in UTF-16 instead of UTF-8 [proto-compile]" in run.stderr


def test_patterns_are_not_read(project: Path) -> None:
    run = crd("generate", "proto/**")
    assert run.returncode == 2
    assert "proto/**: No such file or directory; patterns are not expanded: pass the folder\n" in run.stderr


def test_output_of_process_substitution_is_read(project: Path) -> None:
    protoc("-Iproto", "-oset.bin", "--include_imports", "acme/v1/part.proto")
    reading, writing = os.pipe()
    os.write(writing, Path("set.bin").read_bytes())
    os.close(writing)
    command = [sys.executable, "-m", "protoc_gen_crd", "generate", f"/dev/fd/{reading}"]
    run = subprocess.run(command, pass_fds=[reading], capture_output=True, text=True, check=False)
    os.close(reading)
    assert (run.returncode, "no resources found in 1 file [output-none]" in run.stderr) == (0, True)


def open_pipe(process: subprocess.Popen[str], path: str) -> int:
    """Open a named pipe as soon as a process reads it."""
    opened: list[int] = []

    def is_open() -> bool:
        with suppress(OSError):  # nobody reads it yet
            opened.append(os.open(path, os.O_WRONLY | os.O_NONBLOCK))
        return bool(opened) or process.poll() is not None

    assert until(is_open)
    assert opened, process.communicate()
    return opened[0]


def test_an_interrupt_leaves_everything_as_it_was(project: Path) -> None:
    crd("generate", "proto")
    before = read_folder(project / "crds")
    Path("proto/acme/v1/widget.proto").write_text(API.replace("How many.", "How many of them."))
    slow = import_that_waits()  # while an old output stands
    process = subprocess.Popen(
        [sys.executable, "-m", "protoc_gen_crd", "generate", "proto", *slow], stderr=subprocess.PIPE, text=True
    )
    reached = open_pipe(process, "slow/slow_part.proto")
    process.send_signal(signal.SIGINT)
    assert (process.communicate(timeout=60)[1], process.returncode) == ("protoc-gen-crd: interrupted\n", 130)
    os.close(reached)
    assert read_folder(project / "crds") == before


def test_the_plugin_without_a_request() -> None:
    run = crd()
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.count("\n") == 1


def test_the_plugin_with_garbage() -> None:
    run = crd(data=b"\xff\xfe garbage")
    assert run.returncode == 0
    assert "request-invalid" in run.stdout
    assert run.stderr == ""


def test_a_replay_prints_the_response(project: Path) -> None:
    crd("generate", "proto", "--dump-request", "request.bin", "--format", "json")
    run = crd("--request", "request.bin")
    assert run.returncode == 0
    assert [line.partition(":")[0] for line in run.stdout.splitlines()] == [
        "acme.example_gadgets.json", "acme.example_widgets.json",
    ]  # fmt: skip
    Path("bad.bin").write_bytes(b"\xff")
    run = crd("--request", "bad.bin")
    assert (run.returncode, run.stdout) == (1, "")
    assert "request-invalid" in run.stderr


def test_options_without_effect(project: Path) -> None:
    for flags, problem in (
        (("--target", "zzz"), 'option "targets" has no effect without a descriptor set'),
        (("--format", "json", "--header", "x"), 'option "header" has no effect with format=json'),
    ):
        run = crd("generate", "proto", *flags)
        assert (run.returncode, run.stderr.count("[option-unused]")) == (0, 1)
        assert f"{problem} [option-unused]\n" in run.stderr


def test_a_request_is_saved_over_nothing_but_a_request(project: Path) -> None:
    source = Path("proto/acme/v1/part.proto")
    before = source.read_bytes()
    run = crd("generate", "proto", "--dump-request", str(source))
    assert (run.returncode, source.read_bytes()) == (1, before)
    problem = f'"dump_request" names "{source}", which exists and does not contain a request [option-value]\n'
    assert problem in run.stderr
    protoc("-Iproto", "-oset.bin", "--include_imports", "acme/v1/part.proto")
    assert crd("generate", "proto", "--dump-request", "set.bin").returncode == 1
    Path("new.bin").touch()
    assert [crd("generate", "proto", "--dump-request", "new.bin").returncode for _ in range(2)] == [0, 0]


def test_istios_networking_api_byte_for_byte(project: Path) -> None:
    corpus = shared("corpora", "istio-networking")
    run = crd("generate", str(corpus / "image.binpb"), "--compat", "istio", "--out", ".")
    assert run.returncode == 0
    generated = Path("kubernetes/customresourcedefinitions.gen.yaml")
    assert generated.read_bytes() == (corpus / "expected.yaml").read_bytes()


def test_the_changes_of_default_mode_are_reported(project: Path) -> None:
    corpus = shared("corpora", "istio-networking")
    verbose = crd("generate", str(corpus / "image.binpb"), "--compat", "istio", "--report", "differences", "--out", "o")
    quiet = crd("generate", str(corpus / "image.binpb"), "--compat", "istio", "--out", "o")
    assert (verbose.returncode, quiet.returncode) == (0, 0)
    assert verbose.stderr.endswith(quiet.stderr)
    assert len(verbose.stderr) > len(quiet.stderr)


def test_an_end_by_signal_cleans_up_as_an_interrupt_does(project: Path) -> None:
    command = [sys.executable, "-m", "protoc_gen_crd", "generate", "proto", *import_that_waits()]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": str(project)})
    reached = open_pipe(process, "slow/slow_part.proto")
    process.send_signal(signal.SIGTERM)
    ended = process.communicate(timeout=60)[1], process.returncode
    assert ended == ("protoc-gen-crd: ended by SIGTERM\n", 128 + signal.SIGTERM)
    os.close(reached)
    assert {path.name for path in project.iterdir()} == {".git", "proto", "slow"}


def test_unused_entries_are_not_reported_without_a_check(project: Path) -> None:
    entries = '- {rule: proto-compile, severity: "off"}\n- {rule: crd-rejected, severity: warning}\n'
    (project / "protoc-gen-crd.yaml").write_text(f"inputs: [proto]\nfindings:\n{entries}")
    ended = crd("generate")
    assert ended.returncode == 1
    assert "policy-severity" in ended.stderr
    assert "policy-unused" not in ended.stderr


def test_a_rule_on_map_keys_over_the_cost_limit_is_left_out(project: Path) -> None:
    Path("lamp.proto").write_text(
        'syntax = "proto3";\npackage lamps.v1;\nimport "protoc_gen_crd/v1/options.proto";\n'
        'message Lamp {\n  option (protoc_gen_crd.v1.resource).group = "acme.example";\n  repeated Row rows = 1;\n}\n'
        "message Row {\n  map<int32, string> colors = 1 [(protoc_gen_crd.v1.field).max_properties = 10000];\n}\n"
    )
    run = crd("generate", "lamp.proto", "--out", "lamps")
    assert (run.returncode, run.stderr.count("warning: "), "[map-keys]" in run.stderr) == (0, 1, True)
    assert "x-kubernetes-validations" not in Path("lamps/acme.example_lamps.yaml").read_text()
