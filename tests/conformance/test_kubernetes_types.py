"""Every type of Kubernetes' APIs has the schema that controller-gen writes for it."""

from __future__ import annotations

import pytest
from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorSet

from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.proto.bundled_protos import OPTIONS
from protoc_gen_crd.proto.protoc_compiler import compile_files
from tests.support.kubernetes_types import JUDGE, find_differences, format_schema, read_api, read_protos, read_schemas

PREFIX = "k8s.io."


def list_intended_differences() -> set[tuple[str, str]]:
    """Types and paths of differences.txt; the path "*" is any."""
    lines = (JUDGE / "differences.txt").read_text().splitlines()
    rows = [line.split() for line in lines if line and not line.startswith("#")]
    return {(f"{PREFIX}{name}", path) for name, path in rows}


def test_all_types_match_controller_gen() -> None:
    schemas, intended = read_schemas(), list_intended_differences()
    _, builder = read_api(read_protos())
    differences = {
        (name, "*" if (name, "*") in intended else path)
        for name, schema in schemas.items()
        for path, _, _ in find_differences(schema, format_schema(builder.get_schema(name, "v1"), schemas))
    }
    assert differences == intended
    assert len(schemas) > 1200


@pytest.mark.parametrize(
    ("name", "required"),
    [
        ("api.apps.v1.DeploymentSpec", ["selector", "template"]),
        ("api.rbac.v1.PolicyRule", ["verbs"]),
        ("api.rbac.v1.RoleBinding", ["roleRef"]),
        ("api.networking.v1.IPBlock", ["cidr"]),
        ("api.batch.v1.CronJobSpec", ["jobTemplate", "schedule"]),
        ("api.autoscaling.v2.HorizontalPodAutoscalerSpec", ["maxReplicas", "scaleTargetRef"]),
    ],
)
def test_required_fields_do_not_depend_on_comments(name: str, required: list[str]) -> None:
    protos = read_protos()
    for file in protos.file:
        file.ClearField("source_code_info")
    _, builder = read_api(protos)
    assert builder.get_schema(f"{PREFIX}{name}", "v1").get("required") == required


@pytest.mark.parametrize(
    ("name", "typed"),
    [("PersistentVolumeClaim", True), ("PodList", True), ("PodExecOptions", True), ("PodTemplateSpec", False)],
)
def test_whole_objects_have_api_version_and_kind(name: str, typed: bool) -> None:
    _, builder = read_api(read_protos())
    properties = builder.get_schema(f"{PREFIX}api.core.v1.{name}", "v1").properties
    assert ({"apiVersion", "kind"} <= {*properties}) == typed


BUNDLED = sorted(path.relative_to(OPTIONS).as_posix() for path in (OPTIONS / "k8s.io").rglob("*.proto"))


def compile_bundled() -> FileDescriptorSet:
    problems = Problems()
    request = compile_files({name: str(OPTIONS / name) for name in BUNDLED}, [], problems)
    assert problems.findings == []
    return FileDescriptorSet(file=request.proto_file)


def strip_field(field: FieldDescriptorProto) -> FieldDescriptorProto:
    copy = FieldDescriptorProto()
    copy.CopyFrom(field)
    copy.ClearField("json_name")
    return copy


def test_bundled_messages_have_the_fields_of_kubernetes() -> None:
    recorded = {file.name: file for file in read_protos().file}
    for file in compile_bundled().file:
        messages = {message.name: message for message in recorded[file.name].message_type}
        assert file.package == recorded[file.name].package
        assert file.options.go_package == recorded[file.name].options.go_package
        for message in file.message_type:
            expected = messages[message.name]
            assert list(map(strip_field, message.field)) == list(map(strip_field, expected.field)), message.name


def test_bundled_messages_have_the_schemas_of_controller_gen() -> None:
    schemas, intended, protos = read_schemas(), list_intended_differences(), compile_bundled()
    _, builder = read_api(protos)
    names = {f"{file.package}.{message.name}" for file in protos.file for message in file.message_type}
    different = [
        name
        for name in sorted(names & schemas.keys())
        if (name, "*") not in intended
        and find_differences(schemas[name], format_schema(builder.get_schema(name, "v1"), schemas))
    ]
    assert different == []
    assert len(names & schemas.keys()) > 30
