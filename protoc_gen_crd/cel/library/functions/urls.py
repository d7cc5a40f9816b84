"""URLs as values. Source: k8s.io/apiserver pkg/cel/library/urls.go, pkg/cel/url.go."""

from __future__ import annotations

from collections.abc import Hashable
from typing import ClassVar

from protoc_gen_crd.cel.checker.types import Type
from protoc_gen_crd.cel.library.urls import URL
from protoc_gen_crd.cel.values.identity_key import IdentityKey
from protoc_gen_crd.cel.values.values import CelError, Map, Opaque, Value, make_no_such_overload
from protoc_gen_crd.golang import url as gourl


class CelUrl(Opaque):
    """A URL."""

    parts: gourl.Url
    cel_type: ClassVar[Type] = URL
    native_type: ClassVar[str] = "*url.URL"

    def get_key(self) -> Hashable:
        """Itself."""
        return IdentityKey(self)

    def equals(self, other: Value) -> bool:
        """Whether both are written alike in the end."""
        if not isinstance(other, CelUrl):
            raise make_no_such_overload()
        return str(self) == str(other)

    def __str__(self) -> str:
        return str(self.parts)


def parse_url(text: str) -> CelUrl:
    """Raises CelError."""
    return _parse_url(text, strict=True)


def parse_url_before_1_36(text: str) -> CelUrl:
    """The same before 1.36, where hosts of http may have several colons."""
    return _parse_url(text, strict=False)


def _parse_url(text: str, *, strict: bool) -> CelUrl:
    try:
        gourl.parse_request(text, strict=strict)
        return CelUrl(gourl.parse(text, strict=strict))
    except gourl.UrlError as fault:
        raise CelError(f"URL parse error during conversion from string: {fault}") from None


def is_url(text: str) -> bool:
    """Whether a text is an absolute URL or an absolute path."""
    return _can_parse_url(text, strict=True)


def is_url_before_1_36(text: str) -> bool:
    """The same before 1.36."""
    return _can_parse_url(text, strict=False)


def _can_parse_url(text: str, *, strict: bool) -> bool:
    try:
        gourl.parse_request(text, strict=strict)
    except gourl.UrlError:
        return False
    return True


def scheme(value: CelUrl) -> str:
    """In lower case."""
    return value.parts.scheme


def host(value: CelUrl) -> str:
    """With the port, and brackets around an IPv6 address."""
    return value.parts.host


def hostname(value: CelUrl) -> str:
    """Without."""
    return value.parts.hostname


def port(value: CelUrl) -> str:
    """Its digits."""
    return value.parts.port


def escaped_path(value: CelUrl) -> str:
    """As written where that was legal."""
    return value.parts.escaped_path


def get_query(value: CelUrl) -> Map:
    """The values of each parameter."""
    return Map.from_pairs(value.parts.parse_query().items())
