import sys

import pytest

from protoc_gen_crd.base.bounded_json import parse_json


def test_values() -> None:
    assert parse_json('{"a": [1, "[[["]}') == {"a": [1, "[[["]}


@pytest.mark.parametrize("text", ["[" * 100_000, "[" * 501 + "]" * 501, "{", "'a'"])
def test_deep_nesting_is_rejected_for_any_recursion_limit(text: str) -> None:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(1_000_000)
    try:
        with pytest.raises(ValueError):  # noqa: PT011 - the library's own texts for the last two
            parse_json(text)
    finally:
        sys.setrecursionlimit(before)


def test_brackets_in_strings_do_not_nest() -> None:
    assert parse_json("[" + '"[",' * 600 + "1]")[-1] == 1


@pytest.mark.parametrize("string", ['"\\\\"', '"\\""', '"\\\\\\""', '"]"', '"\ud800"', '"\\u005d"'])
def test_escapes_do_not_hide_nesting(string: str) -> None:
    assert parse_json("[" * 499 + string + ",1" + "]" * 499) is not None
    with pytest.raises(ValueError, match="nested more than 500 deep"):
        parse_json(f"[{string}," + "[" * 500 + "]" * 501)


@pytest.mark.parametrize("text", ["NaN", "[-Infinity]", '{"a": 1e999}', "-1e999"])
def test_numbers_are_finite(text: str) -> None:
    with pytest.raises(ValueError, match="is not a finite number"):
        parse_json(text)
