"""Every type of Kubernetes' APIs has the schema that controller-gen writes for it."""

from __future__ import annotations

import pytest

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
