"""An API server as the rest of this package sees it: one request, one reply. Knows no client library.

Source: the API conventions of Kubernetes (Status objects, Retry-After).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from protoc_gen_crd.base.record import Record

JSON = "application/json"
MERGE = "application/merge-patch+json"
LIST_OF_METADATA = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"
METADATA = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1"
OK, CREATED, BAD_REQUEST, UNAUTHORIZED, FORBIDDEN = 200, 201, 400, 401, 403
NOT_FOUND, CONFLICT, EXPIRED = 404, 409, 410
TOO_MANY_REQUESTS, SERVER_ERROR = 429, 500
_MAX_MESSAGE_LENGTH = 500  # characters of a server's text

Json = dict[str, Any]


class ClusterError(Exception):
    """A cluster that does not let a command work: no way to it, or no right. The text is for the user."""


class DisconnectedError(ClusterError):
    """No answer, which may be otherwise in a moment."""


class ApiReply(Record):
    """An answer; header names are in lower case."""

    code: int
    body: Json
    headers: Mapping[str, str] = {}

    @property
    def message(self) -> str:
        """What the server says of an error, on one line."""
        said = self.body.get("message") or self.body.get("reason") or f"status {self.code}"
        text = " ".join(str(said).split())
        return text if len(text) <= _MAX_MESSAGE_LENGTH else f"{text[:_MAX_MESSAGE_LENGTH]}…"

    @property
    def metadata(self) -> Json:
        """The metadata of an object, a list or a Status."""
        found = self.body.get("metadata")
        return found if isinstance(found, dict) else {}

    @property
    def retry_after(self) -> float | None:
        """After how many seconds to try again, if the server says so."""
        text = self.headers.get("retry-after", "")
        return float(text) if text.isascii() and text.isdigit() else None


class ApiServer(Protocol):
    """A client of the Kubernetes API."""

    def call(self, method: str, path: str, body: object = None, *, content: str = JSON, accept: str = JSON) -> ApiReply:
        """One request. Raises ClusterError where there is no answer."""


def expect_code(reply: ApiReply, action: str, *codes: int) -> ApiReply:
    """The reply, if it has such a code. Raises ClusterError that says what could not be done."""
    if reply.code in (codes or (OK, CREATED)):
        return reply
    raise ClusterError(f"cannot {action}: {reply.message}")
