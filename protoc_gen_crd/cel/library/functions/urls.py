"""URLs as values. Source: k8s.io/apiserver pkg/cel/library/urls.go, pkg/cel/url.go."""

from __future__ import annotations

from collections.abc import Hashable
from typing import ClassVar

from protoc_gen_crd.base import gourl
from protoc_gen_crd.cel.identity import Itself
from protoc_gen_crd.cel.library.urls import URL
from protoc_gen_crd.cel.types import Type
from protoc_gen_crd.cel.values import CelError, Map, Opaque, Value, no_such_overload


class Url(Opaque):
    """A URL."""

    parts: gourl.Url
    cel_type: ClassVar[Type] = URL
    native_type: ClassVar[str] = "*url.URL"

    def key(self) -> Hashable:
        """Itself."""
        return Itself(self)

    def equals(self, other: Value) -> bool:
        """Whether both are written alike in the end."""
        if not isinstance(other, Url):
            raise no_such_overload()
        return str(self) == str(other)

    def __str__(self) -> str:
        return str(self.parts)


def url(text: str) -> Url:
    """Raises CelError."""
    return _url(text, strict=True)


def old_url(text: str) -> Url:
    """The same before 1.36, where hosts of http may have several colons."""
    return _url(text, strict=False)


def _url(text: str, *, strict: bool) -> Url:
    try:
        gourl.parse_request(text, strict=strict)
        return Url(gourl.parse(text, strict=strict))
    except gourl.UrlError as fault:
        raise CelError(f"URL parse error during conversion from string: {fault}") from None


def is_url(text: str) -> bool:
    """Whether a text is an absolute URL or an absolute path."""
    return _is_url(text, strict=True)


def old_is_url(text: str) -> bool:
    """The same before 1.36."""
    return _is_url(text, strict=False)


def _is_url(text: str, *, strict: bool) -> bool:
    try:
        gourl.parse_request(text, strict=strict)
    except gourl.UrlError:
        return False
    return True


def scheme(value: Url) -> str:
    """In lower case."""
    return value.parts.scheme


def host(value: Url) -> str:
    """With the port, and brackets around an IPv6 address."""
    return value.parts.host


def hostname(value: Url) -> str:
    """Without."""
    return value.parts.hostname


def port(value: Url) -> str:
    """Its digits."""
    return value.parts.port


def escaped_path(value: Url) -> str:
    """As written where that was legal."""
    return value.parts.escaped_path


def query(value: Url) -> Map:
    """The values of each parameter."""
    return Map.of(value.parts.parameters().items())
