"""Requests to measure with: upstream's networking API where it is at hand, and made-up APIs of any size."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest
from google.protobuf.descriptor_pb2 import FileDescriptorSet

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.proto.bundled_protos import OPTIONS
from protoc_gen_crd.proto.protoc_compiler import compile_files
from tests.conftest import ROOT

_FOLDERS = ("analysis/", "meta/", "networking/", "type/")


def networking(parameter: str, shared: Path) -> bytes | None:
    """The request for Istio's networking API as protoc sends it; None where the image is absent."""
    image = shared / "corpora" / "istio-networking" / "image.binpb"
    if not image.exists():
        return None
    files = FileDescriptorSet.FromString(image.read_bytes()).file
    targets = [file for file in files if file.name.startswith(_FOLDERS)]
    request = CodeGeneratorRequest(
        file_to_generate=[file.name for file in targets],
        parameter=parameter,
        proto_file=files,
        source_file_descriptors=targets,
    )
    return request.SerializeToString()


SETTINGS = ROOT / ".bench" / "settings" / "protoc-gen-crd.yaml"


def with_settings(shared: Path) -> bytes | None:
    """The request for Istio's networking API with a settings file; None where the image is absent."""
    SETTINGS.parent.mkdir(parents=True, exist_ok=True)
    rules = ("cel-field", "resource-kind", "resource-shape")
    SETTINGS.write_text("".join(["findings:\n", *(f"- {{rule: {rule}, severity: warning}}\n" for rule in rules)]))
    return networking(f"settings={SETTINGS}", shared)


def scaled(scale: int, shared: Path, *options: str, parameter: str = "") -> bytes | None:
    """150 kinds for scale 10, three versions each; None where the generator of such APIs is absent."""
    maker = shared / "tools" / "make_scale.py"
    if not maker.exists():
        return None
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder, "request.binpb")
        command = [sys.executable, str(maker), "-o", str(out), "--scale", str(scale), *options]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        request = CodeGeneratorRequest.FromString(out.read_bytes())
        request.parameter = parameter
        return request.SerializeToString()


_AGES = ("v1alpha1", "v1alpha2", "v1beta1", "v1beta2", "v1", "v2alpha1", "v2beta1", "v2", "v3beta1", "v3")
_MESSAGES, _FIELDS = 40, 15


def evolving(count: int) -> bytes:
    """The request for a kind of 40 messages with some of ten versions, each but the oldest with a field of its own."""
    versions = _AGES[-count:]
    listed, unserved = (", ".join(f'"{name}"' for name in names) for names in (versions, versions[:-1]))
    resource = f'{{group: "acme.com" versions: [{listed}] storage_version: "v3" unserved_versions: [{unserved}]}}'
    text = (
        'syntax = "proto3";\npackage evolving.v1;\nimport "protoc_gen_crd/v1/options.proto";\n'
        f"message Kind {{\n  option (protoc_gen_crd.v1.resource) = {resource};\n  M0 root = 1;\n}}\n"
        + "".join(_evolving_message(number, versions) for number in range(_MESSAGES))
    )
    return _compiled(text)


def _compiled(text: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "api.proto")
        file.write_text(text)
        return compile_files({"api.proto": str(file)}, [str(OPTIONS)], Problems()).SerializeToString()


def versions_text(count: int) -> str:
    """The API of a kind with many versions, stored in the last but three, each with a field of its own."""
    names = [f"v{number}" for number in range(1, count)]
    listed = ", ".join(f'"{name}"' for name in names)
    resource = f'{{group: "acme.example" storage_version: "v{count - 4}" versions: [{listed}]}}'
    fields = [
        f'  string f{number} = {number} [(protoc_gen_crd.v1.field).since = "{name}"];\n'
        for number, name in enumerate(names, 1)
    ]
    fields.append(f'  string always = {count} [(protoc_gen_crd.v1.field).until = "v{count - 4}"];\n')
    return (
        'syntax = "proto3";\npackage many.v1;\nimport "protoc_gen_crd/v1/options.proto";\n'
        f"message Kind {{\n  option (protoc_gen_crd.v1.resource) = {resource};\n{''.join(fields)}}}\n"
    )


def many_versions(count: int, _: Path) -> bytes:
    """The request for a kind with many versions."""
    return _compiled(versions_text(count))


def _evolving_message(number: int, versions: tuple[str, ...]) -> str:
    """One message of a binary tree of them, with a rule; every fourth has a field that comes with a version."""
    comment = "// What it is for, in a sentence or two.\n  // +kubebuilder:validation:MaxLength=63"
    fields = [f"  {comment}\n  string field_{index} = {index + 1};\n" for index in range(_FIELDS)]
    below = [child for child in (2 * number + 1, 2 * number + 2) if child < _MESSAGES]
    fields += [f"  M{child} part_{child} = {_FIELDS + 1 + at};\n" for at, child in enumerate(below)]
    age = number // 4 + 1
    if number % 4 == 3 and age < len(versions):
        fields.append(f'  string new = {_FIELDS + 3} [(protoc_gen_crd.v1.field).since = "{versions[age]}"];\n')
    rule = '// +kubebuilder:validation:XValidation:rule="self.field0 != self.field1",message="no"\n'
    return f"// A part.\n{rule}message M{number} {{\n{''.join(fields)}}}\n"
