"""Cells of tables, as GitHub Flavored Markdown reads them."""

from __future__ import annotations

import re

import pytest

from protoc_gen_crd.base.markdown_escapes import cell, code, plain


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("a|b", r"a\|b"),
        (r"a\|b", r"a\|b"),
        (r"a\\|b", r"a\\\|b"),
        ("`a|b`", r"`a\|b`"),
        (r"`a\|b`", r"`a\\|b`"),
        (r"`a\\|b` \| `c|d`", r"`a\\\|b` \| `c\|d`"),
        (r"``a`\|`` \|", r"``a`\\|`` \|"),
        (r"``a` \| b", r"``a` \| b"),
        (r"\`a\|b`", r"\`a\|b`"),
        ("|", r"\|"),
        ("", ""),
    ],
)
def test_separators_are_escaped(markdown: str, expected: str) -> None:
    assert cell(markdown) == expected


@pytest.mark.parametrize("string", ["|", r"\|", r"^a\|b$", r"\\|", "`|", r"`\|`", r"a\|``b|`"])
@pytest.mark.parametrize("write", [code, plain])
def test_a_table_shows_the_string(string: str, write: object) -> None:
    """Per section 4.10: a cell ends at a "|" without a backslash, and its backslashes before "|" are removed."""
    markdown = code(string) if write is code else plain(string)
    written = cell(markdown)
    assert re.search(r"(?<!\\)\|", written) is None
    shown = written.replace(r"\|", "|")
    assert shown == (markdown if write is code else markdown.replace(r"\|", "|"))
