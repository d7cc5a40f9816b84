"""The patterns of plain scalars in documents of ASCII characters match like those of all documents."""

from __future__ import annotations

import re
from random import Random

import pytest

from protoc_gen_crd.yaml.go_yaml.scalar_scanner import _PLAIN

_CHARACTERS = " \t\r\n\0:#,?[]{}ab-'\"\x7f"


@pytest.mark.parametrize("watched", [False, True])
@pytest.mark.parametrize("in_flow", [False, True])
def test_patterns_for_ascii_match_like_those_for_all_characters(*, in_flow: bool, watched: bool) -> None:
    random = Random(f"{in_flow} {watched}")  # noqa: S311 - not a secret
    narrow, full = (re.compile(_PLAIN[in_flow, watched, is_ascii]) for is_ascii in (True, False))
    lengths = set()
    for _ in range(5_000):
        text = "".join(random.choices(_CHARACTERS, k=random.randrange(12)))
        match, expected = narrow.match(text), full.match(text)
        assert (match and match.span()) == (expected and expected.span()), text
        lengths.add(expected.end() if expected else 0)
    assert len(lengths) > 6  # the strings reach all parts of the patterns
