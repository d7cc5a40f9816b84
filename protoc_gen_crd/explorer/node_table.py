"""A table of nodes, in which equal nodes are one."""

from __future__ import annotations

import hashlib
import json
from typing import Any


class NodeTable:
    """The nodes of the trees of a page, without empty members."""

    def __init__(self) -> None:
        self._indexes: dict[bytes, int] = {}
        self.nodes: list[dict[str, Any]] = []

    def add(self, node: dict[str, Any]) -> int:
        """Return the index of a node, which is added unless there is an equal one."""
        node = {key: value for key, value in node.items() if value}
        key = hashlib.sha256(json.dumps(node).encode()).digest()  # the JSON of a page can be large
        index = self._indexes.setdefault(key, len(self.nodes))
        if index == len(self.nodes):
            self.nodes.append(node)
        return index


def trim(row: list[Any]) -> list[Any]:
    """Remove empty values at the end of a row, and return it."""
    while row and not row[-1]:
        row.pop()
    return row
