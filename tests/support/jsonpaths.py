"""JSONPaths as the judge of tests/judges/jsonpath shows them."""

from __future__ import annotations

from protoc_gen_crd.kubernetes.json_path import JsonPathError, JsonPathNode, read
from tests.conftest import ROOT

ROWS = ROOT / "testdata" / "jsonpath" / "verdicts.jsonl"


def shown(path: str) -> str | None:
    """Return the nodes of a path as strings, None for an invalid path."""
    try:
        return _shown(read(path))
    except JsonPathError:
        return None


def _shown(nodes: tuple[JsonPathNode, ...]) -> str:
    return ", ".join(map(_one, nodes))


def _one(node: JsonPathNode) -> str:
    value = f" {node.value}" if node.kind in ("field", "filter") else ""
    return f"{node.kind}{value}" + "".join(f" ({_shown(part)})" for part in node.parts)
