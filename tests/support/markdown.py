"""Parsing of pages of the reference docs, and detection of markup that they must not contain."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from markdown_it import MarkdownIt
from markdown_it.token import Token

_ANCHOR = re.compile(r'<a id="([a-z0-9.-]+)">')
_PLAIN_HEADINGS = ("Types", "Samples")


def parsed(text: str) -> tuple[list[Token], dict[str, object]]:
    """Return the tokens of a page, blocks and their children, and the environment of the parser."""
    found: dict[str, object] = {}
    return list(_flat(MarkdownIt("commonmark").enable("table").parse(text, found))), found


def _flat(tokens: Sequence[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from _flat(token.children or ())


def faults(text: str) -> list[str]:
    """Find forbidden markup: foreign HTML, headings, images, and references, broken links, and duplicate anchors."""
    tokens, found = parsed(text)
    html = [token.content for token in tokens if token.type in ("html_inline", "html_block")]
    anchors = [match[1] for each in html if (match := _ANCHOR.fullmatch(each))]
    targets = [str(token.attrs["href"]) for token in tokens if token.type == "link_open"]
    return [
        *(f"HTML: {each}" for each in html if each != "</a>" and not _ANCHOR.fullmatch(each)),
        *(f"an anchor twice: {each}" for each in sorted({each for each in anchors if anchors.count(each) > 1})),
        *(f"a link into nothing: {each}" for each in targets if each[:1] == "#" and each[1:] not in anchors),
        *(f"a link elsewhere: {each}" for each in targets if not each.startswith(("#", "http://", "https://"))),
        *(f"an image: {token.content}" for token in tokens if token.type == "image"),
        *(f"a reference: {each}" for each in found.get("references") or ()),  # type: ignore[attr-defined]
        *(f"a heading: {each}" for each in _foreign_headings(tokens)),
        *(f"a block: {token.type}" for token in tokens if token.type in ("hr", "blockquote_open", "code_block")),
    ]


def _foreign_headings(tokens: Sequence[Token]) -> Iterator[str]:
    for token, inside in pairwise(tokens):
        if token.type == "heading_open":
            ours = inside.content in _PLAIN_HEADINGS or inside.content.startswith('<a id="')
            if not (token.tag == "h1" and token.map == [0, 1]) and not (token.tag in ("h2", "h3") and ours):
                yield inside.content
