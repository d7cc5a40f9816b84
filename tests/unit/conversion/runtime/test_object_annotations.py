"""Objects that are partial, extreme or invalid."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import pytest

from protoc_gen_crd.conversion.converter import Converter
from protoc_gen_crd.conversion.proof.prover import Prover
from protoc_gen_crd.conversion.runtime.field_tables import plain
from protoc_gen_crd.conversion.runtime.runtime import ConversionError, convert_by_kind
from tests.support.conversion import crd, fields, get_case, rules

WIDGET = get_case("new-field")
HEAD = {"apiVersion": "acme.example/v2", "kind": "Widget"}


@pytest.mark.parametrize(
    "partial",
    [
        {},
        {"metadata": {}},
        {"metadata": {"name": "x"}},
        {"spec": {}},
        {"metadata": {"uid": "1"}, "spec": {"ports": []}},
    ],
)
def test_partial_objects_convert(partial: dict[str, Any]) -> None:
    obj = {**HEAD, **partial}
    result = WIDGET.convert(obj, "v1")
    assert result == {**obj, "apiVersion": "acme.example/v1"}
    assert WIDGET.convert(result, "v2") == obj


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ({"spec": []}, "spec: expected an object, found a list"),
        ({"spec": {"size": 3}}, "spec.size: expected a string, found 3"),
        ({"spec": {"size": None}}, "spec.size: expected a string, found null"),
        ({"spec": {"limits": {"low": 1.5}}}, "spec.limits.low: expected an integer, found 1.5"),
        ({"spec": {"limits": {"low": True}}}, "spec.limits.low: expected an integer, found true"),
        ({"spec": {"ports": {}}}, "spec.ports: expected a list, found an object"),
        ({"spec": {"ports": [{}, "x"]}}, "spec.ports[1]: expected an object, found 'x'"),
        ({"spec": {"ports": [{"name": []}]}}, "spec.ports[0].name: expected a string, found a list"),
        ({"spec": {"named": {"k": {"note": {}}}}}, "spec.named['k'].note: expected a string, found an object"),
    ],
)
def test_an_object_that_breaks_its_schema_is_an_error_with_its_path(content: dict[str, Any], text: str) -> None:
    with pytest.raises(ConversionError) as error:
        WIDGET.convert({**HEAD, **content}, "v1")
    assert str(error.value) == text


@pytest.mark.parametrize(
    "obj",
    [None, [], "x", {}, {"apiVersion": 3}, {"apiVersion": "acme.example/v3"}, {"apiVersion": "other/v2"}],
)
def test_a_value_that_is_not_an_object_of_the_kind_is_an_error(obj: Any) -> None:
    with pytest.raises(ConversionError):
        WIDGET.convert(obj, "v1")
    with pytest.raises(ConversionError):
        WIDGET.convert({**HEAD}, "v7")


@pytest.mark.parametrize(
    ("obj", "found"),
    [
        (None, "null"), ([], "null"), ("x", "null"), ({}, "null"), ({"kind": []}, "a list"),
        ({**HEAD, "kind": "Other"}, "'Other of acme.example'"), ({"kind": "Widget"}, "'Widget of '"),
    ],
)  # fmt: skip
def test_an_object_of_no_known_kind_is_an_error(obj: Any, found: str) -> None:
    converters = {("acme.example", "Widget"): WIDGET.convert}
    with pytest.raises(ConversionError) as error:
        convert_by_kind(obj, "v1", converters)
    assert str(error.value) == f"kind: expected one of Widget of acme.example, found {found}"
    assert convert_by_kind(HEAD, "v1", converters)["apiVersion"] == "acme.example/v1"


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"a": [{1}]}, "a['a'][0]: expected a JSON value, found set"),
        ([float("nan")], "a[0]: expected a JSON number, found nan"),
        ({1: 2}, "a key of a: expected a string, found 1"),
        ({"a": (1,)}, "a['a']: expected a JSON value, found tuple"),
        (OrderedDict(b=1), "a: expected a JSON value, found OrderedDict"),
    ],
)
def test_computed_free_form_data_must_be_json(value: Any, message: str) -> None:
    with pytest.raises(ConversionError) as error:
        plain(value, "a")
    assert str(error.value) == message
    assert plain({"a": [None, 1.5, True, {"b": "c"}]}, "a") == {"a": [None, 1.5, True, {"b": "c"}]}


def test_a_proof_reports_why_an_object_does_not_convert_back() -> None:
    number = {"type": "integer", "format": "int64"}
    there = ("v1", "v2", [{"field": "spec.a", "destination": "spec.b", "transformation": "10 / self"}])
    back = ("v2", "v1", [{"field": "spec.b", "destination": "spec.a", "transformation": "self"}])
    converter = Converter(crd(v1=fields(a=number), v2=fields(b=number)), rules(there, back))
    proofs = Prover(150, 1).prove(converter.plan, converter.convert)
    details = {broken.detail for proof in proofs for broken in proof.violations if "conversion back" in broken.law}
    assert details == {"spec.b: the expression '10 / self' fails: division by zero"}


def test_unknown_fields_are_not_copied() -> None:
    obj = {**HEAD, "extra": 1, "spec": {"size": "S", "extra": 1, "ports": [{"name": "a", "extra": 1}]}}
    assert WIDGET.convert(obj, "v1") == {
        "apiVersion": "acme.example/v1", "kind": "Widget", "spec": {"size": "S", "ports": [{"name": "a"}]},
    }  # fmt: skip


def test_values_are_exact() -> None:
    limits = {"low": -(2**63), "high": 2**63 - 1}
    obj = {**HEAD, "spec": {"size": "", "limits": limits, "ports": [], "named": {}}}
    result = WIDGET.convert(obj, "v1")
    assert result["spec"] == {"size": "", "limits": {"low": -(2**63)}, "ports": [], "named": {}}
    assert WIDGET.convert(result, "v2") == obj


def test_every_pair_of_versions_converts() -> None:
    case = get_case("four-versions")
    names = [version.name for version in case.crd.versions]
    for source in names:
        for target in names:
            result = case.convert(case.object(source, {"spec": {"weight": 0}}), target)
            assert result == case.object(target, {"spec": {"weight": 0}})


def test_null_is_preserved_if_both_versions_accept_it() -> None:
    """Null is dropped if only one version accepts it; items and values of maps may be null, too."""
    text, null = {"type": "string"}, {"type": "string", "nullable": True}
    item = {"type": "object", "nullable": True, "properties": {"a": text}}
    other = {"type": "object", "nullable": True, "properties": {"b": text}}
    definition = crd(
        v1=fields(
            n=null, o=null, items={"type": "array", "items": item}, map={"type": "object", "additionalProperties": item}
        ),
        v2=fields(
            p=null,
            q=text,
            items={"type": "array", "items": other},
            map={"type": "object", "additionalProperties": other},
        ),
    )
    pairs = [("n", "p"), ("o", "q"), ("items[i].a", "items[].b"), ("map[key].a", "map[key].b")]
    there = ("v1", "v2", [{"field": f"spec.{first}", "destination": f"spec.{two}"} for first, two in pairs])
    back = ("v2", "v1", [{"field": f"spec.{two}", "destination": f"spec.{first}"} for first, two in pairs])
    converter = Converter(definition, rules(there, back))
    old = {"n": None, "o": None, "items": [None, {"a": "x"}, {}], "map": {"k": None, "l": {"a": "y"}}}
    source = {"apiVersion": "acme.example/v1", "kind": "Thing", "spec": old}
    result = converter.convert(source, "v2")
    assert result["spec"] == {"p": None, "items": [None, {"b": "x"}, {}], "map": {"k": None, "l": {"b": "y"}}}
    assert converter.convert(result, "v1") == source


def test_numbers_are_exact_in_expressions_and_conversion_data() -> None:
    number = {"type": "integer", "format": "int64"}
    definition = crd(v1=fields(a=number), v2=fields(b=number, kept=number))
    there = ("v1", "v2", [{"field": "spec.a", "destination": "spec.b", "transformation": "self - 1"}])
    back = ("v2", "v1", [{"field": "spec.b", "destination": "spec.a", "transformation": "self + 1"}])
    conversion = rules(there, back)
    conversion["spec"]["conversions"][1]["preserve"] = ["spec.kept"]
    converter = Converter(definition, conversion)
    for value in (2**53 + 1, 2**63 - 2, -(2**63), 0):
        source = {"apiVersion": "acme.example/v2", "kind": "Thing", "spec": {"b": value, "kept": value}}
        result = converter.convert(source, "v1")
        assert result["spec"]["a"] == value + 1
        assert converter.convert(result, "v2") == source


def test_fields_in_metadata_of_embedded_resources_can_be_moved() -> None:
    def embedded(**metadata: Any) -> dict[str, Any]:
        resource = {**fields(metadata=fields(**metadata)), "x-kubernetes-embedded-resource": True}
        return fields(pod=resource)

    text = {"type": "string"}
    there, back = "spec.pod.metadata.name", "spec.pod.metadata.generateName"
    forth = ("v1", "v2", [{"field": there, "destination": back}])
    known = crd(v1=embedded(name=text), v2=embedded(generateName=text))
    converter = Converter(known, rules(forth, ("v2", "v1", [{"field": back, "destination": there}])))
    pod = {"apiVersion": "v1", "kind": "Pod", "metadata": {"labels": {"a": "b"}}}
    old = {"apiVersion": "acme.example/v1", "kind": "Thing", "spec": {"pod": _named(pod, name="x")}}
    new = converter.convert(old, "v2")
    assert new == {**old, "apiVersion": "acme.example/v2", "spec": {"pod": _named(pod, generateName="x")}}
    assert converter.convert(new, "v1") == old


def _named(pod: dict[str, Any], **names: str) -> dict[str, Any]:
    return {**pod, "metadata": {**pod["metadata"], **names}}
