"""The data of the search on the index: the kinds and fields of all pages, with the beginnings of descriptions.

It has the form of the data of pages, so that both are searched by the same script. Its nodes have no anchors, so that
equal fields of all pages are one node: the index links to the path of a field, for which the page finds the anchor.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from protoc_gen_crd.explorer.node_table import NodeTable

_TAG = re.compile(r"<[^>]*>")
_MAX_TEXT = 160  # characters of a description, as many as a line of a result shows


def make_index_model(pages: Iterable[tuple[str, Mapping[str, Any]]]) -> dict[str, Any]:
    """Return the data of the search. `pages` are the names of files with the data of pages."""
    table = NodeTable()
    kinds = [kind for file, model in pages for kind in _make_kinds(file, model, _add_nodes(table, model["nodes"]))]
    return {"kinds": kinds, "nodes": table.nodes}


def _add_nodes(table: NodeTable, nodes: Iterable[Mapping[str, Any]]) -> list[int]:
    """Add the nodes of a page, in which children precede their parents, and return their indexes."""
    indexes: list[int] = []
    for node in nodes:
        searched = {
            "default": node.get("default", "")[:_MAX_TEXT],
            "description": _shorten(node.get("description", "")),
            "values": [value[:1] for value in node.get("values", ())],
            "steps": node.get("steps", ""),
            "fields": [[name, indexes[child]] for name, child, *_ in node.get("fields", ())],
        }
        indexes.append(table.add(searched))
    return indexes


def _make_kinds(file: str, model: Mapping[str, Any], indexes: Sequence[int]) -> Iterable[dict[str, Any]]:
    """Yield the kinds of a page."""
    for kind in model["kinds"]:
        versions = [[version["name"], version["root"]] for version in kind["versions"]]
        yield {
            "kind": kind["kind"],
            "group": model["group"],
            "file": file,
            "anchor": kind["anchor"],
            "name": f"{file}#{kind['anchor']}",
            "description": _shorten(kind["description"]),
            "isOverview": kind.get("isOverview", False),
            "versions": [{"name": name, "root": indexes[root] if root >= 0 else -1} for name, root in versions],
        }


def _shorten(description: str) -> str:
    """Return the beginning of a description as HTML without elements."""
    text = " ".join(html.unescape(_TAG.sub("", description)).split())
    return html.escape(text[:_MAX_TEXT], quote=False)
