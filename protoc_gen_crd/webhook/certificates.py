"""The certificate and key that TLS uses, read from a folder again whenever they change there.

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
_PEM = re.compile(rb"-----BEGIN CERTIFICATE-----(.*?)-----END CERTIFICATE-----", re.DOTALL)
_VERSION, _UTC_TIME = 0xA0, 0x17

_MAX_FILE_SIZE = 2**20  # bytes of a file, which etcd accepts of a Secret

FileState = tuple[bytes, bytes] | str  # what both files hold, or why they cannot be read


class Certificates:
    """Raises OSError or ssl.SSLError where there is none to begin with."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._state = _read_state(folder)
        self._expires = 0.0
        self._reported_expiry = False
        self.context = _make_context()
        self._load()

    def start(self) -> None:
        """Be what a process serves with: tell of it, and take up what has changed since it was read in another."""
        metrics.EXPIRY.set(self._expires)  # before anything else is counted, which would make it 0 in this process
        self.reload_if_changed()

    def reload_if_changed(self) -> None:
        """Take up files that have changed; to be called every second or so."""
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
        except (OSError, ValueError) as error:  # of the files, of what they hold
            metrics.RELOADS.labels("failed").inc()
            log(logging.ERROR, "cannot load the certificate, keeping the previous one", reason=_format_reason(error))
            return
        metrics.EXPIRY.set(self._expires)
        metrics.RELOADS.labels("loaded").inc()
        log(logging.INFO, "certificate reloaded", expires=_format_time(self._expires))

    def _load(self) -> None:
        """Read the files into the context that connections use, once they are known to fit each other."""
        # A mounted Secret changes by a link: names without it are of one moment.
        certificate, key = (os.path.realpath(self._folder / name) for name in (CERTIFICATE, KEY))
        expires, _ = _parse_expiry(_read_file(certificate)), _read_file(key)  # errors that say which file
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
    """The end of a certificate's validity (RFC 5280): the only part of it that the standard library keeps to itself."""
    _, body, _ = _parse_element(der, 0)
    _, at, _ = _parse_element(der, body)
    tag, _, end = _parse_element(der, at)
    for _ in range(3 if tag == _VERSION else 2):  # serial number, signature, issuer
        at = end
        tag, start, end = _parse_element(der, at)
    _, start, _ = _parse_element(der, end)
    _, _, before = _parse_element(der, start)
    tag, start, end = _parse_element(der, before)
    text = der[start:end].decode("ascii")
    if tag == _UTC_TIME:  # of two digits for the year
        text = f"{'19' if text >= '50' else '20'}{text}"
    return datetime.datetime.fromisoformat(f"{text[:8]}T{text[8:]}").timestamp()


def _parse_element(der: bytes, at: int) -> tuple[int, int, int]:
    """The tag of the element at a place, where its content starts and ends."""
    if at + 2 > len(der):
        raise ValueError("the certificate is truncated")
    length, start = der[at + 1], at + 2
    if length & 0x80:
        size = length & 0x7F
        length, start = int.from_bytes(der[start : start + size]), start + size
    return der[at], start, start + length
