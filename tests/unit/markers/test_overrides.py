"""Overrides for which a case of testdata/generate would need several runs or files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest

from protoc_gen_crd import pipeline
from protoc_gen_crd.crd.crd_encoder import encode
from protoc_gen_crd.findings.finding import Finding, Location, Problems
from protoc_gen_crd.findings.rule_catalog import load_rules
from protoc_gen_crd.findings.severity_policy import apply_policy
from protoc_gen_crd.settings.settings import OverrideEntry, Settings
from protoc_gen_crd.settings.settings_file import read_settings
from tests.support.compile import compile_texts, request_for

TYPES = """syntax = "proto3";
package other.v1;
// +kubebuilder:resource
// +groupName=acme.com
message Job {
  string name = 1;
}
message Part {
  string name = 1;
}
"""
KUBERNETES = """syntax = "proto3";
package k8s.io.api.acme.v1;
message Selector {
  string name = 1;
}
"""
API = """syntax = "proto3";
package acme.v1;
import "google/protobuf/duration.proto";
import "kubernetes.proto";
import "types.proto";
message Job {
  other.v1.Part part = 1;
  k8s.io.api.acme.v1.Selector selector = 3;
  google.protobuf.Duration wait = 4;
  repeated string list = 2 [json_name = "renamed"];
}
message Report {}
"""
JOB = {"resource": {"group": "acme.com"}}


@pytest.fixture(scope="module")
def request_of_both(tmp_path_factory: pytest.TempPathFactory) -> CodeGeneratorRequest:
    texts = {"api.proto": API, "types.proto": TYPES, "kubernetes.proto": KUBERNETES}
    return compile_texts(texts, tmp_path_factory.mktemp("protos"))


def build(request: CodeGeneratorRequest, overrides: Mapping[str, Any]) -> tuple[list[dict[str, Any]], list[Finding]]:
    """Return the CRDs of api.proto with overrides, and the findings."""
    entries = {name: OverrideEntry(values, _locate) for name, values in overrides.items()}
    problems = Problems()
    crds = pipeline.build_crds(request_for(request, "api.proto"), Settings(overrides=entries), problems)
    return [encode(crd) for crd in crds], problems.findings


def _locate(path: tuple[str | int, ...]) -> Location:
    return Location("/".join(map(str, path)))


def spec_of(crd: dict[str, Any]) -> dict[str, Any]:
    properties: dict[str, Any] = crd["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"][
        "properties"
    ]
    return properties


def test_an_override_of_an_import_applies(request_of_both: CodeGeneratorRequest) -> None:
    crds, findings = build(request_of_both, {"acme.v1.Job": JOB, "other.v1.Part.name": {"max_length": 3}})
    assert spec_of(crds[0])["part"]["properties"]["name"] == {"type": "string", "maxLength": 3}
    assert findings == []


def test_null_restores_the_default_json_name(request_of_both: CodeGeneratorRequest) -> None:
    crds, findings = build(request_of_both, {"acme.v1.Job": JOB, "acme.v1.Job.list": {"json_name": None}})
    assert "list" in spec_of(crds[0])
    assert findings == []


def test_a_resource_of_a_file_that_is_not_generated(request_of_both: CodeGeneratorRequest) -> None:
    _, findings = build(request_of_both, {"acme.v1.Job": JOB, "other.v1.Part": {"resource": {"group": "acme.com"}}})
    assert [(finding.rule, finding.message) for finding in findings] == [
        ("override-unused", 'unused override: "types.proto" with "other.v1.Part" is not a file to generate')
    ]


def test_a_resource_of_an_import_that_is_removed_is_not_missed(request_of_both: CodeGeneratorRequest) -> None:
    other = {"other.v1": {"group": "acme.com"}}
    _, findings = build(request_of_both, {"acme.v1.Job": JOB, **other})
    assert [finding.rule for finding in findings if finding.rule == "resource-targets"] == ["resource-targets"]
    _, findings = build(request_of_both, {"acme.v1.Job": JOB, **other, "other.v1.Job": {"resource": None}})
    assert [finding.rule for finding in findings if finding.rule == "resource-targets"] == []


def test_overrides_of_types_of_kubernetes_are_checked(request_of_both: CodeGeneratorRequest) -> None:
    crds, findings = build(
        request_of_both, {"acme.v1.Job": JOB, "k8s.io.api.acme.v1.Selector.name": {"minimum": 3, "max_length": 3}}
    )
    assert spec_of(crds[0])["selector"]["properties"]["name"]["maxLength"] == 3
    assert [finding.rule for finding in findings] == ["marker-type"]


def test_an_override_of_a_well_known_type_has_no_effect(request_of_both: CodeGeneratorRequest) -> None:
    _, findings = build(request_of_both, {"acme.v1.Job": JOB, "google.protobuf.Duration": {"title": "x"}})
    assert [(finding.rule, finding.hint) for finding in findings] == [
        ("override-unused", 'set its schema under "types:"')
    ]


@pytest.mark.parametrize(
    ("name", "values", "paths"),
    [
        ("acme.v1.Job.list", {"skip": True, "rules": [{"rule": "true"}], "pattern": None}, ["rules", "pattern"]),
        ("acme.v1.Job.list", {"json_name": "x", "skip": True}, ["json_name"]),
        ("acme.v1.Job.list", {"skip": True, "during": [{"since": "v1", "skip": False}], "max_items": 3}, []),
        ("acme.v1.Job.list", {"skip": False, "max_items": 3}, []),
        ("acme.v1.Report", {"resource": {"skip": True, "scope": "Cluster"}, "title": "x"}, ["resource/scope"]),
        ("acme.v1", {"skip": True, "group": "a.com", "fields_required": True}, ["group"]),
    ],
)
def test_keys_beside_skip_are_unused(
    request_of_both: CodeGeneratorRequest, name: str, values: Mapping[str, Any], paths: list[str]
) -> None:
    _, findings = build(request_of_both, {"acme.v1.Job": JOB, name: values})
    assert {finding.rule for finding in findings} <= {"override-unused"}
    assert [finding.at.resolve().file for finding in findings if finding.at] == paths


@pytest.mark.parametrize(
    ("resource", "rule"),
    [({}, "resource-group"), ({"group": "acme.com", "kind": "Series"}, "resource-plural")],
)
def test_overrides_of_a_resource_without_a_crd_are_not_unused(
    request_of_both: CodeGeneratorRequest, resource: Mapping[str, Any], rule: str
) -> None:
    _, findings = build(request_of_both, {"acme.v1.Job": {"resource": resource}, "acme.v1.Job.list": {"max_items": 3}})
    assert {finding.rule for finding in findings} == {rule}


@pytest.mark.parametrize(
    ("values", "rule", "path"),
    [
        ({"items": {"max_length": "3"}}, "marker-parse", "items/max_length"),
        ({"rules": [{"rule": "true", "since": "v1"}, {"rul": "true"}]}, "marker-unknown", "rules/1/rul"),
        ({"rules": [{"rule": None}]}, "marker-parse", "rules/0/rule"),
        ({"rules": [{"rule": "self.all(x, x == )"}]}, "cel-syntax", "rules/0"),
        ({"during": [{"since": "v1", "max_items": True}]}, "marker-parse", "during/0/max_items"),
        ({"during": [{"since": "v1", "min_length": 1}]}, "marker-type", "during/0/min_length"),
        ({"enum": [["a"], "b"]}, "marker-value", "enum/1"),
        ({"items": {"default": 1.5}}, "marker-value", "items/default"),
        ({"items": {"default": {"a": 1}}}, "marker-value", "items/default"),
        ({"items": {"example": [1]}}, "marker-value", "items/example"),
        ({"items": {"example": True}}, "marker-value", "items/example"),
        ({"items": {"enum": ["a", 16]}}, "marker-value", "items/enum/1"),
        ({"items": {"enum": ["a", None]}}, "marker-value", "items/enum/1"),
        ({"rules": [{"rule": "true", "reason": "x"}]}, "marker-value", "rules/0/reason"),
        ({"rules": [{"rule": "true", "channel": "x"}]}, "channel-unknown", "rules/0/channel"),
        ({"list_type": "sett"}, "marker-value", "list_type"),
        ({"min_items": 2**63}, "marker-parse", "min_items"),
        ({"json_name": "part"}, "field-repeated", "json_name"),
        ({"json_name": ""}, "field-name", "json_name"),
        ({"json_name": "<<"}, "field-name", "json_name"),
        ({"pattern": "a\x85"}, "marker-value", "pattern"),
    ],
)
def test_findings_are_located_at_the_key(
    request_of_both: CodeGeneratorRequest, values: dict[str, Any], rule: str, path: str
) -> None:
    _, findings = build(request_of_both, {"acme.v1.Job": JOB, "acme.v1.Job.list": values})
    located = [(finding.rule, finding.at.resolve().file if finding.at else "") for finding in findings]
    assert (rule, path) in located
    assert {finding.path for finding in findings if finding.rule == rule} == {"acme.v1.Job.list"}


def test_a_value_that_yaml_would_change_is_quoted(request_of_both: CodeGeneratorRequest) -> None:
    items = {"default": "1.10", "enum": ["1.10", "true", "null", '"a"']}
    crds, findings = build(request_of_both, {"acme.v1.Job": JOB, "acme.v1.Job.list": {"items": items}})
    assert findings == []
    assert spec_of(crds[0])["renamed"]["items"] == {
        "type": "string",
        "default": "1.10",
        "enum": ["1.10", "true", "null", "a"],
    }
    _, findings = build(request_of_both, {"acme.v1.Job": JOB, "acme.v1.Job.list": {"items": {"default": 1.1}}})
    assert [(finding.message, finding.hint) for finding in findings] == [
        ('"items.default" is not of type string: 1.1', "quote the value")
    ]


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("acme.v1.Jop", 'did you mean "acme.v1.Job"?'),
        ("other.v1.Prat", 'did you mean "other.v1.Part"?'),
        ("k8s.io.api.acme.v1.Nope", ""),
        ("k8s.io.api.acne.v1", 'did you mean "k8s.io.api.acme.v1"?'),
    ],
)
def test_a_package_is_no_suggestion_for_its_elements(
    request_of_both: CodeGeneratorRequest, name: str, hint: str
) -> None:
    _, findings = build(request_of_both, {name: {"skip": True}})
    assert [finding.hint for finding in findings if finding.rule == "override-unknown"] == [hint]


def test_a_message_is_nearer_than_an_enum_value_of_the_same_package(tmp_path: Path) -> None:
    api = 'syntax = "proto3";\npackage acme.v1;\nmessage Note {}\nenum State { UNKNOWN = 0; NONE = 1; }\n'
    _, findings = build(compile_texts({"api.proto": api}, tmp_path), {"acme.v1.Nope": {"skip": True}})
    assert {finding.hint for finding in findings if finding.rule == "override-unknown"} == {
        'did you mean "acme.v1.Note"?'
    }


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("acme.v1.Job.LabelsEntry", 'write "acme.v1.Job.labels: {values: ...}"'),
        ("acme.v1.Job.LabelsEntry.value", 'write "acme.v1.Job.labels: {values: ...}"'),
        ("acme.v1.Job.labels.key", 'did you mean "acme.v1.Job.labels"?'),
        ("acme.v1.Job.lables.key", 'did you mean "acme.v1.Job.labels"?'),
        ("acme.v1.Job.lables.value", 'write "acme.v1.Job.labels: {values: ...}"'),
        ("acme.v1.Job.prat.nmae", 'did you mean "acme.v1.Part.name"?'),
        ("acme.v1.Job.parts.nmae", 'did you mean "acme.v1.Part.name"?'),
        ("acme.v1.Unrelated.key", ""),
        ("Job.labels", 'did you mean "acme.v1.Job.labels"?'),
        ("acme.v1.Job.state.other", 'did you mean "acme.v1.Job.state"?'),
        ("acme.v1.Job.labels.value", 'write "acme.v1.Job.labels: {values: ...}"'),
        ("acme.v1.Job.labels.other", 'did you mean "acme.v1.Job.labels"?'),
        ("acme.v1.Job.part.name", 'did you mean "acme.v1.Part.name"?'),
        ("acme.v1.Job.part.other", 'did you mean "acme.v1.Job.part"?'),
        ("acme.v1.CREATING", 'did you mean "acme.v1.Job.CREATING"?'),
        ("acme.v1.State", 'did you mean "acme.v1.Job.State"?'),
    ],
)
def test_a_hint_is_a_name_that_has_an_effect(name: str, hint: str, tmp_path: Path) -> None:
    api = """syntax = "proto3";
    package acme.v1;
    message Job {
      map<string, string> labels = 1;
      Part part = 2;
      State state = 3;
      map<string, Part> parts = 4;
      enum State { STATE_UNSPECIFIED = 0; CREATING = 1; }
    }
    message Part { string name = 1; }
    """
    _, findings = build(compile_texts({"api.proto": api}, tmp_path), {name: {"title": "x"}})
    assert [finding.hint for finding in findings if finding.rule == "override-unknown"] == [hint]


@pytest.mark.parametrize(
    ("values", "hint"),
    [
        ({"+kubebuilder:validation:MaxItems": 3}, 'did you mean "max_items"?'),
        ({"unique_items": "true"}, "remove the quotes"),
        ({"rules": "true"}, 'begin each item with "- "'),
        (
            {"(protoc_gen_crd.v1.field)": {"max_items": 3}},
            'write the options of "(protoc_gen_crd.v1.field)" without its name, as in {max_length: 3}',
        ),
    ],
)
def test_other_spellings_have_a_hint(request_of_both: CodeGeneratorRequest, values: dict[str, Any], hint: str) -> None:
    _, findings = build(request_of_both, {"acme.v1.Job": JOB, "acme.v1.Job.list": values})
    assert [finding.hint for finding in findings] == [hint]


def test_a_deeply_nested_override_is_reported(request_of_both: CodeGeneratorRequest) -> None:
    values: dict[str, Any] = {"max_items": 1}
    for _ in range(500):
        values = {"items": values}
    _, findings = build(request_of_both, {"acme.v1.Job": JOB, "acme.v1.Job.list": values})
    assert [finding.rule for finding in findings] == ["marker-parse"]


def test_a_run_of_a_part_reports_overrides_of_its_packages_only() -> None:
    findings = [
        Finding("override-unknown", "", path="acme.v1.Jop"),
        Finding("override-unused", "", path="acme.v1"),
        Finding("override-unknown", "", path="acme.v10.Job"),
        Finding("override-unused", "", path="other.v1.Job"),
    ]
    assert len(apply_policy(findings, (), load_rules())) == len(findings)
    assert [item.path for item in apply_policy(findings, (), load_rules(), ["acme.v1"])] == ["acme.v1.Jop", "acme.v1"]


def test_settings_in_toml(tmp_path: Path) -> None:
    file = tmp_path / "pyproject.toml"
    file.write_text('[tool.protoc-gen-crd.overrides."acme.v1.Job.list"]\nmax_items = 3\n')
    (name, entry), *_ = read_settings(str(file), Problems())["overrides"].items()  # type: ignore[attr-defined]
    assert (name, entry.values) == ("acme.v1.Job.list", {"max_items": 3})
    assert entry.places(("max_items",)).line == 2


PACKAGE_OPTIONS = """syntax = "proto3";
package acme.v1;
import "protoc_gen_crd/v1/options.proto";
option (protoc_gen_crd.v1.file).skip = true;
option (protoc_gen_crd.v1.file).group = "file.com";
message Job {
  option (protoc_gen_crd.v1.resource) = {group: "own.com", versions: ["v2", "v1"], storage_version: "v1"};
}
// +kubebuilder:resource
message Part {}
"""


@pytest.mark.parametrize(
    ("overrides", "crds"),
    [
        ({"acme.v1": {"skip": False}}, {"own.com/Job": ["v2", "v1"], "file.com/Part": ["v1"]}),
        ({"acme.v1": {"skip": False, "group": "a.com"}}, {"a.com/Job": ["v2", "v1"], "a.com/Part": ["v1"]}),
        ({"acme.v1": {"skip": False, "version": "v1"}}, {"own.com/Job": ["v1"], "file.com/Part": ["v1"]}),
        (
            {"acme.v1": {"skip": False, "group": "a.com"}, "acme.v1.Job": {"resource": {"group": "b.com"}}},
            {"b.com/Job": ["v2", "v1"], "a.com/Part": ["v1"]},
        ),
        ({"acme.v1.Job": {"resource": {"skip": False}}}, {"own.com/Job": ["v2", "v1"]}),
        ({"acme.v1": {"skip": True}, "acme.v1.Part": {"resource": {"skip": False}}}, {"file.com/Part": ["v1"]}),
    ],
)
def test_an_override_of_a_package_precedes_options_of_its_messages(
    overrides: Mapping[str, Any], crds: Mapping[str, list[str]], tmp_path: Path
) -> None:
    built, findings = build(compile_texts({"api.proto": PACKAGE_OPTIONS}, tmp_path), overrides)
    assert findings == []
    assert {
        f"{crd['spec']['group']}/{crd['spec']['names']['kind']}": [
            version["name"] for version in crd["spec"]["versions"]
        ]
        for crd in built
    } == crds


def test_an_invalid_group_of_an_overridden_package_is_located_in_the_settings(tmp_path: Path) -> None:
    request = compile_texts({"api.proto": PACKAGE_OPTIONS}, tmp_path)
    _, findings = build(request, {"acme.v1": {"skip": False, "group": "A.com"}, "acme.v1.Part": {"resource": None}})
    places = [finding.at.resolve().file for finding in findings if finding.at and "spec.group" in finding.message]
    assert places == ["group"]


VALUES = """syntax = "proto3";
package acme.v1;
import "protoc_gen_crd/v1/options.proto";
message Job {
  int32 integer = 1;
  bool boolean = 2;
  string number_or_name = 3 [(protoc_gen_crd.v1.field).int_or_string = true];
  repeated string list = 4;
  map<string, string> map = 5;
  string string = 6;
}
"""


@pytest.mark.parametrize(
    ("field", "values", "keywords"),
    [
        ("integer", {"default": 7}, {"default": 7}),
        ("integer", {"default": "7"}, '"default" is not of type integer: "7"; remove the quotes'),
        ("integer", {"enum": [1, "2"]}, '"enum" is not of type integer: "2"; remove the quotes'),
        ("integer", {"example": "many"}, '"example" is not of type integer: "many"; '),
        ("boolean", {"default": "true"}, '"default" is not of type boolean: "true"; remove the quotes'),
        ("numberOrName", {"default": "80%"}, {"default": "80%"}),
        ("numberOrName", {"default": "7"}, {"default": "7"}),
        ("numberOrName", {"default": 7}, {"default": 7}),
        ("list", {"default": '["a"]'}, {"default": ["a"]}),
        ("map", {"default": '{"a": "b"}'}, {"default": {"a": "b"}}),
        ("string", {"default": '"a"'}, {"default": "a"}),
        ("string", {"keywords": {"maxLength": 3, "pattern": "a"}}, {"maxLength": 3, "pattern": "a"}),
        ("string", {"keywords": '{"maxLength": 3}'}, {"maxLength": 3}),
        (
            "string",
            {"keywords": {"maxLenght": 3}},
            'unknown schema keyword "maxLenght" in "keywords"; did you mean "maxLength"?',
        ),
    ],
)
def test_strings_of_overrides_are_no_json_numbers(
    field: str, values: Mapping[str, Any], keywords: Mapping[str, Any] | str, tmp_path: Path
) -> None:
    name = "number_or_name" if field == "numberOrName" else field
    crds, findings = build(
        compile_texts({"api.proto": VALUES}, tmp_path), {"acme.v1.Job": JOB, f"acme.v1.Job.{name}": values}
    )
    if isinstance(keywords, str):
        assert [f"{finding.message}; {finding.hint}" for finding in findings] == [keywords]
    else:
        assert findings == []
        assert keywords.items() <= spec_of(crds[0])[field].items()


@pytest.mark.parametrize(
    ("status", "hint"),
    [
        ("Reprot", 'did you mean "acme.v1.Report"?'),
        ("acme.v1.Reprot", 'did you mean "acme.v1.Report"?'),
        ("Report", 'did you mean "acme.v1.Report"?'),
        ("acme.v2.Report", "import its file"),
        ("Status", "import its file"),
    ],
)
def test_a_misspelled_status_has_a_hint(request_of_both: CodeGeneratorRequest, status: str, hint: str) -> None:
    _, findings = build(request_of_both, {"acme.v1.Job": {"resource": {"group": "acme.com", "status": status}}})
    assert [(finding.rule, finding.hint.partition(";")[0]) for finding in findings] == [("type-missing", hint)]


@pytest.mark.parametrize(
    ("values", "message", "hint"),
    [
        ({"list": {"max_items": 3}}, 'unknown option "list"', 'write "acme.v1.Job.list: ..." on a line of its own'),
        ({"kubebuilder:validation:MaxProperties": 3}, None, 'did you mean "max_properties"?'),
        ({"+kubebuilder:validation:MaxProperties=3": None}, None, 'did you mean "max_properties"?'),
        ({"buf.validate.message": None}, None, 'did you mean "(buf.validate.message)"?'),
        ({"max_properties": "3"}, None, "remove the quotes"),
        ({"max_properties": "many"}, None, ""),
    ],
)
def test_hints_for_keys_and_values(
    request_of_both: CodeGeneratorRequest, values: dict[str, Any], message: str | None, hint: str
) -> None:
    _, findings = build(request_of_both, {"acme.v1.Job": {**JOB, **values}})
    assert [finding.hint for finding in findings] == [hint]
    assert message is None or [finding.message for finding in findings] == [message]


SHADOWS = """syntax = "proto3";
package acme.v1;
message Job {
  // The part.
  // +protoc-gen-crd:title=own
  // +protoc-gen-crd:map_type=atomic
  Part part = 1;
  // The size.
  // +kubebuilder:validation:Format=email
  Size size = 2;
  // The old.
  Other old = 3;
  Other new = 4;
}
// A part.
message Part {}
message Other {}
enum Size { S = 0; }
"""


@pytest.mark.parametrize(
    ("name", "values", "replaced"),
    [
        ("Part", {"description": "Text."}, "description"),
        ("Part", {"title": "type"}, "title"),
        ("Part", {"map_type": "granular"}, "map_type"),
        ("Size", {"description": "Text."}, "description"),
        ("Size", {"format": "uuid"}, "format"),
        ("Part", {"max_properties": 3}, ""),
        ("Other", {"description": "Text."}, ""),  # of the field without a comment
        ("Other", {"title": "type", "map_type": "granular"}, ""),
        ("Job", {"description": "Text.", "title": "type"}, ""),
    ],
)
def test_options_of_a_type_that_all_fields_replace_are_unused(
    name: str, values: Mapping[str, Any], replaced: str, tmp_path: Path
) -> None:
    base = {"acme.v1": {"group": "acme.com"}}
    entries = {**base, "acme.v1.Job": {"resource": {}}, f"acme.v1.{name}": values}
    if name == "Job":
        entries = {**base, "acme.v1.Job": {"resource": {}, **values}}
    _, findings = build(compile_texts({"api.proto": SHADOWS}, tmp_path), entries)
    message = f'unused override: every field of type "acme.v1.{name}" has its own {replaced}'
    assert [(finding.rule, finding.message) for finding in findings] == (
        [("override-unused", message)] if replaced else []
    )
