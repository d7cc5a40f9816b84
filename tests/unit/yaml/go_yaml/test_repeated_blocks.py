from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from protoc_gen_crd.yaml.go_yaml import repeated_blocks
from protoc_gen_crd.yaml.go_yaml.repeated_blocks import RepeatedBlocks
from protoc_gen_crd.yaml.reader import Document, read

BLOCK = "    k:\n      a: 1\n      b: [x, 1.0, {c: d}]\n      # a comment\n\n      e: |\n        text\n\n"


@pytest.fixture(autouse=True)
def _every_block(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repeated_blocks, "_MIN_BLOCK_SIZE", 1)


def paths(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    yield path
    for key, item in value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ():
        yield from paths(item, (*path, key))


def same(text: str) -> list[Document]:
    """The documents, which are the same read both ways, with the same places."""
    plain, shared = read(text, past_errors=True), read(text, past_errors=True, repeated="k")
    assert [item.replace(places=0) for item in shared] == [item.replace(places=0) for item in plain]
    for first, other in zip(plain, shared, strict=True):
        for path in paths(first.value):
            for node in (path, (*path, "missing"), (*path, 99)):
                assert first.get_place(node) == other.get_place(node)
                assert first.get_place(node, key=True) == other.get_place(node, key=True)
    return shared


def test_copies_are_one_object() -> None:
    text = f"items:\n  - n: 1\n{BLOCK}  - n: 2\n{BLOCK}    z: 3\n  - n: 4\n{BLOCK}"
    (document,) = same(text)
    items = document.value["items"]
    assert items[0]["k"] is items[1]["k"] is items[2]["k"]
    assert items[0]["k"] == {"a": 1, "b": ["x", 1, {"c": "d"}], "e": "text\n"}


@pytest.mark.parametrize(
    "text",
    [
        f"a:\n{BLOCK}b:\n{BLOCK}",
        f"a:\n{BLOCK}b:\n{BLOCK}".replace("a: 1", "a: 1\n      a: 2"),
        f"a:\n{BLOCK}b:\n{BLOCK}".replace("a: 1", "a: &x 1\n      f: *x"),
        f"a: &x\n{BLOCK}b:\n{BLOCK}c: *x\n",
        f"a:\n{BLOCK}b: |\n{BLOCK}",
        f"b: |\n{BLOCK}a:\n{BLOCK}",
        f"a:\n{BLOCK}b:\n{BLOCK}".replace("a: 1", 'a: "1\n  2"'),
        f"a:\n{BLOCK}b:\n{BLOCK}".replace("a: 1", 'a: "1\n    k: 2"'),
        f"a:\n{BLOCK}b:\n{BLOCK}".replace("text", "text\r"),
        f"a:\n{BLOCK}b:\n{BLOCK}".replace("text", "text\u2028more"),
        f"a:\n{BLOCK}b:\n{BLOCK}".replace("a: 1", "a: [1"),
        f"a:\n{BLOCK}b:\n{BLOCK}".replace("a: 1", "1: yes\n      2.5: ~"),
        f"a:\n{BLOCK}b:\n{BLOCK}".replace("a: 1", "? [q]\n      : 1"),
        f"a:\n{BLOCK}b:\n{BLOCK}".replace("a: 1", "a: .nan"),
        f"a:\n{BLOCK}# less\nb:\n{BLOCK}   # less\n    l: 1\n",
        f"a:\n{BLOCK}b:\n{BLOCK}    k: 2\n",
        f"a:\n{BLOCK}b:\n{BLOCK}---\nc:\n{BLOCK}",
        f"a:\n{BLOCK}b:\n    k: protoc-gen-crd-copy-0\nc:\n{BLOCK}",
        f"a:\n{BLOCK}b:\n{BLOCK}".replace("a: 1", "!!str a: 1"),
        f"a:\n{BLOCK}b:\n{BLOCK}".replace("a: 1", "<<: {y: 1}"),
        f"%YAML 1.1\n---\na:\n{BLOCK}b:\n{BLOCK}",
        f"a:\n{BLOCK}\n  more words\nb:\n{BLOCK}\n  more words\n",
        f"a: 'x\n{BLOCK}'\nb:\n{BLOCK}",
    ],
)
def test_nothing_is_read_otherwise(text: str) -> None:
    same(text)


def test_short_blocks_are_let_be(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repeated_blocks, "_MIN_BLOCK_SIZE", 1000)
    assert not RepeatedBlocks(f"a:\n{BLOCK}b:\n{BLOCK}".encode(), "k")
