"""Descriptions do not affect the page around them, whatever they contain. The oracle is a foreign Markdown parser."""

from __future__ import annotations

import random

import pytest

from protoc_gen_crd.base.markdown_escapes import cell, code, plain
from protoc_gen_crd.reference.markdown_descriptions import format_prose, format_sentence, join_lines
from tests.support.markdown import faults, parsed

PARTS = (
    "a", "word", "|", "||", "`", "``", "```", "````", "~~~", "~~~~ x", "<b>", "</div>", "<script>alert(1)</script>",
    "<!-- x", "-->", "&lt;", "&#60;", "# h", "## h", "===", "---", "***", "___", "- ", "* ", "+ ", "1. ", "12) ", "> ",
    ">", "    ", "  ", "   ", "\t", "[x]", "](", "[x](javascript:1)", "[a](https://x.y)", "![i](https://x.y/z.png)",
    "[r]: https://q", "<https://a.b>", "https://c.d/e_f*g", "\\", "\\\\", "*b*", "**c**", "_d_", "~~s~~", "$m$",
    "|a|b|\n|-|-|\n|1|2|", "\n", "\n", "\n\n", "\n\n", "{{x}}", '<a id="widget">', "\u202e", "\x00", "\u2028", "é",
    "]]>", "<?php", "<!DOCTYPE", "=", "-", ":", "::", "\r",
)  # fmt: skip


def find_faults_in_list(text: str) -> list[str]:
    """List the faults of a page where the description belongs to the first of two fields."""
    body = [f"  {line}" if line else "" for line in format_prose(text)]
    page = join_lines(["# t", "", "- **x**", "", *body, "", "- **y**", "", "  the end"])
    tokens, _ = parsed(page)
    fields = [token for token in tokens if token.type == "list_item_open" and token.level == 1]
    last = [token.level for token in tokens if token.content == "the end" and token.type == "inline"]
    return [*faults(page), *([] if (len(fields), last) == (2, [3]) else [f"{len(fields)} fields, the last at {last}"])]


def find_faults_in_table(text: str, formatted: str) -> list[str]:
    """List the faults of a page with the formatted description in a table cell."""
    page = f"# t\n\n| a | b |\n| --- | --- |\n| {cell(formatted)} | the end |\n"
    cells = [token.content for token in parsed(page)[0] if token.type == "inline"]
    return [*faults(page), *([] if len(cells) == 5 and cells[-1] == "the end" else [f"{text!r} makes {cells}"])]


@pytest.mark.parametrize("seed", range(8))
def test_descriptions_do_not_affect_the_page(seed: int) -> None:
    generator = random.Random(seed)  # noqa: S311 - the same strings in every run
    for _ in range(60):
        text = "".join(generator.choice(PARTS) for _ in range(generator.randint(1, 14)))
        assert find_faults_in_list(text) == [], text
        for formatted in (plain(text), format_sentence(text), code(text)):
            assert find_faults_in_table(text, formatted) == [], text


def test_oracle_finds_every_kind_of_fault() -> None:
    page = "# t\n\n<b>x</b>\n\n## own\n\n[a](#b) ![c](https://d) [e](ftp://f)\n\n***\n\n> q\n\n    code\n\n[r]: https://s\n"
    assert sorted({fault.partition(":")[0] for fault in faults(page)}) == [
        "HTML", "a block", "a heading", "a link elsewhere", "a link into nothing", "a reference", "an image"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "formatted"),
    [
        ("Plain words, snake_case and 2 * 3.", r"Plain words, snake_case and 2 \* 3."),
        ("**Bold**, *light* and `code_|`.", "**Bold**, *light* and `code_|`."),
        ("See https://a.example/b_c. Or <https://d.example>!", "See <https://a.example/b_c>. Or <https://d.example>!"),
        ("[here](https://a.example) and [there](/relative)", r"[here](https://a.example) and \[there\](/relative)"),
        ("one\n- two\n- three", "one\n\n- two\n- three"),
        ("```yaml {x}\na:  b\n\n\n# c\n```", "```yaml\na:  b\n\n\n# c\n```"),
        ("as:\n\n    code\n\nend", "as:\n\n```\ncode\n```\n\nend"),
        ("# A heading", r"\# A heading"),
        ("[a](https://a.example/?b|c) | d", r"[a](https://a.example/?b%7Cc) \| d"),
        ("as:\n\n  1. one\n  2. two\n     more\n\nend", "as:\n\n1. one\n2. two\n   more\n\nend"),
        ("- one\n  - two\n\n    more", "- one\n  - two\n\n    more"),
        ("- one\n\n      code\n        more\n\nend", "- one\n\n  ```\n  code\n    more\n  ```\n\nend"),
    ],
)
def test_descriptions_keep_their_markdown(text: str, formatted: str) -> None:
    assert join_lines(format_prose(text)) == f"{formatted}\n"
