"""A validating admission webhook as validator. It receives an AdmissionReview v1 over http or https.

Source: k8s.io/api/admission/v1, k8s.io/apiserver pkg/admission/plugin/webhook.
"""

from __future__ import annotations

import http.client
import json
import ssl
from urllib.parse import urlsplit

from protoc_gen_crd.admission.verdicts import Verdict
from protoc_gen_crd.testing.fuzz.admission_review import make_review, read_response
from protoc_gen_crd.testing.fuzz.external_validator import (
    Json,
    ValidationRequest,
    ValidatorError,
    ValidatorOptions,
    shorten,
)

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
            status, data = self._send(make_review(request))
        except (OSError, http.client.HTTPException) as error:
            self.close()
            if is_new or isinstance(error, TimeoutError):
                raise ValidatorError(_describe_error(error, self._access.timeout)) from None
            return self.validate(request)  # the other side may have closed the connection
        if status != http.client.OK:
            body = shorten(data.decode("utf-8", "replace"))
            raise ValidatorError(f"response has status {status}: {body}")
        return read_response(data)

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
