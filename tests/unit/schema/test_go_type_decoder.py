"""Decoding by Go types, with the error messages of Go for type mismatches."""

from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.findings.finding import Location
from protoc_gen_crd.schema.go_type_decoder import Decoder, DocumentPlace, MemberPlaces, Path, append_steps, format_path
from protoc_gen_crd.schema.schema_decoder import PROPS
from protoc_gen_crd.schema.schema_decoder import make_decoder as schema_decoder

STRUCTS = {
    "v1.Top": {
        "name": "string", "count": "*int64", "small": "int32", "flag": "bool", "share": "float64", "inner": "*v1.Inner",
        "list": "[]v1.Inner", "texts": "[]string", "map": "map[string]string", "bytes": "[]uint8", "any": "*v1.JSON",
        "pointers": "[]*v1.Inner",
    },
    "v1.Inner": {"name": "string"},
}  # fmt: skip


def decode(plain: object) -> tuple[Any, str]:
    decoder = Decoder(STRUCTS, {}, {})
    value = decoder.decode(plain, "v1.Top")
    return value, decoder.misfit.format_message(inner=True) if decoder.misfit else ""


@pytest.mark.parametrize(
    ("plain", "expected"),
    [
        ({"name": "x", "count": 1, "small": -1, "flag": True, "share": 1}, None),
        ({"share": 1.5, "texts": ["a"], "map": {"a": "b"}, "any": {"x": [1]}, "bytes": "YQ=="}, None),
        ({"name": None, "inner": {"name": "x"}, "list": [{}]}, {"inner": {"name": "x"}, "list": [{}]}),
        ({"texts": [None], "list": [None], "map": {"a": None}}, {"texts": [""], "list": [{}], "map": {"a": ""}}),
        ({"pointers": [None]}, None),
    ],
)  # fmt: skip
def test_values_of_the_right_type(plain: dict[str, Any], expected: dict[str, Any] | None) -> None:
    assert decode(plain) == (plain if expected is None else expected, "")


@pytest.mark.parametrize(
    ("plain", "message"),
    [
        ([], "cannot unmarshal array into Go value of type v1.Top"),
        ({"name": 1}, "cannot unmarshal number into Go struct field Top.name of type string"),
        ({"flag": "x"}, "cannot unmarshal string into Go struct field Top.flag of type bool"),
        ({"count": 1.5}, "cannot unmarshal number 1.5 into Go struct field Top.count of type int64"),
        ({"small": 1 << 31}, "cannot unmarshal number 2147483648 into Go struct field Top.small of type int32"),
        ({"inner": []}, "cannot unmarshal array into Go struct field Top.inner of type v1.Inner"),
        ({"inner": {"name": {}}}, "cannot unmarshal object into Go struct field Inner.inner.name of type string"),
        ({"list": [{"name": 1}]}, "cannot unmarshal number into Go struct field Inner.list.name of type string"),
        ({"texts": [1]}, "cannot unmarshal number into Go struct field Top.texts of type string"),
        ({"map": {"a": True}}, "cannot unmarshal bool into Go struct field Top.map of type string"),
    ],
)
def test_values_of_the_wrong_type(plain: object, message: str) -> None:
    assert decode(plain)[1] == f"json: {message}"


def test_first_mismatch_is_reported() -> None:
    assert decode({"name": 1, "flag": 1})[1].startswith("json: cannot unmarshal number into Go struct field Top.name")


def test_bytes_are_normalized() -> None:
    assert decode({"bytes": "Y\nR=="}) == ({"bytes": "YQ=="}, "")
    assert decode({"bytes": "Y?=="})[1] == "illegal base64 data at input byte 1"
    assert decode({"bytes": [97, None]}) == ({"bytes": "YQA="}, "")
    assert decode({"bytes": [256]})[1].endswith(
        "cannot unmarshal number 256 into Go struct field Top.bytes of type uint8"
    )


def test_unknown_fields() -> None:
    decoder = Decoder(STRUCTS, {}, {})
    decoder.decode({"colour": 1, "list": [{}, {"size": 1}]}, "v1.Top")
    assert [format_path(path) for path in decoder.unknown] == ["colour", "list[1].size"]


def test_mismatch_in_a_custom_unmarshaler_ends_decoding() -> None:
    decoder = schema_decoder()
    assert decoder.decode({"items": {"type": 1}, "title": 1}, PROPS) is None
    assert decoder.misfit is not None
    path = "JSONSchemaProps.items"
    assert (
        decoder.misfit.format_message(inner=True)
        == f"json: cannot unmarshal number into Go struct field {path}.type of type string"
    )
    assert (
        decoder.misfit.format_message(inner=False)
        == f"json: cannot unmarshal number into Go struct field {path} of type string"
    )


def test_mismatch_has_its_path() -> None:
    decoder = schema_decoder()
    decoder.decode({"properties": {"a": {"items": {"type": 1}}}}, PROPS)
    assert decoder.misfit is not None
    assert decoder.misfit.path == ("properties", "a", "items", "type")


def test_unknown_fields_in_a_custom_unmarshaler_are_ignored() -> None:
    decoder = schema_decoder()
    decoder.decode({"items": {"colour": 1}, "not": {"colour": 1}}, PROPS)
    assert [format_path(path) for path in decoder.unknown] == ["not.colour"]


def test_custom_unmarshaler_has_its_own_message() -> None:
    decoder = schema_decoder()
    decoder.decode({"additionalProperties": 1}, PROPS)
    assert decoder.misfit is not None
    assert decoder.misfit.format_message(inner=True) == "boolean or JSON schema expected"


def places(path: Path) -> Location | None:
    return Location("a.yaml", len(path) + 1) if path in ((), ("a",), ("a", "b")) else None


def test_place_is_that_of_the_nearest_value() -> None:
    assert DocumentPlace(places, append_steps(("a", "b", "c", 0))).resolve() == Location("a.yaml", 3)
    assert DocumentPlace(lambda _: None, append_steps(("a",))).resolve() == Location("")


def test_places_are_shown_as_their_locations() -> None:
    assert repr(DocumentPlace(places, append_steps(("a",)))) == repr(Location("a.yaml", 2))
    assert repr(MemberPlaces(places, append_steps(("a",)), ["b"])) == repr({"b": Location("a.yaml", 3)})


def test_member_places() -> None:
    marks = MemberPlaces(places, append_steps(("a",)), ["b"])
    assert marks["b"].resolve() == Location("a.yaml", 3)
    assert (list(marks), len(marks)) == (["b"], 1)
