"""Versions and deprecation notices in trailing metadata, beside the metadata that handlers set."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeVar, cast

import grpc

Metadata = tuple[tuple[str, str | bytes], ...]
Context = TypeVar("Context")
NOTICE_KEY = "deprecation"


class MetadataContext:
    """The context of a call whose trailing metadata keeps that of the server, whatever the handler sets.

    With asyncio, `abort` ends the call at once, so it is too late to add the metadata when the handler returns.
    """

    def __init__(self, context: Any) -> None:
        self._context = context
        self._metadata: Metadata = ()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._context, name)

    def keep(self, metadata: Metadata) -> None:
        """Add metadata that handlers cannot remove."""
        self._metadata += metadata
        self.set_trailing_metadata(self._context.trailing_metadata() or ())

    def set_trailing_metadata(self, trailing_metadata: Iterable[tuple[str, str | bytes]]) -> None:
        """Set the trailing metadata of the call, and keep that of the server."""
        others = [entry for entry in map(tuple, trailing_metadata) if entry not in self._metadata]
        self._context.set_trailing_metadata((*self._metadata, *others))

    def abort(
        self, code: grpc.StatusCode, details: str = "", trailing_metadata: Iterable[tuple[str, str | bytes]] = ()
    ) -> Any:
        """End the call with a status; with asyncio, return the coroutine that does so."""
        if trailing_metadata:
            self.set_trailing_metadata(trailing_metadata)
        return self._context.abort(code, details)

    def abort_with_status(self, status: grpc.Status) -> Any:
        """End the call with a status that has trailing metadata; with asyncio, return the coroutine that does so."""
        return self.abort(status.code, status.details, status.trailing_metadata or ())


def add_metadata(context: Context, metadata: Metadata) -> Context:
    """Return the context of a call with trailing metadata that handlers cannot remove."""
    keeping = context if isinstance(context, MetadataContext) else MetadataContext(context)
    keeping.keep(metadata)
    return cast(Context, keeping)


def add_notice(context: Context, notice: str) -> Context:
    """Return the context of a call with a deprecation notice that handlers cannot remove."""
    text = notice.encode("ascii", "backslashreplace").decode("ascii")
    return add_metadata(context, ((NOTICE_KEY, text),))
