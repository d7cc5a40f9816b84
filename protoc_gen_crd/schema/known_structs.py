"""Structs that were decoded from another document, which shares objects with a document that is decoded later."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from protoc_gen_crd.schema.go_type_decoder import Decoder, Link


class KnownStructs:
    """The structs of one kind that were decoded from objects of other documents, which share these objects.

    `copy` returns a struct at the place of a path in the document of a decoder.
    """

    def __init__(self, kind: str, copy: Callable[[Any, Decoder, Link], Any]) -> None:
        self._kind, self._copy = kind, copy
        self._structs: dict[int, tuple[Any, object]] = {}  # by identity of objects, which are kept alive

    def find(self, value: object, kind: str, decoder: Decoder, path: Link) -> Any:
        """Return the struct of an object at its place in another document; None if it is not known."""
        struct, _ = self._structs.get(id(value), (None, None)) if kind == self._kind else (None, None)
        return None if struct is None else self._copy(struct, decoder, path)

    def add(self, value: object, kind: str, struct: Any) -> None:
        """Add the struct of an object, if it is of this kind."""
        if kind == self._kind:
            self._structs[id(value)] = struct, value
