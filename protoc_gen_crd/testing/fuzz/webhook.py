"""A validating admission webhook as validator, asked as a server asks it: by AdmissionReview v1 over http or https.

Source: k8s.io/api/admission/v1, k8s.io/apiserver pkg/admission/plugin/webhook.
"""

from __future__ import annotations

import http.client
import json
import ssl
from typing import Any
from urllib.parse import urlsplit

from protoc_gen_crd.base.jsontext import loads
from protoc_gen_crd.testing.fuzz.external import Access, Answered, Asked, Json, ValidatorError, answered, short

_UID = "00000000-0000-0000-0000-000000000001"
_TYPE = {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview"}
_LONGEST = 1 << 24  # bytes of an answer


class Webhook:
    """Keeps its connection. Raises ValueError for an address that is none."""

    def __init__(self, address: str, access: Access) -> None:
        parts = urlsplit(address)
        if not parts.hostname:
            raise ValueError("an address must name a host")
        self._host, self._port, self._access = parts.hostname, parts.port, access
        self._path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        self._trust = _trust(access) if parts.scheme == "https" else None
        self._connection: http.client.HTTPConnection | None = None

    def ask(self, asked: Asked) -> Answered:
        """See External."""
        fresh = self._connection is None
        try:
            status, data = self._sent(_review(asked))
        except (OSError, http.client.HTTPException) as error:
            self.close()
            if fresh or isinstance(error, TimeoutError):
                raise ValidatorError(_told(error, self._access.timeout)) from None
            return self.ask(asked)  # a connection that was kept may have been closed at the other end
        if status != http.client.OK:
            said = short(data.decode("utf-8", "replace"))
            raise ValidatorError(f"it must answer with status 200, found {status}: {said}")
        return _read(data)

    def _sent(self, review: Json) -> tuple[int, bytes]:
        if self._connection is None:
            self._connection = self._opened()
        body = json.dumps(review).encode()
        self._connection.request("POST", self._path, body, {"Content-Type": "application/json"})
        response = self._connection.getresponse()
        return response.status, response.read(_LONGEST)

    def _opened(self) -> http.client.HTTPConnection:
        timeout = self._access.timeout
        if self._trust is None:
            return http.client.HTTPConnection(self._host, self._port, timeout=timeout)
        return http.client.HTTPSConnection(self._host, self._port, timeout=timeout, context=self._trust)

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _trust(access: Access) -> ssl.SSLContext:
    """Raises OSError for a CA file that cannot be read, ValueError for one that holds no certificates."""
    try:
        context = ssl.create_default_context(cafile=access.ca_file or None)
    except ssl.SSLError:
        raise ValueError(f'"{access.ca_file}" must hold certificates') from None
    if access.insecure:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def _told(error: Exception, timeout: int) -> str:
    if isinstance(error, TimeoutError):
        return f"it must answer within {timeout} s, found no answer"
    return f"it must be reached, found {getattr(error, 'strerror', None) or error or type(error).__name__}"


def _review(asked: Asked) -> Json:
    """The question: may this object be created?"""
    obj = asked.seen
    group, _, version = str(obj.get("apiVersion", "")).rpartition("/")
    kind, metadata = str(obj.get("kind", "")), obj.get("metadata")
    known: Any = metadata if isinstance(metadata, dict) else {}
    request = {
        "uid": _UID,
        "kind": {"group": group, "version": version, "kind": kind},
        "resource": {"group": group, "version": version, "resource": asked.resource},
        "name": known.get("name", ""),
        "namespace": known.get("namespace", ""),
        "operation": "CREATE",
        "userInfo": {},
        "object": obj,
        "oldObject": None,
        "dryRun": True,
    }
    return {**_TYPE, "request": request}


def _read(data: bytes) -> Answered:
    try:
        review: Any = loads(data.decode())
    except ValueError:
        raise ValidatorError(f"it must answer in JSON, found {short(data.decode(errors='replace'))}") from None
    known = review if isinstance(review, dict) and review.items() >= _TYPE.items() else {}
    response = known.get("response")
    if not isinstance(response, dict) or response.get("uid") != _UID:
        wanted = f"an AdmissionReview of {_TYPE['apiVersion']} that has a response"
        raise ValidatorError(f"it must answer with {wanted}, found {short(review)}")
    status = response.get("status")
    message = status.get("message", "") if isinstance(status, dict) else ""
    return answered({"allowed": response.get("allowed"), "message": message})
