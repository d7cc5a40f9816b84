"""Decoding of YAML documents where a fast decoder certainly has Go's result: line by line, otherwise by libyaml."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from protoc_gen_crd.yaml.line_decoder import decode_lines

if TYPE_CHECKING:
    from protoc_gen_crd.yaml.go_yaml.decoder import DecodedDocument
    from protoc_gen_crd.yaml.go_yaml.similar_documents import SimilarDocuments

_IMPORT_SIZE: Final = 4_096  # bytes of documents whose parsing by Go's rules takes less time than the import of libyaml


class _Library:
    """The bytes that a process could read by libyaml so far, which is used once that is worth its import.

    Shortcut yaml-library: the parser by Go's rules has the same result for every document.
    """

    def __init__(self) -> None:
        self._size = 0

    def is_worthwhile(self, data: bytes) -> bool:
        """Return whether to read this document by libyaml."""
        self._size += len(data)
        return self._size > _IMPORT_SIZE


_LIBRARY = _Library()


def decode_fast(data: bytes, repeated: str, similar: SimilarDocuments | None) -> DecodedDocument | None:
    """Return the value of a document; None if it is invalid, if Go's value may differ, or if Go's rules are faster.

    `repeated` and `similar` are as in `yaml.reader.read`.
    """
    decoded = (_decode_without_copies(data, repeated, similar) if repeated else None) or decode_lines(data)
    if decoded is None and similar is not None:
        decoded = _decode_by_libyaml(data, plain=True)
    if decoded is not None and similar is not None:
        similar.add(data, decoded)
    return decoded or (_decode_by_libyaml(data) if _LIBRARY.is_worthwhile(data) else None)


def _decode_without_copies(data: bytes, repeated: str, similar: SimilarDocuments | None) -> DecodedDocument | None:
    """Return the value with copies read once; None if there are none, or if Go's value may differ.

    Blocks that a `similar` document has too are not read again.
    """
    from protoc_gen_crd.yaml.go_yaml.repeated_blocks import RepeatedBlocks  # noqa: PLC0415 - only CRDs contain copies

    blocks = RepeatedBlocks(data, repeated)
    shared = similar.find_blocks(data, blocks.key_lines) if similar else None
    if not (blocks or shared):
        return None
    text = shared.cut(blocks.text) if shared else blocks.text
    decoded = decode_lines(text) or _decode_by_libyaml(text, plain=True)
    if decoded is None or (shared and not shared.restore(decoded)) or (blocks and not blocks.restore(decoded)):
        return None
    return decoded


def _decode_by_libyaml(data: bytes, *, plain: bool = False) -> DecodedDocument | None:
    """Return the value by libyaml, with `plain` only if the document has no aliases and tags."""
    from protoc_gen_crd.yaml.libyaml_decoder import decode_by_libyaml, decode_plain  # noqa: PLC0415 - few files need it

    return (decode_plain if plain else decode_by_libyaml)(data)
