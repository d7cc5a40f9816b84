from __future__ import annotations

from pathlib import Path

import pytest

from protoc_gen_crd.proto.type_hints import find_type_hints, locate_map_values

TIMESTAMP = 'add `import "google/protobuf/timestamp.proto";`'
QUANTITY = "k8s.io.apimachinery.pkg.api.resource.Quantity"
USER = """
package acme.jobs.v1; // package wrong;
import "google/protobuf/duration.proto";
/* message Lost { */
message Spec { message Inner {} }
  message Indented {}
"""
OTHER = "package acme.jobs.v1;\nenum Phase { UNKNOWN = 0; }"
THIRD = "package acme.base;\nmessage Owner {}"


@pytest.fixture
def inputs(tmp_path: Path) -> dict[str, str]:
    files = {"job.proto": USER, "phase.proto": OTHER, "base/owner.proto": THIRD, "gone.proto": ""}
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "gone.proto").unlink()
    return {name: str(tmp_path / name) for name in files}


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("google.protobuf.Timestamp", TIMESTAMP),
        (".google.protobuf.Timestamp", TIMESTAMP),
        ("Timestamp", f'did you mean "google.protobuf.Timestamp"? {TIMESTAMP}'),
        ("Duration", 'did you mean "google.protobuf.Duration"?'),
        ("google.protobuf.Duraton", 'did you mean "google.protobuf.Duration"?'),
        (f".{QUANTITY}", 'add `import "k8s.io/apimachinery/pkg/api/resource/generated.proto";`'),
        (
            "Quantity",
            f'did you mean "{QUANTITY}"? add `import "k8s.io/apimachinery/pkg/api/resource/generated.proto";`',
        ),
        ("Phase", 'add `import "phase.proto";`'),
        ("base.Owner", 'add `import "base/owner.proto";`'),
        ("Owner", 'did you mean "acme.base.Owner"? add `import "base/owner.proto";`'),
        ("acme.jobs.v2.Phase", 'did you mean "acme.jobs.v1.Phase"? add `import "phase.proto";`'),
        ("Spce", 'did you mean "Spec"?'),
        ("strin", 'did you mean "string"?'),
        ("integer", 'did you mean "int64"?'),
        ("float64", 'did you mean "double"?'),
        ("boolean", 'did you mean "bool"?'),
        (
            "k8s.io.api.core.v1.PodSpec",
            'add `import "k8s.io/api/core/v1/generated.proto";`, get k8s.io/api/core/v1/generated.proto',
        ),
        (
            ".k8s.io.apiextensions_apiserver.pkg.apis.apiextensions.v1.Nope",
            (
                'add `import "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1/generated.proto";`, '
                "get k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1/generated.proto"
            ),
        ),
        ("k8s.io.metrics.v1.Pod", ""),
        ("Lost", ""),
        ("Gadget", ""),
    ],
)
def test_hint(name: str, hint: str, inputs: dict[str, str]) -> None:
    lines = [f'job.proto:5:3: "{name}" is not defined.', 'job.proto:6:3: Expected ";".']
    assert find_type_hints(lines, inputs, "get {}".format) == {("job.proto", name): hint}


def test_many_types_have_no_hints(inputs: dict[str, str]) -> None:
    lines = [f'job.proto:5:3: "Spec{number}" is not defined.' for number in range(10_000)]
    assert len(find_type_hints(lines, inputs, str)) == 100


def test_unreadable_files_have_no_types(inputs: dict[str, str]) -> None:
    assert find_type_hints(['gone.proto:1:1: "Spce" is not defined.'], inputs, str) == {("gone.proto", "Spce"): ""}


def test_map_values_are_located(tmp_path: Path) -> None:
    path = tmp_path / "a.proto"
    path.write_text(
        "message M {\n  map<string, Other> o = 1;\n  map <int32,a.Quantity > q = 2; map<int32, X> x = 3;\n}"
    )
    lines = ['a.proto: "X" is not defined.', 'a.proto: "a.Quantity" is not defined.', 'a.proto: "Lost" is not defined.']
    unchanged = ['b.proto: "Lost" is not defined.', 'a.proto:2:1: "Lost" is not defined.', "a.proto: is broken"]
    assert locate_map_values([*lines, *unchanged], {"a.proto": str(path)}) == [
        'a.proto:3:45: "X" is not defined.',
        'a.proto:3:14: "a.Quantity" is not defined.',
        'a.proto:1:1: "Lost" is not defined.',
        *unchanged,
    ]
