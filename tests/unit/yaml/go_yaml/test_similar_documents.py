"""Similar documents against documents that are read as a whole."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from protoc_gen_crd.yaml import reader
from protoc_gen_crd.yaml.go_yaml import similar_documents
from protoc_gen_crd.yaml.go_yaml.similar_documents import SharedBlocks, SimilarDocuments
from protoc_gen_crd.yaml.reader import Document

KEY = "openAPIV3Schema"
COUNT = 300
INSERTED = (
    b"", b"# comment", b"  extra: 1", b"      more: [1, 2]", b"    - item", b"          deep: |", b"text", b"  x:",
    b'  q: "open', b"  b: *a", b"  a: &a 1", b"      spec:", b"  name: other", b"---", b"      - &anchor x",
    b"        !!str 1",
)  # fmt: skip


def make_crd(fields: int, versions: int) -> list[bytes]:
    """Return the lines of a CRD whose versions have equal schemas."""
    lines = [
        b"apiVersion: apiextensions.k8s.io/v1", b"kind: CustomResourceDefinition", b"metadata:",
        b"  name: things.acme.io", b"spec:", b"  group: acme.io", b"  versions:",
    ]  # fmt: skip
    for version in range(versions):
        lines += [b"  - name: v%d" % (version + 1), b"    schema:", b"      openAPIV3Schema:", b"        properties:"]
        for part in (b"spec", b"status"):
            lines += [b"          %s:" % part, b"            properties:"]
            for number in range(fields):
                lines += [
                    b"              field%d:" % number, b"                description: |-", b"                  A text",
                    b"                  of two lines.", b"                maximum: %d.5" % number,
                    b"                type: number",
                ]  # fmt: skip
            lines += [b"            type: object"]
        lines += [b"    served: true"]
    return [*lines, b""]


def edit(lines: list[bytes], random: Random) -> list[bytes]:
    """Return lines with one to three of them changed, moved, indented, added or removed."""
    edited = list(lines)
    for _ in range(random.choice((1, 1, 2, 3))):
        at = random.randrange(len(edited) - 1)
        match random.randrange(6):
            case 0:
                del edited[at : at + random.choice((1, 1, 5, 60))]
            case 1:
                edited[at:at] = [random.choice(INSERTED)]
            case 2:
                edited[at] = edited[at] + b"5"
            case 3:
                edited[at] = edited[at][2:] if edited[at].startswith(b"  ") else b"  " + edited[at]
            case 4:
                edited[at:at] = edited[at : at + random.choice((1, 6, 40))]
            case _:
                edited[at] = random.choice(INSERTED)
    return edited


def list_places(document: Document, value: Any, path: tuple[str | int, ...] = ()) -> Iterator[object]:
    """Yield the places of all values and keys."""
    yield path, document.get_place(path), document.get_place(path, key=True)
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, item in items:
        yield from list_places(document, item, (*path, step))


def describe(documents: list[Document]) -> list[object]:
    return [
        (
            document.value,
            document.error,
            document.error_at,
            document.duplicates,
            document.overrides,
            [*list_places(document, document.value)],
        )
        for document in documents
    ]


def count_differences(count: int) -> tuple[int, int]:
    """Return the number of documents that are read with shared blocks, and of those with another result."""
    shared = differences = 0
    for seed in range(count):
        random = Random(seed)  # noqa: S311 - not a secret
        lines = make_crd(random.choice((5, 9)), random.choice((1, 2, 3)))
        known, other = b"\n".join(lines), b"\n".join(edit(lines, random))
        similar = SimilarDocuments()
        reader.read(known, repeated=KEY, similar=similar, past_errors=True)
        result = describe(reader.read(other, repeated=KEY, similar=similar, past_errors=True))
        differences += result != describe(reader.read(other, repeated=KEY, past_errors=True))
        shared += similar.find_blocks(other, {}) is not None
    return shared, differences


def test_the_result_is_that_of_the_whole_document() -> None:
    shared, differences = count_differences(COUNT)
    assert differences == 0
    assert shared > COUNT / 2


def test_a_defect_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(similar_documents, "_find_changed_lines", lambda _, lines: (len(lines), 0))
    assert count_differences(20)[1] > 0


def test_a_small_change_leaves_little_to_parse() -> None:
    lines = make_crd(40, 2)
    changed = [b"                maximum: 7" if line.endswith(b"maximum: 20.5") else line for line in lines]
    similar = SimilarDocuments()
    reader.read(b"\n".join(lines), similar=similar)
    blocks = similar.find_blocks(b"\n".join(changed[:200] + lines[200:]), {})
    assert isinstance(blocks, SharedBlocks)
    assert len([line for line in blocks.cut(b"\n".join(lines)).split(b"\n") if line]) < len(lines) * 0.7


def test_documents_with_aliases_are_read_as_a_whole() -> None:
    text = b"metadata:\n  name: a\nspec:\n" + b"  - &x 1\n  - *x\n" * 30
    similar = SimilarDocuments()
    reader.read(text, similar=similar)
    assert similar.find_blocks(text, {}) is None
