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
    environment: dict[str, object] = {}
    return list(_flat(MarkdownIt("commonmark").enable("table").parse(text, environment))), environment


def _flat(tokens: Sequence[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from _flat(token.children or ())


def faults(text: str) -> list[str]:
    """Find forbidden markup: foreign HTML, headings, images, and references, broken links, and duplicate anchors."""
    tokens, environment = parsed(text)
    html = [token.content for token in tokens if token.type in ("html_inline", "html_block")]
    anchors = [match[1] for tag in html if (match := _ANCHOR.fullmatch(tag))]
    targets = [str(token.attrs["href"]) for token in tokens if token.type == "link_open"]
    return [
        *(f"HTML: {tag}" for tag in html if tag != "</a>" and not _ANCHOR.fullmatch(tag)),
        *(
            f"an anchor twice: {anchor}"
            for anchor in sorted({anchor for anchor in anchors if anchors.count(anchor) > 1})
        ),
        *(f"a link into nothing: {target}" for target in targets if target[:1] == "#" and target[1:] not in anchors),
        *(f"a link elsewhere: {target}" for target in targets if not target.startswith(("#", "http://", "https://"))),
        *(f"an image: {token.content}" for token in tokens if token.type == "image"),
        *(f"a reference: {reference}" for reference in environment.get("references") or ()),  # type: ignore[attr-defined]
        *(f"a heading: {heading}" for heading in _foreign_headings(tokens)),
        *(f"a block: {token.type}" for token in tokens if token.type in ("hr", "blockquote_open", "code_block")),
    ]


def _foreign_headings(tokens: Sequence[Token]) -> Iterator[str]:
    for token, inside in pairwise(tokens):
        if token.type == "heading_open":
            is_own = inside.content in _PLAIN_HEADINGS or inside.content.startswith('<a id="')
            if not (token.tag == "h1" and token.map == [0, 1]) and not (token.tag in ("h2", "h3") and is_own):
                yield inside.content
