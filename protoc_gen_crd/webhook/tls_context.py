"""The certificate and key for TLS, reloaded from a folder when they change.

Missing or inconsistent files are logged, and the previous certificate stays in use.
"""

from __future__ import annotations

import base64
import datetime
import logging
import os
import re
import ssl
import time
from pathlib import Path

from protoc_gen_crd.base.input_files import read_file
from protoc_gen_crd.webhook import metrics
from protoc_gen_crd.webhook.logs import log

CERTIFICATE, KEY = "tls.crt", "tls.key"
_LOADED, _FAILED = "loaded", "failed"  # results of a reload
_PEM = re.compile(rb"-----BEGIN CERTIFICATE-----(.*?)-----END CERTIFICATE-----", re.DOTALL)
_VERSION, _UTC_TIME = 0xA0, 0x17

_MAX_FILE_SIZE = 2**20  # bytes of a file; etcd accepts no larger Secrets

FileState = tuple[bytes, bytes] | str  # the content of both files, or the error


class Certificates:
    """The certificate of a folder. Raises OSError or ssl.SSLError if there is no valid certificate initially."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._state = _read_state(folder)
        self._expires = 0.0
        self._reported_expiry = False
        self.context = _make_context()
        self._load()

    def start(self) -> None:
        """Start to serve in this process: record the metric, and load changes since the parent process has read it."""
        metrics.EXPIRY.set(self._expires)  # first: any other metric would set it to 0 in this process
        metrics.add_series(metrics.RELOADS, [(_LOADED,), (_FAILED,)])
        self.reload_if_changed()

    def reload_if_changed(self) -> None:
        """Load changed files; called about once a second."""
        state = _read_state(self._folder)
        if state != self._state:
            self._state = state
            self._reload()
        if not self._reported_expiry and time.time() > self._expires:
            self._reported_expiry = True
            log(logging.ERROR, "certificate expired", expired=_format_time(self._expires))

    def _reload(self) -> None:
        try:
            self._load()
        except (OSError, ValueError) as error:  # OSError of the files, ValueError of their content
            metrics.RELOADS.labels(_FAILED).inc()
            log(logging.ERROR, "cannot load the certificate, keeping the previous one", reason=_format_reason(error))
            return
        metrics.EXPIRY.set(self._expires)
        metrics.RELOADS.labels(_LOADED).inc()
        log(logging.INFO, "certificate reloaded", expires=_format_time(self._expires))

    def _load(self) -> None:
        """Load the files into the context of connections, after a check that they belong together."""
        # A mounted Secret is changed by a symbolic link: resolved paths are consistent.
        certificate, key = (os.path.realpath(self._folder / name) for name in (CERTIFICATE, KEY))
        expires, _ = _parse_expiry(_read_file(certificate)), _read_file(key)  # for errors that name the file
        _make_context().load_cert_chain(certificate, key, _reject_password_prompt)
        self._expires = expires
        self.context.load_cert_chain(certificate, key, _reject_password_prompt)
        self._reported_expiry = False


def describe_error(error: Exception) -> str:
    """Describe why the files cannot be used."""
    if isinstance(error, ssl.SSLError):
        return "the key is invalid or belongs to another certificate"
    if isinstance(error, OSError):
        return f"{Path(error.filename or '').name}: {error.strerror}"
    return str(error)


def _reject_password_prompt() -> str:
    """Reject encrypted keys instead of a password prompt."""
    raise ValueError("the key is encrypted")


def _make_context() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    return context


def _read_state(folder: Path) -> FileState:
    try:
        return _read_file(folder / CERTIFICATE), _read_file(folder / KEY)
    except OSError as error:
        return _format_reason(error)


def _read_file(path: Path | str) -> bytes:
    return read_file(path, limit=_MAX_FILE_SIZE)


def _format_reason(error: Exception) -> str:
    return str(getattr(error, "reason", None) or getattr(error, "strerror", None) or error)


def _format_time(seconds: float) -> str:
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC).isoformat()


def _parse_expiry(pem: bytes) -> float:
    """Return the expiry time of the first certificate. Raises ValueError if there is none."""
    block = _PEM.search(pem)
    if block is None:
        raise ValueError("the file contains no certificate")
    return _parse_not_after(base64.b64decode(block[1]))


def _parse_not_after(der: bytes) -> float:
    """Return the end of the validity of a certificate (RFC 5280), for which the standard library has no public API."""
    _, body, _ = _parse_element(der, 0)
    _, at, _ = _parse_element(der, body)
    tag, _, end = _parse_element(der, at)
    for _ in range(3 if tag == _VERSION else 2):  # serial number, signature, issuer
        at = end
        tag, start, end = _parse_element(der, at)
    _, start, _ = _parse_element(der, end)
    _, _, before = _parse_element(der, start)
    tag, start, end = _parse_element(der, before)
    time = der[start:end].decode("ascii")
    if tag == _UTC_TIME:  # two digits for the year
        time = f"{'19' if time >= '50' else '20'}{time}"
    return datetime.datetime.fromisoformat(f"{time[:8]}T{time[8:]}").timestamp()


def _parse_element(der: bytes, at: int) -> tuple[int, int, int]:
    """Return the tag of the element at an offset, and the start and the end of its content."""
    if at + 2 > len(der):
        raise ValueError("the certificate is truncated")
    length, start = der[at + 1], at + 2
    if length & 0x80:
        size = length & 0x7F
        length, start = int.from_bytes(der[start : start + size]), start + size
    return der[at], start, start + length
