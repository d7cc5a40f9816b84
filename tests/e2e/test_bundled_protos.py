"""Kubernetes' messages and google/api are importable without Go and without a checkout of their files."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from protoc_gen_crd.proto.bundled_protos import find_googleapis
from tests.e2e.test_plugin import PROGRAM, protoc, read_files, run

API = """syntax = "proto3";
// +groupName=acme.example
package acme.v1;
import "k8s.io/apimachinery/pkg/api/resource/generated.proto";
import "k8s.io/apimachinery/pkg/apis/meta/v1/generated.proto";
import "k8s.io/apimachinery/pkg/util/intstr/generated.proto";

// +kubebuilder:resource
message Widget {
  k8s.io.apimachinery.pkg.api.resource.Quantity memory = 1;
  k8s.io.apimachinery.pkg.util.intstr.IntOrString port = 2;
  k8s.io.apimachinery.pkg.apis.meta.v1.Time time = 3;
  k8s.io.apimachinery.pkg.apis.meta.v1.ObjectMeta template = 4;
  k8s.io.apimachinery.pkg.apis.meta.v1.LabelSelector selector = 5;
  repeated k8s.io.apimachinery.pkg.apis.meta.v1.Condition conditions = 6;
}
"""


def generate(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    return run(PROGRAM, "generate", "proto", "--out", "generate", *arguments, folder=folder)


def write(folder: Path, text: str) -> Path:
    (folder / "proto").mkdir()
    (folder / "proto" / "api.proto").write_text(text)
    return folder


def test_kubernetes_messages_need_no_import_path(tmp_path: Path) -> None:
    done = generate(write(tmp_path, API))
    assert (done.returncode, done.stderr) == (0, b"")
    (tmp_path / "protoc").mkdir()
    done = protoc(tmp_path, "--crd_out=protoc", "api.proto")
    assert (done.returncode, done.stderr) == (0, b"")
    assert read_files(tmp_path / "protoc") == read_files(tmp_path / "generate")
    assert list(read_files(tmp_path / "generate")) == ["acme.example_widgets.yaml"]


def test_buf_finds_copied_files(tmp_path: Path) -> None:
    folder = write(tmp_path, API)
    assert run(PROGRAM, "include", "--copy", "third_party", folder=folder).returncode == 0
    (folder / "buf.yaml").write_text("version: v2\nmodules: [{path: proto}, {path: third_party}]\n")
    plugin = f"plugins: [{{local: {PROGRAM}, out: buf}}]\n"
    (folder / "buf.gen.yaml").write_text(f"version: v2\n{plugin}inputs: [{{directory: proto}}]\n")
    done = run(PROGRAM.with_name("buf"), "generate", folder=folder)
    assert (done.returncode, done.stderr) == (0, b"")
    assert generate(folder).returncode == 0
    assert read_files(folder / "buf") == read_files(folder / "generate")


GOOGLE = """syntax = "proto3";
// +groupName=acme.example
package acme.v1;
import "google/api/field_behavior.proto";

// +kubebuilder:resource
message Widget {
  string color = 1 [(google.api.field_behavior) = REQUIRED];
}
"""


@pytest.mark.skipif(not find_googleapis(), reason="googleapis-common-protos is not installed")
def test_google_api_is_found_where_it_is_installed(tmp_path: Path) -> None:
    done = generate(write(tmp_path, GOOGLE))
    assert (done.returncode, done.stderr) == (0, b"")
    assert "- color\n" in read_files(tmp_path / "generate")["acme.example_widgets.yaml"]


def test_the_own_file_takes_precedence(tmp_path: Path) -> None:
    name = "k8s.io/apimachinery/pkg/util/intstr/generated.proto"
    target = write(tmp_path, API.replace("IntOrString", "Port")) / "proto" / name
    target.parent.mkdir(parents=True)
    target.write_text('syntax = "proto2";\npackage k8s.io.apimachinery.pkg.util.intstr;\nmessage Port {}\n')
    assert generate(tmp_path, "--import-path", "proto").returncode == 0


# Runs `generate` as if googleapis-common-protos were not installed.
WITHOUT_GOOGLE = """
import sys
from protoc_gen_crd.proto import bundled_protos, protoc_compiler
bundled_protos.find_googleapis = protoc_compiler.find_googleapis = dict
from protoc_gen_crd.cli.main import main
sys.exit(main(["generate", "proto"]))
"""

DOWNLOAD = 'run "protoc-gen-crd include --copy third_party --kubernetes 1.37"'


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("protoc_gen_crd/options.proto", 'did you mean "protoc_gen_crd/v1/options.proto"?'),
        ("google/api/http.proto", 'run "pip install googleapis-common-protos"'),
        (
            "k8s.io/api/core/v1/generated.proto",
            f"{DOWNLOAD} and use --import-path proto --import-path third_party",
        ),
    ],
)
def test_a_missing_import_names_the_command(name: str, hint: str, tmp_path: Path) -> None:
    write(tmp_path, f'syntax = "proto3";\nimport "{name}";\n')
    done = run(sys.executable, "-c", WITHOUT_GOOGLE, folder=tmp_path)
    assert done.returncode == 1
    assert f'import "{name}" not found in "proto"' in done.stderr.decode()
    assert f"hint: {hint}\n" in done.stderr.decode()


@pytest.mark.parametrize("is_copied", [False, True])
def test_a_type_of_kubernetes_names_its_import_and_where_it_comes_from(is_copied: bool, tmp_path: Path) -> None:
    write(tmp_path, 'syntax = "proto3";\nmessage Job { k8s.io.api.core.v1.PodSpec pod = 1; }\n')
    name = "k8s.io/api/core/v1/generated.proto"
    if is_copied:
        (tmp_path / "proto" / name).parent.mkdir(parents=True)
        (tmp_path / "proto" / name).write_text('syntax = "proto2"; package k8s.io.api.core.v1; message PodSpec {}')
    done = run(PROGRAM, "generate", "proto/api.proto", "--import-path", "proto", folder=tmp_path)
    source = "" if is_copied else f", {DOWNLOAD} and use --import-path proto --import-path third_party"
    assert f'hint: add `import "{name}";`{source}\n' in done.stderr.decode()
