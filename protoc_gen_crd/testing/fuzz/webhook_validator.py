"""A validating admission webhook as validator, asked as a server asks it: by AdmissionReview v1 over http or https.

Source: k8s.io/api/admission/v1, k8s.io/apiserver pkg/admission/plugin/webhook.
"""

from __future__ import annotations

import http.client
import json
import ssl
from typing import Any
from urllib.parse import urlsplit

from protoc_gen_crd.base.bounded_json import parse_json
from protoc_gen_crd.testing.fuzz.external_validator import (
    ExternalVerdict,
    Json,
    ValidationRequest,
    ValidatorError,
    ValidatorOptions,
    parse_verdict,
    shorten,
)

_UID = "00000000-0000-0000-0000-000000000001"
_TYPE = {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview"}
_MAX_RESPONSE_SIZE = 1 << 24  # bytes of an answer


class WebhookValidator:
    """Keeps its connection. Raises ValueError for an address that is none."""

    def __init__(self, address: str, access: ValidatorOptions) -> None:
        parts = urlsplit(address)
        if not parts.hostname:
            raise ValueError("an address must name a host")
        self._host, self._port, self._access = parts.hostname, parts.port, access
        self._path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        self._trust = _make_ssl_context(access) if parts.scheme == "https" else None
        self._connection: http.client.HTTPConnection | None = None

    def validate(self, request: ValidationRequest) -> ExternalVerdict:
        """See External."""
        fresh = self._connection is None
        try:
            status, data = self._send(_make_review(request))
        except (OSError, http.client.HTTPException) as error:
            self.close()
            if fresh or isinstance(error, TimeoutError):
                raise ValidatorError(_describe_error(error, self._access.timeout)) from None
            return self.validate(request)  # a connection that was kept may have been closed at the other end
        if status != http.client.OK:
            said = shorten(data.decode("utf-8", "replace"))
            raise ValidatorError(f"it must answer with status 200, found {status}: {said}")
        return _read_response(data)

    def _send(self, review: Json) -> tuple[int, bytes]:
        if self._connection is None:
            self._connection = self._open_connection()
        body = json.dumps(review).encode()
        self._connection.request("POST", self._path, body, {"Content-Type": "application/json"})
        response = self._connection.getresponse()
        return response.status, response.read(_MAX_RESPONSE_SIZE)

    def _open_connection(self) -> http.client.HTTPConnection:
        timeout = self._access.timeout
        if self._trust is None:
            return http.client.HTTPConnection(self._host, self._port, timeout=timeout)
        return http.client.HTTPSConnection(self._host, self._port, timeout=timeout, context=self._trust)

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
            self._connection = None


def _make_ssl_context(access: ValidatorOptions) -> ssl.SSLContext:
    """Raises OSError for a CA file that cannot be read, ValueError for one that holds no certificates."""
    try:
        context = ssl.create_default_context(cafile=access.ca_file or None)
    except ssl.SSLError:
        raise ValueError(f'"{access.ca_file}" must hold certificates') from None
    if access.insecure:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def _describe_error(error: Exception, timeout: int) -> str:
    if isinstance(error, TimeoutError):
        return f"it must answer within {timeout} s, found no answer"
    return f"it must be reached, found {getattr(error, 'strerror', None) or error or type(error).__name__}"


def _make_review(asked: ValidationRequest) -> Json:
    """The question: may this object be created?"""
    obj = asked.admitted_object
    group, _, version = str(obj.get("apiVersion", "")).rpartition("/")
    kind, metadata = str(obj.get("kind", "")), obj.get("metadata")
    known: Any = metadata if isinstance(metadata, dict) else {}
    request = {
        "uid": _UID,
        "kind": {"group": group, "version": version, "kind": kind},
        "resource": {"group": group, "version": version, "resource": asked.plural},
        "name": known.get("name", ""),
        "namespace": known.get("namespace", ""),
        "operation": "CREATE",
        "userInfo": {},
        "object": obj,
        "oldObject": None,
        "dryRun": True,
    }
    return {**_TYPE, "request": request}


def _read_response(data: bytes) -> ExternalVerdict:
    try:
        review: Any = parse_json(data.decode())
    except ValueError:
        raise ValidatorError(f"it must answer in JSON, found {shorten(data.decode(errors='replace'))}") from None
    known = review if isinstance(review, dict) and review.items() >= _TYPE.items() else {}
    response = known.get("response")
    if not isinstance(response, dict) or response.get("uid") != _UID:
        wanted = f"an AdmissionReview of {_TYPE['apiVersion']} that has a response"
        raise ValidatorError(f"it must answer with {wanted}, found {shorten(review)}")
    status = response.get("status")
    message = status.get("message", "") if isinstance(status, dict) else ""
    return parse_verdict({"allowed": response.get("allowed"), "message": message})
