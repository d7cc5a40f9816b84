"""Validation of the CA bundles of conversion webhooks, as Go parses them.

Source: k8s.io/client-go transport transport.go (rootCertPool), Go encoding/pem and crypto/x509.
"""

from __future__ import annotations

import base64
import binascii
import re
import ssl

from protoc_gen_crd.golang import base64 as gobase64

_BLOCK = re.compile(
    rb"(?:^|\n)-----BEGIN ([^\n]*?)-----[ \t]*\r?\n(.*?)\n?-----END \1-----[ \t]*\r?(?:\n|$)", re.DOTALL
)
_HEADER = re.compile(rb"^[^\n:]+:", re.MULTILINE)


def find_bundle_error(encoded: str) -> str | None:
    """Return the server's error for a bundle in base64, None for a valid one."""
    bundle = gobase64.decode(encoded)
    reason = "no valid certificate authority data seen"
    for name, body in _split_pem_blocks(bundle):
        if name is None:
            return _format_load_error("unable to parse bytes as PEM block")
        if name != b"CERTIFICATE" or _HEADER.match(body):
            continue
        if _is_certificate(body):
            return None
        reason = "failed to parse certificate: x509: malformed certificate"
    return _format_load_error(reason)


def _format_load_error(reason: str) -> str:
    return f"unable to load root certificates: {reason}"


def _split_pem_blocks(bundle: bytes) -> list[tuple[bytes | None, bytes]]:
    """Split a bundle into PEM blocks; remaining bytes are a block without a name."""
    blocks: list[tuple[bytes | None, bytes]] = []
    end = 0
    for match in _BLOCK.finditer(bundle):
        blocks.append((match.group(1), match.group(2)))
        end = match.end()
    if end < len(bundle):
        blocks.append((None, b""))
    return blocks


def _is_certificate(body: bytes) -> bool:
    try:
        der = base64.b64decode(re.sub(rb"\s", b"", body), validate=True)
        ssl.create_default_context(cadata=der)
    except (binascii.Error, ssl.SSLError, ValueError):
        return False
    return True
