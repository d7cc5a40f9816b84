"""The linter as a command: what an old side hides, which suppressions apply, and what is reported once."""

from __future__ import annotations

from pathlib import Path

import pytest

from protoc_gen_crd.cli.main import main

PROTO = """syntax = "proto3";
// +groupName=example.com
package example.v1;

// A widget.
// +kubebuilder:object:root=true
message Widget {
  WidgetSpec spec = 1;
}

message WidgetSpec {
  Part first = 1;
  Part second = 2;
}

message Part {
  // The ratio.
  double ratio = 1;
}
"""
GADGET = """
// A gadget.
// +kubebuilder:object:root=true
message Gadget {
  WidgetSpec spec = 1;
}
"""
CRD = """apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: widgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        description: A widget.
        properties:
          spec:
            type: object
            properties:
"""
RATIO = "              ratio: {type: number, description: The ratio.}\n"
SIZE = "              size: {type: integer, description: The size. Must not exceed 10.}\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty project that is the current folder."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    return tmp_path


def lint(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[tuple[str, str]]:
    """Return the lines and rules of the findings of a run."""
    main(["lint", *arguments])
    output = capsys.readouterr()
    lines = [line for line in (output.out + output.err).splitlines() if line.endswith("]") and ": " in line]
    return [(line.split(": ")[0].rsplit(":", 1)[0], line.rpartition("[")[2][:-1]) for line in lines]


def test_an_old_side_hides_what_it_has(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "old.yaml").write_text(CRD + RATIO)
    (project / "new.yaml").write_text(CRD + SIZE + RATIO)
    assert lint(capsys, "new.yaml") == [("new.yaml:20", "lint-comment-bound"), ("new.yaml:21", "lint-float")]
    assert lint(capsys, "new.yaml", "--old", "old.yaml") == [("new.yaml:20", "lint-comment-bound")]


def test_an_old_side_hides_no_finding_of_a_changed_element(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "old.yaml").write_text(CRD + RATIO.replace("number", "integer"))
    (project / "new.yaml").write_text(CRD + RATIO)
    assert lint(capsys, "new.yaml", "--old", "old.yaml") == [("new.yaml:20", "lint-float")]


def test_an_old_side_hides_no_other_rule_of_an_element(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "old.yaml").write_text(CRD + RATIO)
    (project / "new.yaml").write_text(CRD + RATIO.replace("The ratio.", "The ratio. Must not exceed 10."))
    assert lint(capsys, "new.yaml", "--old", "old.yaml") == [("new.yaml:20", "lint-comment-bound")]


def test_the_identity_of_a_finding_is_not_its_message(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "old.yaml").write_text(CRD + SIZE)
    (project / "new.yaml").write_text(CRD + SIZE.replace("exceed 10", "exceed 20"))
    assert lint(capsys, "new.yaml") == [("new.yaml:20", "lint-comment-bound")]
    assert lint(capsys, "new.yaml", "--old", "old.yaml") == []


def test_a_rule_for_new_elements_needs_an_old_side(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = "              {}: {{type: string, description: The name.}}\n"
    (project / "old.yaml").write_text(CRD + name.format("old"))
    (project / "new.yaml").write_text(CRD + name.format("old") + name.format("new"))
    assert lint(capsys, "new.yaml") == []
    assert lint(capsys, "new.yaml", "--old", "old.yaml") == [("new.yaml:21", "lint-unbounded-string")]


def test_a_message_that_is_used_twice_is_reported_once(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "widget.proto").write_text(PROTO + GADGET)
    assert lint(capsys, "widget.proto") == [("widget.proto:18", "lint-float")]


def test_a_new_use_of_an_old_message_is_not_new(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for folder, text in (("old", PROTO), ("new", PROTO + GADGET)):
        (project / folder).mkdir()
        (project / folder / "widget.proto").write_text(text)
    assert lint(capsys, "new", "--old", "old") == []


NAMES = """
message bad_name {
  int32 badField = 1;
  oneof badOneof {
    string text = 2;
  }
  bad_kind kind = 3;
}

enum bad_kind {
  bad_kind_UNSPECIFIED = 0;
  BAD_value = 1;
}
"""


def test_a_recorded_release_hides_elements_of_protos(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = NAMES.replace("  bad_kind kind = 3;", "  bad_kind kind = 3 [deprecated = true];")
    (project / "widget.proto").write_text(PROTO + NAMES)
    assert len(lint(capsys, "widget.proto")) == 7
    assert main(["history", "record", "1.0", "widget.proto"]) == 0
    assert lint(capsys, "widget.proto", "--old", "history") == []
    (project / "widget.proto").write_text(PROTO + names + "message Good { int32 otherField = 1; }\n")
    assert [rule for _, rule in lint(capsys, "widget.proto", "--old", "history")] == [
        "lint-deprecation",
        "lint-field-name",
    ]


def test_crds_as_old_side_hide_all_rules_about_protos(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "widget.proto").write_text(PROTO + NAMES)
    (project / "crds").mkdir()
    main(["generate", "widget.proto", "--out", "crds"])
    capsys.readouterr()
    main(["lint", "widget.proto", "--old", "crds"])
    assert "--old crds has no protos" in capsys.readouterr().err
    assert lint(capsys, "widget.proto", "--old", "crds") == [("note", "old-protos")]


def test_crds_as_old_side_hide_equal_parts_of_their_protos(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    part = "properties: {part: {type: object, properties: {ratio: {type: number}}}}"
    (project / "widgets.yaml").write_text(
        CRD + "".join(f"              {name}: {{type: object, {part}}}\n" for name in ("first", "second"))
    )
    field = """
  {name} {field} = {number};
  message {name} {{
    Part part = 1;
    message Part {{
      double ratio = 1;
    }}
  }}"""
    fields = field.format(name="First", field="first", number=1), field.format(name="Second", field="second", number=2)
    head, _, _ = PROTO.partition("message WidgetSpec")
    (project / "widget.proto").write_text(f"{head}message WidgetSpec {{{''.join(fields)}\n}}\n")
    assert lint(capsys, "widget.proto", "--old", "widgets.yaml") == [("note", "old-protos")]


def test_a_generated_proto_is_not_checked(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    header = "// This file was autogenerated by go-to-protobuf. Do not edit it manually!\n\n"
    (project / "widget.proto").write_text(header + PROTO + NAMES)
    assert lint(capsys, "widget.proto") == [("widget.proto:20", "lint-float")]


@pytest.mark.parametrize(
    ("entry", "findings"),
    [
        ("path: example.com/Widget.spec.ratio", []),
        ("path: example.com/Widget.spec.*", []),
        ("path: example.com/Widget.spec.ratio, until: 2999-01-01", []),
        (
            "path: example.com/Widget.spec.ratio, until: 2020-01-01",
            [("settings.yaml:2", "policy-expired"), ("widgets.yaml:20", "lint-float")],
        ),
        (
            "path: example.com/Widget.spec.other",
            [("settings.yaml:2", "policy-unused"), ("widgets.yaml:20", "lint-float")],
        ),
    ],
)
def test_a_suppression_names_the_element(
    entry: str, findings: list[tuple[str, str]], project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "widgets.yaml").write_text(CRD + RATIO)
    text = f'findings:\n- {{rule: lint-float, severity: "off", reason: compared with itself only, {entry}}}\n'
    (project / "settings.yaml").write_text(text)
    assert sorted(lint(capsys, "widgets.yaml", "--settings", "settings.yaml")) == findings


def test_a_suppression_of_another_rule_is_unused(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "widgets.yaml").write_text(CRD + RATIO)
    text = 'findings:\n- {rule: lint-any, path: example.com/Widget.spec.ratio, severity: "off", reason: none}\n'
    (project / "settings.yaml").write_text(text)
    result = lint(capsys, "widgets.yaml", "--settings", "settings.yaml")
    assert sorted(result) == [("settings.yaml:2", "policy-unused"), ("widgets.yaml:20", "lint-float")]


def test_a_suppression_needs_a_reason(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "widgets.yaml").write_text(CRD + RATIO)
    text = 'findings:\n- {rule: lint-float, path: example.com/Widget.spec.ratio, severity: "off"}\n'
    (project / "settings.yaml").write_text(text)
    result = lint(capsys, "widgets.yaml", "--settings", "settings.yaml")
    assert result == [("settings.yaml:2", "policy-reason")]


def test_a_suppression_names_an_element_of_a_proto(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "widget.proto").write_text(PROTO)
    text = 'findings:\n- {rule: lint-float, path: example.v1.Part.ratio, severity: "off", reason: compared only}\n'
    (project / "settings.yaml").write_text(text)
    assert lint(capsys, "widget.proto", "--settings", "settings.yaml") == []


@pytest.mark.parametrize(("field", "name"), [
    ("string old_reference = 3;", "old_ref"),
    ("string oldReference = 3;", "oldRef"),
    ('string old_reference = 3 [json_name = "theReference"];', "theRef"),
    ("repeated string big_part = 3;", "big_parts"),
    ("string start_timestamp = 3;", "start_time"),
    ("int32 retry_delay = 3;", "retry_delay_seconds"),
])  # fmt: skip
def test_a_suggested_name_is_in_the_style_of_the_field(
    project: Path, capsys: pytest.CaptureFixture[str], field: str, name: str
) -> None:
    (project / "widget.proto").write_text(
        PROTO.replace("Part second = 2;", f"Part second = 2;\n  // A field.\n  {field}")
    )
    main(["lint", "widget.proto"])
    output = capsys.readouterr()
    assert f'"{name}"' in output.out + output.err


@pytest.mark.parametrize("type_", ["repeated string", "map<string, string>"])
def test_an_old_side_hides_items_of_a_message_with_several_uses(
    project: Path, capsys: pytest.CaptureFixture[str], type_: str
) -> None:
    part = f"message Part {{\n  {type_} tags = 1;\n}}\n"
    for kind, fields in {"Gadget": "", "Widget": "  Part last = 2;\n"}.items():
        folder = project / "protos" / kind.lower()
        folder.mkdir(parents=True)
        spec = f"message {kind}Spec {{\n  repeated Part parts = 1;\n{fields}}}\n\n{part}"
        head = (
            PROTO.partition("message WidgetSpec")[0].replace("Widget", kind).replace("example.v1", f"{kind.lower()}.v1")
        )
        (folder / "api.proto").write_text(head + spec)
    assert lint(capsys, "protos", "--old", "protos") == []
    (project / "old").mkdir()
    (project / "old" / "gadget").symlink_to(project / "protos" / "gadget")
    assert [line for line, rule in lint(capsys, "protos", "--old", "old") if "unbounded-string" in rule]


VERSION = """  - name: v2
    served: true
    storage: false
    schema:
      openAPIV3Schema:
        type: object
        description: A widget.
        properties:
          spec:
            type: object
            properties:
"""


def test_every_version_of_a_crd_is_checked(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "new.yaml").write_text(CRD + RATIO + VERSION + RATIO + SIZE)
    assert lint(capsys, "new.yaml") == [("new.yaml:20", "lint-float"), ("new.yaml:33", "lint-comment-bound")]
    (project / "old.yaml").write_text(CRD + RATIO)
    assert lint(capsys, "new.yaml", "--old", "old.yaml") == [("new.yaml:33", "lint-comment-bound")]


def test_every_version_of_protos_is_checked(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    marker = "// +kubebuilder:storageversion\n// +kubebuilder:object:root"
    for version, text in (("v1", PROTO), ("v2", PROTO.replace("// +kubebuilder:object:root", marker))):
        (project / "protos" / version).mkdir(parents=True)
        (project / "protos" / version / "widget.proto").write_text(text.replace("example.v1", f"example.{version}"))
    found = [("protos/v1/widget.proto:18", "lint-float"), ("protos/v2/widget.proto:19", "lint-float")]
    assert lint(capsys, "protos") == found


PARTS = """              parts:
                type: array
                description: The parts.
                items: {type: object, properties: {name: {type: string}, tags: {type: array, items: {type: string}}}}
"""


def test_the_order_of_versions_has_no_effect_on_what_is_new(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    head, name, first = CRD.partition("  - name: v1\n")
    last = PARTS.replace("parts:", "last:", 1)
    versions = [name + first + RATIO + PARTS, VERSION + SIZE + last + PARTS]
    (project / "old.yaml").write_text(head + "".join(versions))
    (project / "new.yaml").write_text(head + "".join(reversed(versions)))
    assert {rule for _, rule in lint(capsys, "new.yaml")} == {"lint-comment-bound", "lint-float", "lint-plural"}
    assert lint(capsys, "new.yaml", "--old", "old.yaml") == []
    (project / "old.yaml").write_text(head + versions[0])
    rules = {rule for _, rule in lint(capsys, "new.yaml", "--old", "old.yaml")}
    assert {"lint-comment-bound", "lint-plural", "lint-unbounded-list"} <= rules
    assert "lint-float" not in rules


def test_a_new_use_in_front_does_not_make_a_declaration_new(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    part = "{part: {type: object, description: A part., properties: {ratio: {type: number}}}}"
    first, last = (
        f"              {name}: {{type: object, description: A use., properties: {part}}}\n" for name in "ab"
    )
    (project / "old.yaml").write_text(CRD + last)
    (project / "new.yaml").write_text(CRD + first + last)
    assert lint(capsys, "new.yaml") == [("new.yaml:20", "lint-float")]
    assert lint(capsys, "new.yaml", "--old", "old.yaml") == []
