"""The interface of an API server: one request, one reply. It is independent of a client library.

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
_MAX_MESSAGE_LENGTH = 500  # characters of a server's message

Json = dict[str, Any]


class ClusterError(Exception):
    """A failure to access a cluster: no connection, or no permission. The message is for the user."""


class DisconnectedError(ClusterError):
    """No response. A retry may succeed."""


class ApiReply(Record):
    """A response; header names are in lower case."""

    code: int
    body: Json
    headers: Mapping[str, str] = {}

    @property
    def message(self) -> str:
        """The server's error message, on one line."""
        reason = self.body.get("message") or self.body.get("reason") or f"status {self.code}"
        line = " ".join(str(reason).split())
        return line if len(line) <= _MAX_MESSAGE_LENGTH else f"{line[:_MAX_MESSAGE_LENGTH]}…"

    @property
    def metadata(self) -> Json:
        """The metadata of an object, a list or a Status."""
        metadata_value = self.body.get("metadata")
        return metadata_value if isinstance(metadata_value, dict) else {}

    @property
    def retry_after(self) -> float | None:
        """The number of seconds after which to retry, if the server sends it."""
        seconds = self.headers.get("retry-after", "")
        return float(seconds) if seconds.isascii() and seconds.isdigit() else None


class ApiServer(Protocol):
    """A client of the Kubernetes API."""

    def call(self, method: str, path: str, body: object = None, *, content: str = JSON, accept: str = JSON) -> ApiReply:
        """Send one request. A reply with an error code is returned like any other.

        Args:
            method: The HTTP method.
            path: The path and the query of the URL, from the root of the API server.
            body: The value of the JSON body, None for no body.
            content: The media type of the body, such as that of a merge patch.
            accept: The media type of the reply.

        Raises:
            ClusterError: There is no reply.
        """


def expect_code(reply: ApiReply, action: str, *codes: int) -> ApiReply:
    """Return the reply if it has one of the codes, by default 200 and 201. Otherwise raises ClusterError."""
    if reply.code in (codes or (OK, CREATED)):
        return reply
    raise ClusterError(f"cannot {action}: {reply.message}")
