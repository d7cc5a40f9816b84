"""The certificate and key that TLS uses, read from a folder again whenever they change there.

Files that vanish or do not fit each other are told, and those read before stay in use.
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

from protoc_gen_crd.webhook import metrics
from protoc_gen_crd.webhook.logs import log

CERTIFICATE, KEY = "tls.crt", "tls.key"
_PEM = re.compile(rb"-----BEGIN CERTIFICATE-----(.*?)-----END CERTIFICATE-----", re.DOTALL)
_VERSION, _UTC_TIME = 0xA0, 0x17

State = tuple[bytes, bytes] | str  # what both files hold, or why they cannot be read


class Certificates:
    """Raises OSError or ssl.SSLError where there is none to begin with."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._state = _state(folder)
        self._expires = 0.0
        self._told_expired = False
        self.context = _context()
        self._load()

    def begin(self) -> None:
        """Be what a process serves with: tell of it, and take up what has changed since it was read in another."""
        metrics.EXPIRY.set(self._expires)  # before anything else is counted, which would make it 0 in this process
        self.check()

    def check(self) -> None:
        """Take up files that have changed; to be called every second or so."""
        state = _state(self._folder)
        if state != self._state:
            self._state = state
            self._reload()
        if not self._told_expired and time.time() > self._expires:
            self._told_expired = True
            log(logging.ERROR, "the certificate has expired", expired=_shown(self._expires))

    def _reload(self) -> None:
        try:
            self._load()
        except (OSError, ValueError) as error:  # of the files, of what they hold
            metrics.RELOADS.labels("failed").inc()
            log(logging.ERROR, "the certificate cannot be read, the one before stays", reason=_reason(error))
            return
        metrics.EXPIRY.set(self._expires)
        metrics.RELOADS.labels("loaded").inc()
        log(logging.INFO, "the certificate was read again", expires=_shown(self._expires))

    def _load(self) -> None:
        """Read the files into the context that connections use, once they are known to fit each other."""
        # A mounted Secret changes by a link: names without it are of one moment.
        certificate, key = (os.path.realpath(self._folder / name) for name in (CERTIFICATE, KEY))
        expires, _ = _expiry(Path(certificate).read_bytes()), Path(key).read_bytes()  # errors that say which file
        _context().load_cert_chain(certificate, key, _no_password)
        self._expires = expires
        self.context.load_cert_chain(certificate, key, _no_password)
        self._told_expired = False


def fault(error: Exception) -> str:
    """What is wrong with files that cannot be used."""
    if isinstance(error, ssl.SSLError):
        return "found a key that cannot be read or is of another certificate"
    if isinstance(error, OSError):
        return f"found {Path(error.filename or '').name}: {error.strerror}"
    return f"found that {error}"


def _no_password() -> str:
    """What is asked for of an encrypted key, in place of somebody at a terminal."""
    raise ValueError("the key is encrypted, which it must not be")


def _context() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    return context


def _state(folder: Path) -> State:
    try:
        return (folder / CERTIFICATE).read_bytes(), (folder / KEY).read_bytes()
    except OSError as error:
        return _reason(error)


def _reason(error: Exception) -> str:
    return str(getattr(error, "reason", None) or getattr(error, "strerror", None) or error)


def _shown(seconds: float) -> str:
    return datetime.datetime.fromtimestamp(seconds, datetime.UTC).isoformat()


def _expiry(pem: bytes) -> float:
    """When the first certificate expires. Raises ValueError for none."""
    block = _PEM.search(pem)
    if block is None:
        raise ValueError("there is no certificate")
    return _not_after(base64.b64decode(block[1]))


def _not_after(der: bytes) -> float:
    """The end of a certificate's validity (RFC 5280): the only part of it that the standard library keeps to itself."""
    _, body, _ = _element(der, 0)
    _, at, _ = _element(der, body)
    tag, _, end = _element(der, at)
    for _ in range(3 if tag == _VERSION else 2):  # serial number, signature, issuer
        at = end
        tag, start, end = _element(der, at)
    _, start, _ = _element(der, end)
    _, _, before = _element(der, start)
    tag, start, end = _element(der, before)
    text = der[start:end].decode("ascii")
    if tag == _UTC_TIME:  # of two digits for the year
        text = f"{'19' if text >= '50' else '20'}{text}"
    return datetime.datetime.fromisoformat(f"{text[:8]}T{text[8:]}").timestamp()


def _element(der: bytes, at: int) -> tuple[int, int, int]:
    """The tag of the element at a place, where its content starts and ends."""
    if at + 2 > len(der):
        raise ValueError("the certificate ends too early")
    length, start = der[at + 1], at + 2
    if length & 0x80:
        size = length & 0x7F
        length, start = int.from_bytes(der[start : start + size]), start + size
    return der[at], start, start + length
