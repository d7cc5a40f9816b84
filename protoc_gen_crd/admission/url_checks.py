"""URL parsing as in the Go release that a Kubernetes version is built with: `golang.url` with switches."""

from __future__ import annotations

from protoc_gen_crd.admission.version_differences import STRICT_COLONS
from protoc_gen_crd.golang import url
from protoc_gen_crd.golang.url import Url, UrlError
from protoc_gen_crd.kubernetes.shared_results import Switches

__all__ = ["Url", "UrlError", "parse_request_uri", "parse_url"]


def parse_url(text: str, switches: Switches) -> Url:
    """Parse a URL or a relative reference. Raises UrlError."""
    return url.parse(text, strict=STRICT_COLONS in switches)


def parse_request_uri(text: str, switches: Switches) -> Url:
    """Parse an absolute URL or an absolute path. Raises UrlError."""
    return url.parse_request(text, strict=STRICT_COLONS in switches)
