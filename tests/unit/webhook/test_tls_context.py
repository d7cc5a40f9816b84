"""Expiry of certificates, compared with the parser of the standard library."""

from __future__ import annotations

import ssl
from pathlib import Path

import pytest
from prometheus_client import REGISTRY

from protoc_gen_crd.webhook.tls_context import Certificates, _parse_expiry
from tests.support.serving import CERTIFICATES

FILES = [CERTIFICATES / "ca.crt", *sorted(CERTIFICATES.glob("*/tls.crt"))]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_expiry(path: Path) -> None:
    decoded = ssl._ssl._test_decode_cert(str(path))  # type: ignore[attr-defined]
    assert _parse_expiry(path.read_bytes()) == ssl.cert_time_to_seconds(decoded["notAfter"])


@pytest.mark.parametrize("length", [0, 10, 200, 300])
def test_invalid_certificates(length: int) -> None:
    data = (CERTIFICATES / "first" / "tls.crt").read_bytes()
    with pytest.raises(ValueError, match="certificate"):
        _parse_expiry(data[:length])
    with pytest.raises(ValueError, match="certificate"):
        _parse_expiry(b"-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n")


def test_reloads_are_counted_from_zero_so_that_alerts_see_the_first() -> None:
    Certificates(CERTIFICATES / "first").start()
    for result in ("loaded", "failed"):
        assert REGISTRY.get_sample_value("crd_webhook_certificate_reloads_total", {"result": result}) == 0


def test_nobody_is_asked_for_the_password_of_a_key() -> None:
    with pytest.raises(ValueError, match="the key is encrypted"):
        Certificates(CERTIFICATES.parent / "encrypted")
