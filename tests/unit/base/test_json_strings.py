from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from protoc_gen_crd.base.bounded_json import parse_json
from protoc_gen_crd.base.json_strings import _split_plain_strings, parse_strings

# Pieces of lists, so that most of them are nearly valid.
PIECES = st.lists(
    st.sampled_from(["[", "]", '"', ",", ", ", " ", "a", "\\", "\\n", "\n", "1", "\u2028", "é"]), max_size=12
)


@given(PIECES.map(lambda pieces: '["' + "".join(pieces) + '"]'))
@example('["]')
@example('[""]')
def test_what_is_split_is_what_json_reads(string: str) -> None:
    strings = _split_plain_strings(string)
    assert strings is None or strings == json.loads(string)


@given(
    st.lists(st.text(st.characters(categories=["L", "N", "P"], exclude_characters='"\\')), min_size=1), st.booleans()
)
def test_plain_strings_are_split(strings: list[str], narrow: bool) -> None:
    string = json.dumps(strings, ensure_ascii=False, separators=(",", ":") if narrow else None)
    assert _split_plain_strings(string) == strings


@pytest.mark.parametrize("string", ['["a\\u0062"]', "[]", "{}", "null", '[ "a" ]', '["a", 1]'])
def test_other_json_is_parsed(string: str) -> None:
    assert parse_strings(string) == parse_json(string)


@pytest.mark.parametrize("string", ["", '["]', '["a', '["a""b"]', '["a"b"]'])
def test_invalid_json_is_an_error(string: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - the messages of the library
        parse_strings(string)
