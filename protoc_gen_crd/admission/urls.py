"""URLs as the Go of a Kubernetes version reads them: `base.gourl` with switches."""

from __future__ import annotations

from protoc_gen_crd.admission.switches import STRICT_COLONS, Switches
from protoc_gen_crd.base import gourl
from protoc_gen_crd.base.gourl import Url, UrlError

__all__ = ["Url", "UrlError", "parse", "parse_request"]


def parse(text: str, switches: Switches) -> Url:
    """Any URL or reference. Raises UrlError."""
    return gourl.parse(text, strict=STRICT_COLONS in switches)


def parse_request(text: str, switches: Switches) -> Url:
    """An absolute URL or an absolute path. Raises UrlError."""
    return gourl.parse_request(text, strict=STRICT_COLONS in switches)
