"""HTTP responses, among them the one of a busy server."""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.base.record import Record

TEXT_TYPE = "text/plain; charset=utf-8"
_RETRY = ("retry-after", "1")  # seconds
_CHUNK_SIZE = 1 << 18  # bytes of a response that are sent at a time


class HttpResponse(Record):
    """A status code with a body and further headers; `reason` is the reason label of a rejected request."""

    code: int
    body: bytes | bytearray
    type: str = TEXT_TYPE
    headers: tuple[tuple[str, str], ...] = ()
    reason: str = ""

    def split_body(self) -> Iterator[bytes]:
        """Yield the body in chunks."""
        for at in range(0, max(len(self.body), 1), _CHUNK_SIZE):
            yield bytes(self.body[at : at + _CHUNK_SIZE])


def make_busy_response(message: str) -> HttpResponse:
    """Build a response that asks the client to retry."""
    return HttpResponse(503, f"{message}\n".encode(), headers=(_RETRY,), reason="busy")
