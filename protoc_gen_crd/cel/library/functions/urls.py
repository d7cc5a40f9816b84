"""URLs as values. Source: k8s.io/apiserver pkg/cel/library/urls.go, pkg/cel/url.go."""

from __future__ import annotations

from collections.abc import Hashable
from typing import ClassVar

from protoc_gen_crd.cel.checker.types import Type
from protoc_gen_crd.cel.library.declarations.urls import URL
from protoc_gen_crd.cel.values.identity_key import IdentityKey
from protoc_gen_crd.cel.values.runtime_values import CelError, Map, Opaque, Value, make_no_such_overload
from protoc_gen_crd.golang import url as gourl


class CelUrl(Opaque):
    """A URL."""

    parts: gourl.Url
    cel_type: ClassVar[Type] = URL
    native_type: ClassVar[str] = "*url.URL"

    def get_key(self) -> Hashable:
        """Return a key that equals only itself."""
        return IdentityKey(self)

    def equals(self, other: Value) -> bool:
        """Check whether both URLs have the same string form."""
        if not isinstance(other, CelUrl):
            raise make_no_such_overload()
        return str(self) == str(other)

    def __str__(self) -> str:
        return str(self.parts)


def parse_url(string: str) -> CelUrl:
    """Parse a URL. Raises CelError."""
    return _parse_url(string, strict=True)


def parse_url_before_1_36(string: str) -> CelUrl:
    """Parse a URL before 1.36, where hosts of http URLs may have several colons."""
    return _parse_url(string, strict=False)


def _parse_url(string: str, *, strict: bool) -> CelUrl:
    try:
        gourl.parse_request(string, strict=strict)
        return CelUrl(gourl.parse(string, strict=strict))
    except gourl.UrlError as fault:
        raise CelError(f"URL parse error during conversion from string: {fault}") from None


def is_url(string: str) -> bool:
    """Check whether a string is an absolute URL or an absolute path."""
    return _can_parse_url(string, strict=True)


def is_url_before_1_36(string: str) -> bool:
    """Evaluate `isURL` before 1.36."""
    return _can_parse_url(string, strict=False)


def _can_parse_url(string: str, *, strict: bool) -> bool:
    try:
        gourl.parse_request(string, strict=strict)
    except gourl.UrlError:
        return False
    return True


def scheme(value: CelUrl) -> str:
    """Return the scheme in lower case."""
    return value.parts.scheme


def host(value: CelUrl) -> str:
    """Return the host with its port, and with brackets around an IPv6 address."""
    return value.parts.host


def hostname(value: CelUrl) -> str:
    """Return the host without port and brackets."""
    return value.parts.hostname


def port(value: CelUrl) -> str:
    """Return the digits of the port."""
    return value.parts.port


def escaped_path(value: CelUrl) -> str:
    """Return the path as it was written, if that was valid."""
    return value.parts.escaped_path


def get_query(value: CelUrl) -> Map:
    """Return the values of each query parameter."""
    return Map.from_pairs(value.parts.parse_query().items())
