from __future__ import annotations

from typing import Any

import pytest

from protoc_gen_crd.admission.objects.json_body import decode_body

TYPE_META = 'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }'
START = "the object provided is unrecognized (must be of type Thing): couldn't get version/kind; json parse error: "


@pytest.mark.parametrize(
    ("data", "value", "duplicates"),
    [
        (b'{"a": 1}', {"a": 1}, ()),
        (b' {"a": [1.0, 1e3, -0, "x", null, true]} ', {"a": [1.0, 1000.0, 0, "x", None, True]}, ()),
        (b'{"a": 9223372036854775808}', {"a": 9.223372036854775808e18}, ()),
        (b'{"a": 1, "a": 2}', {"a": 2}, ("a",)),
        (b'{"a": [{"b": 1, "b": 2}, 3]}', {"a": [{"b": 2}, 3]}, ("a[0].b",)),
        (b'{"a": [1, {"c": {"d": 1, "d": 2}}]}', {"a": [1, {"c": {"d": 2}}]}, ("a[1].c.d",)),
        (b'{"a": 1, "a": 1, "a": 1}', {"a": 1}, ("a",)),
        (b'{"a": "\xff"}', {"a": "\ufffd"}, ()),
        (b'{"a": [[]]}', {"a": [[]]}, ()),
    ],
)  # fmt: skip
def test_valid_bodies(data: bytes, value: Any, duplicates: tuple[str, ...]) -> None:
    body = decode_body(data, "Thing")
    assert (body.value, body.duplicates, body.error) == (value, duplicates, "")
    assert repr(body.value) == repr(value)  # repr distinguishes 1 from 1.0


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", "unexpected end of JSON input (<empty>)"),
        (b'{"a":', 'unexpected end of JSON input ({"a":)'),
        (b'{"a": 01}', "invalid character '1' after object key:value pair ({\"a\": 01})"),
        (b"{} x", "invalid character 'x' after top-level value ({} x)"),
        (b"nope", "invalid character 'o' in literal null (expecting 'u') (6e6f7065)"),
        (b"nul", "invalid character ' ' in literal null (expecting 'l') (6e756c)"),
        (b'{"a":tru', "invalid character ' ' in literal true (expecting 'e') ({\"a\":tru)"),
        (b"-", "invalid character ' ' in numeric literal (2d)"),
        (b"1.", "invalid character ' ' after decimal point in numeric literal (312e)"),
        (b"1e", "invalid character ' ' in exponent of numeric literal (3165)"),
        (b'"a', "unexpected end of JSON input (2261)"),
        (b'"\\', "invalid character ' ' in string escape code (225c)"),
        (b'"\\u12', "invalid character ' ' in \\u hexadecimal character escape (225c753132)"),
        (b"[]", f"json: cannot unmarshal array into Go value of type {TYPE_META} (5b5d)"),
        (b"1", f"json: cannot unmarshal number into Go value of type {TYPE_META} (31)"),
        (b'"x"', f"json: cannot unmarshal string into Go value of type {TYPE_META} (227822)"),
        (b"true", f"json: cannot unmarshal bool into Go value of type {TYPE_META} (74727565)"),
        (b"[" * 10_001, f"invalid character '[' exceeded max depth ({'5b' * 30} ...)"),
    ],
)
def test_invalid_bodies(data: bytes, text: str) -> None:
    assert decode_body(data, "Thing").error == START + text


def test_a_number_that_no_float_holds() -> None:
    text = "json: cannot unmarshal number 1e400 into Go value of type float64"
    assert decode_body(b'{"a": 1e400}', "Thing").number_error == text
    assert decode_body({"a": 10**400}, "Thing").number_error


def test_data_goes_the_way_of_json() -> None:
    plain = {"a": [1, "x"]}
    assert decode_body(plain, "Thing").value is plain
    assert decode_body({"a": 1 << 63, "b": "\ud800", "c": (1,)}, "Thing").value == {
        "a": float(1 << 63),
        "b": "\ufffd",
        "c": [1],
    }
    assert decode_body({"a": float("nan")}, "Thing").error == "json: unsupported value: NaN"
    with pytest.raises(TypeError):
        decode_body({1: "x"}, "Thing")
    with pytest.raises(TypeError):
        decode_body({"a": object()}, "Thing")
