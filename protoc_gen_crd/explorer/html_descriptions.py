"""Descriptions and constraints as safe HTML: the Markdown of the reference pages, rendered.

`format_prose` and `format_sentence` escape everything but paragraphs, lists, code, emphasis and links to web pages. The
renderer escapes HTML, too.
"""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

from protoc_gen_crd.reference.markdown_descriptions import format_prose

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

_PLAIN = re.compile(r"[\w ,.;:()/='%-]*")


@cache
def _make_renderer() -> MarkdownIt:
    from markdown_it import MarkdownIt  # noqa: PLC0415 - an extra

    return MarkdownIt("commonmark", {"html": False})


def render_prose(description: str) -> str:
    """Render a description, which may have several paragraphs."""
    return _render_block("\n".join(format_prose(description))) if description else ""


@cache
def _render_block(markdown: str) -> str:
    html: str = _make_renderer().render(markdown)
    return html.strip()


@cache
def render_line(markdown: str) -> str:
    """Render one line of escaped Markdown, such as a constraint."""
    if _PLAIN.fullmatch(markdown):
        return markdown.replace("'", "&#x27;")
    html: str = _make_renderer().renderInline(markdown)
    return html
