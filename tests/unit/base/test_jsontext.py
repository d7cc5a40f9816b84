import sys

import pytest

from protoc_gen_crd.base.jsontext import loads


def test_values() -> None:
    assert loads('{"a": [1, "[[["]}') == {"a": [1, "[[["]}


@pytest.mark.parametrize("text", ["[" * 100_000, "[" * 501 + "]" * 501, "{", "'a'"])
def test_what_is_refused_whatever_the_recursion_limit(text: str) -> None:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(1_000_000)
    try:
        with pytest.raises(ValueError):  # noqa: PT011 - the library's own texts for the last two
            loads(text)
    finally:
        sys.setrecursionlimit(before)


def test_brackets_in_strings_do_not_nest() -> None:
    assert loads("[" + '"[",' * 600 + "1]")[-1] == 1
