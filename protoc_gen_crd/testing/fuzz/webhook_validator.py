"""A validating admission webhook as validator. It receives an AdmissionReview v1 over http or https.

Source: k8s.io/api/admission/v1, k8s.io/apiserver pkg/admission/plugin/webhook.
"""

from __future__ import annotations

import http.client
import json
import ssl
from typing import Any
from urllib.parse import urlsplit

from protoc_gen_crd.admission.verdicts import Verdict
from protoc_gen_crd.base.bounded_json import parse_json
from protoc_gen_crd.testing.fuzz.external_validator import (
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
    """Calls the webhook on a persistent connection. Raises ValueError for an invalid address."""

    def __init__(self, address: str, access: ValidatorOptions) -> None:
        parts = urlsplit(address)
        if not parts.hostname:
            raise ValueError("address has no host")
        self._host, self._port, self._access = parts.hostname, parts.port, access
        self._path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        self._trust = _make_ssl_context(access) if parts.scheme == "https" else None
        self._connection: http.client.HTTPConnection | None = None

    def validate(self, request: ValidationRequest) -> Verdict:
        """Validate a document; see ExternalValidator."""
        is_new = self._connection is None
        try:
            status, data = self._send(_make_review(request))
        except (OSError, http.client.HTTPException) as error:
            self.close()
            if is_new or isinstance(error, TimeoutError):
                raise ValidatorError(_describe_error(error, self._access.timeout)) from None
            return self.validate(request)  # the other side may have closed the connection
        if status != http.client.OK:
            body = shorten(data.decode("utf-8", "replace"))
            raise ValidatorError(f"response has status {status}: {body}")
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
    """Make the SSL context. Raises OSError if the CA file cannot be read, ValueError if it has no certificates."""
    try:
        context = ssl.create_default_context(cafile=access.ca_file or None)
    except ssl.SSLError:
        raise ValueError(f'"{access.ca_file}" contains no certificates') from None
    if access.insecure:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def _describe_error(error: Exception, timeout: int) -> str:
    if isinstance(error, TimeoutError):
        return f"no answer within {timeout} s"
    return f"cannot connect: {getattr(error, 'strerror', None) or error or type(error).__name__}"


def _make_review(validation: ValidationRequest) -> Json:
    """Make the AdmissionReview for the creation of an object."""
    obj = validation.admitted_object
    group, _, version = str(obj.get("apiVersion", "")).rpartition("/")
    kind, metadata = str(obj.get("kind", "")), obj.get("metadata")
    fields: Any = metadata if isinstance(metadata, dict) else {}
    request = {
        "uid": _UID,
        "kind": {"group": group, "version": version, "kind": kind},
        "resource": {"group": group, "version": version, "resource": validation.plural},
        "name": fields.get("name", ""),
        "namespace": fields.get("namespace", ""),
        "operation": "CREATE",
        "userInfo": {},
        "object": obj,
        "oldObject": None,
        "dryRun": True,
    }
    return {**_TYPE, "request": request}


def _read_response(data: bytes) -> Verdict:
    try:
        review: Any = parse_json(data.decode())
    except ValueError:
        raise ValidatorError(f"answer is not JSON: {shorten(data.decode(errors='replace'))}") from None
    admission_review = review if isinstance(review, dict) and review.items() >= _TYPE.items() else {}
    response = admission_review.get("response")
    if not isinstance(response, dict) or response.get("uid") != _UID:
        expected = f"an AdmissionReview of {_TYPE['apiVersion']} with a response"
        raise ValidatorError(f"answer is not {expected}: {shorten(review)}")
    status = response.get("status")
    message = status.get("message", "") if isinstance(status, dict) else ""
    return parse_verdict({"allowed": response.get("allowed"), "message": message})
