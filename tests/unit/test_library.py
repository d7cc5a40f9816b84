from __future__ import annotations

import json
import subprocess
import sys
from copy import deepcopy
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import protoc_gen_crd
from protoc_gen_crd import Validator, admit, estimate, validate
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.findings.finding import Location

SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "spec": {
            "type": "object",
            "required": ["size"],
            "properties": {
                "size": {"type": "string", "enum": ["S", "M"]},
                "replicas": {"type": "integer", "default": 1},
                "names": {"type": "array", "items": {"type": "string"}},
            },
            "x-kubernetes-validations": [{"rule": "self.replicas < 5", "message": "too many"}],
        }
    },
}
CRD: dict[str, Any] = {
    "apiVersion": "apiextensions.k8s.io/v1",
    "kind": "CustomResourceDefinition",
    "metadata": {"name": "widgets.acme.example"},
    "spec": {
        "group": "acme.example",
        "scope": "Namespaced",
        "names": {"kind": "Widget", "plural": "widgets"},
        "versions": [
            {"name": "v1", "served": True, "storage": True, "schema": {"openAPIV3Schema": SCHEMA}},
        ],
    },
}


def widget(**spec: object) -> dict[str, Any]:
    return {"apiVersion": "acme.example/v1", "kind": "Widget", "metadata": {"name": "a"}, "spec": spec}


def changed(**spec: object) -> dict[str, Any]:
    return {**CRD, "spec": {**CRD["spec"], **spec}}


def test_three_lines_to_a_verdict() -> None:
    (verdict,) = validate(widget(size="S", other=1), CRD, kubernetes="1.34")
    assert (verdict.accepted, verdict.causes, verdict.kubernetes) == (True, (), ("1.34",))
    assert verdict.stored is not None
    assert verdict.stored["spec"] == {"size": "S", "replicas": 1}
    assert [str(cause) for cause in verdict.unknown_fields] == ['unknown field "spec.other"']


def test_errors_have_their_text_path_and_type() -> None:
    (verdict,) = validate(widget(size="XL"), CRD)
    cause = verdict.causes[0]
    assert cause.message == 'spec.size: Unsupported value: "XL": supported values: "S", "M"'
    assert (cause.path, cause.type, cause.place) == ("spec.size", "FieldValueNotSupported", None)
    assert (verdict.accepted, verdict.stored) == (False, None)


def test_errors_name_the_line_of_the_rule_where_the_crd_knows_it() -> None:
    crd = decode(CRD, lambda path: Location(".".join(map(str, path)), 1)).crd
    assert crd is not None
    (verdict,) = validate(widget(size="L"), crd)
    at = {error.path: error.place for error in verdict.causes}
    schema = "spec.versions.0.schema.openAPIV3Schema.properties.spec"
    assert at["spec.size"] == Location(f"{schema}.properties.size.enum", 1)
    assert {error.place for error in validate(widget(size="L"), CRD)[0].causes} == {None}


def test_versions_that_differ_have_a_verdict_each() -> None:
    verdicts = validate(widget(size="S", replicas=9), CRD, kubernetes="1.33..1.36")
    assert [(verdict.kubernetes, verdict.causes[0].message) for verdict in verdicts] == [
        (("1.33", "1.34"), 'spec: Invalid value: "object": too many'),
        (("1.35", "1.36"), "spec: Invalid value: too many"),
    ]


def test_updates_and_bytes() -> None:
    validator = Validator([CRD], "1.34")
    assert validator.validate(widget(size="L", replicas=2), widget(size="L"))[0].accepted
    assert not validator.validate(widget(size="L"), widget(size="S"))[0].accepted
    assert validator.validate(
        b'{"apiVersion":"acme.example/v1","kind":"Widget","metadata":{"name":"a"},"spec":{"size":"S"}}'
    )[0].accepted


@pytest.mark.parametrize(
    ("body", "fault"),
    [
        (b"{", "unexpected end of JSON input ({)"),
        (b"[1", "unexpected end of JSON input (5b31)"),
        (b"nul", "invalid character ' ' in literal null (expecting 'l') (6e756c)"),
        (b'{"a":nan}', "invalid character 'a' in literal null (expecting 'u') ({\"a\":nan})"),
    ],
)
def test_a_body_that_is_no_json_is_rejected_by_the_server(body: bytes, fault: str) -> None:
    (verdict,) = Validator([CRD], "1.34").validate(body)
    start = "the object provided is unrecognized (must be of type Widget): couldn't get version/kind; json parse error"
    assert [error.message for error in verdict.causes] == [f"{start}: {fault}"]


@pytest.mark.parametrize("body", [b"[]", b"1", b'"x"', b"true"])
def test_a_body_that_is_no_object_is_rejected_by_the_server(body: bytes) -> None:
    (verdict,) = Validator([CRD], "1.34").validate(body)
    assert "json: cannot unmarshal" in verdict.causes[0].message


def test_a_body_that_is_no_json_has_no_kind_among_several() -> None:
    other = changed(names={**CRD["spec"]["names"], "kind": "Gadget"})
    with pytest.raises(ValueError, match="the kind of the object is unknown: Expecting"):
        Validator([CRD, other]).validate(b"{")


def test_the_first_hundred_unknown_fields_of_a_crd_are_reported_in_the_order_of_their_names() -> None:
    (verdict,) = admit(changed(**{f"field{number}": 1 for number in range(299, 99, -1)}))
    names = [f"field{number}" for number in range(199, 99, -1)]
    assert [str(cause) for cause in verdict.unknown_fields] == [f'unknown field "spec.{name}"' for name in names]


def test_texts_and_files(tmp_path: Path) -> None:
    crd, file, text = json.dumps(CRD, indent=1), tmp_path / "widget.yaml", "kind: Widget\nspec: {size: XL}\n"
    file.write_text(text + "apiVersion: acme.example/v1\nmetadata: {name: a}\n")
    (verdict,) = validate(file, crd)
    line = crd[: crd.index('"enum"')].count("\n") + 1
    assert [(error.path, error.place and error.place.resolve().line) for error in verdict.causes][:1] == [
        ("spec.size", line)
    ]
    assert validate(json.dumps(widget(size="S")), crd)[0].accepted
    (verdict,) = admit(crd.replace("Namespaced", "Cosmic"), crd)
    assert [error.place and error.place.resolve().line for error in verdict.causes][:1] == [
        crd.split('"scope"')[0].count("\n") + 1
    ]
    assert admit(crd, CRD)[0].accepted
    assert len(estimate(crd)) == 1


def test_what_is_returned_and_what_is_stored() -> None:
    (version,) = CRD["spec"]["versions"]
    crd = changed(versions=[version, {**version, "name": "v2", "storage": False}])
    (verdict,) = validate({**widget(size="S"), "apiVersion": "acme.example/v2"}, crd)
    assert verdict.object is not None
    assert verdict.stored is not None
    assert verdict.object == {**verdict.stored, "apiVersion": "acme.example/v2"}
    assert validate(widget(size="L"), CRD)[0].object is None
    assert admit(CRD)[0].object == admit(CRD)[0].stored


def test_crds_in_memory() -> None:
    crd = decode(CRD).crd
    assert crd is not None
    assert admit(crd, crd) == admit(CRD, CRD) == admit(CRD, crd) == admit(crd, CRD)
    with pytest.raises(ValueError, match="nothing"):
        admit(crd, {"kind": "nothing"})


def test_what_is_no_question_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r'no CRD describes the kind "Gadget" of the group "acme.example"'):
        validate({**widget(), "kind": "Gadget"}, CRD)
    with pytest.raises(ValueError, match="serves no"):
        validate({**widget(), "apiVersion": "acme.example/v2"}, CRD)
    with pytest.raises(ValueError, match=r"Kubernetes 1\.37 rejects the CRD: spec.scope: Required value"):
        validate(widget(), changed(scope=""))
    with pytest.raises(ValueError, match=r'invalid "kubernetes": expected a Kubernetes version .* got "1\.99"'):
        validate(widget(), CRD, kubernetes="1.99")
    with pytest.raises(ValueError, match="nothing"):
        estimate({"kind": "nothing"})
    problem = r'^expected an object in "widget\.yaml" \(for a file, pass a Path\), got another value$'
    with pytest.raises(ValueError, match=problem):
        validate(widget(), "widget.yaml")
    with pytest.raises(ValueError, match=r"^expected one document, got 2 in "):
        admit("a: 1\n---\na: 1\n")
    with pytest.raises(ValueError, match=r"^invalid YAML or JSON in "):
        admit("a: [\n")
    with pytest.raises(FileNotFoundError):
        admit(tmp_path / "none.yaml")


def test_what_is_no_json_is_refused() -> None:
    wrong: Any
    for wrong in ({1: 2}, {"size": date(2026, 1, 1)}, {"size": Decimal(1)}):
        for arguments in ((widget(names=wrong), CRD), (widget(size="S"), CRD, {**widget(), "spec": wrong})):
            with pytest.raises(TypeError, match=r"is not plain JSON data|keys of JSON objects are strings"):
                validate(*arguments)
    for wrong in ([], None, 3):
        with pytest.raises(TypeError, match=rf"^expected a dict, str or Path, got {type(wrong).__name__}$"):
            admit(wrong)
    wrong = []
    with pytest.raises(TypeError, match=r"^expected a dict, str or Path, got list$"):
        validate(widget(size="S"), CRD, wrong)
    with pytest.raises(TypeError, match="date is not plain JSON data"):
        admit(changed(group=date(2026, 1, 1)))
    wrong = 1.3
    with pytest.raises(TypeError, match='"kubernetes" must be a string, not float'):
        validate(widget(size="S"), CRD, kubernetes=wrong)


@pytest.mark.parametrize("size", ["S", "ä"])
def test_data_that_holds_itself_is_refused(size: str) -> None:
    endless: dict[str, Any] = {"size": size}
    endless["names"] = [endless]
    for arguments in (
        (widget(**endless), CRD),
        (widget(size="S"), CRD, widget(**endless)),
        (widget(), changed(**endless)),
    ):
        with pytest.raises(ValueError, match="circular reference"):
            validate(*arguments)


def test_what_stands_twice_holds_not_itself() -> None:
    names = ["ä"]
    assert validate(widget(size="S", names=names, also=names), CRD)[0].accepted


def test_a_validator_of_one_crd() -> None:
    for crd in (CRD, json.dumps(CRD)):
        assert Validator(crd).validate(widget(size="S"))[0].accepted


def test_crds() -> None:
    assert [verdict.accepted for verdict in admit(CRD, kubernetes="1.25..1.37")] == [True]
    (verdict,) = admit(changed(scope="Cluster"), CRD, kubernetes="1.30")
    assert [error.path for error in verdict.causes] == ["spec.scope"]
    (verdict,) = admit({"apiVersion": "v1", "kind": "Secret"})
    assert (verdict.accepted, len(verdict.causes)) == (False, 1)


def test_costs() -> None:
    (result,) = estimate(CRD, kubernetes="1.34")
    assert (result.rule, result.once, result.times, result.cost, result.rejected) == (
        "self.replicas < 5",
        3,
        1,
        3,
        False,
    )
    bad = deepcopy(CRD)
    bad["spec"]["versions"][0]["schema"]["openAPIV3Schema"]["properties"]["spec"]["x-kubernetes-validations"] = [
        {"rule": "self.names.all(a, self.names.all(b, self.names.all(c, a + b == c)))"}
    ]
    (result,) = estimate(bad)
    assert (result.rejected, result.cost > 10_000_000, admit(bad)[0].accepted) == (True, True, False)


def test_nothing_that_is_given_changes() -> None:
    crd, obj = deepcopy(CRD), widget(size="S", other=1, names=[None])
    validate(obj, crd)
    assert (crd, obj) == (CRD, widget(size="S", other=1, names=[None]))


def test_every_public_name_is_there_and_imported_late() -> None:
    assert all(getattr(protoc_gen_crd, name) for name in protoc_gen_crd.__all__)
    with pytest.raises(AttributeError, match="no attribute 'other'"):
        _ = protoc_gen_crd.other
    probe = "import sys, protoc_gen_crd; print([n for n in sys.modules if n.startswith('protoc_gen_crd.')])"
    assert subprocess.run([sys.executable, "-c", probe], capture_output=True, check=True).stdout == b"[]\n"


def test_the_module_that_is_described_is_at_hand() -> None:
    code = "import protoc_gen_crd; print(protoc_gen_crd.library.__name__)"
    assert (
        subprocess.run([sys.executable, "-c", code], check=True, capture_output=True).stdout
        == b"protoc_gen_crd.library\n"
    )
