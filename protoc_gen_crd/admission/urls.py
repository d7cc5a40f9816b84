"""URLs as Go's net/url reads them, as far as admission asks: parts, and the texts of what is wrong.

Source: Go 1.26 net/url url.go (Parse, ParseRequestURI).
"""

from __future__ import annotations

import ipaddress
import re

from protoc_gen_crd.admission.switches import STRICT_COLONS, Switches
from protoc_gen_crd.base.gotext import quote
from protoc_gen_crd.base.record import Record

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)?:")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_ESCAPE = re.compile(r"%(..)?")
_PORT = re.compile(r"(:\d*)?\Z", re.ASCII)
_USER = re.compile(r"[-A-Za-z0-9._:~!$&'()*+,;=%@]*\Z")
_HOST_BYTE = re.compile(r"[^\x00-\x7f]|[-A-Za-z0-9._~!$&'()*+,;=:\[\]<>\"%]")
_HEX = frozenset("0123456789abcdefABCDEF")


class UrlError(Exception):
    """Why a text is no URL; the message is Go's."""


class Url(Record):
    """The parts that admission looks at; user is None where the URL names none."""

    scheme: str = ""
    host: str = ""
    user: str | None = None
    query: str = ""
    fragment: str = ""


def parse(text: str, switches: Switches) -> Url:
    """Any URL or reference. Raises UrlError."""
    start, _, fragment = text.partition("#")
    url = _described(start, switches, request=False)
    try:
        _unescape(fragment)
    except UrlError as fault:
        raise UrlError(f"parse {quote(text)}: {fault}") from None
    return url.replace(fragment=fragment)


def parse_request(text: str, switches: Switches) -> Url:
    """An absolute URL or an absolute path. Raises UrlError."""
    return _described(text, switches, request=True)


def _described(text: str, switches: Switches, *, request: bool) -> Url:
    try:
        return _parse(text, switches, request=request)
    except UrlError as fault:
        raise UrlError(f"parse {quote(text)}: {fault}") from None


def _parse(text: str, switches: Switches, *, request: bool) -> Url:
    if _CONTROL.search(text):
        raise UrlError("net/url: invalid control character in URL")
    if not text and request:
        raise UrlError("empty url")
    if text == "*":
        return Url()
    scheme, rest = _scheme(text)
    rest, _, query = rest.partition("?")
    if not rest.startswith("/"):
        if scheme:
            return Url(scheme, query=query)
        if request:
            raise UrlError("invalid URI for request")
        if ":" in rest.partition("/")[0]:
            raise UrlError("first path segment in URL cannot contain colon")
    host, user = "", None
    if rest.startswith("//") and (scheme or (not request and not rest.startswith("///"))):
        authority, slash, rest = rest[2:].partition("/")
        strict = scheme in ("http", "https") and STRICT_COLONS in switches
        user, host = _authority(authority, strict=strict)
        rest = slash + rest
    _unescape(rest)
    return Url(scheme, host, user, query)


def _scheme(text: str) -> tuple[str, str]:
    match = _SCHEME.match(text)
    if match is None:
        return "", text
    if not match.group(1):
        raise UrlError("missing protocol scheme")
    return match.group(1).lower(), text[match.end() :]


def _authority(text: str, *, strict: bool) -> tuple[str | None, str]:
    user, at, host = text.rpartition("@")
    host = _host(host, strict=strict)
    if not at:
        return None, host
    if not _USER.match(user):
        raise UrlError("net/url: invalid userinfo")
    return ":".join(_unescape(part) for part in user.split(":", 1)), host


def _host(host: str, *, strict: bool) -> str:
    opening = host.rfind("[")
    if opening > 0:
        raise UrlError("invalid IP-literal")
    if opening == 0:
        return _literal(host)
    colon = host.find(":") if strict else host.rfind(":")
    if colon >= 0 and not _PORT.match(host[colon:]):
        raise UrlError(f"invalid port {quote(host[colon:])} after host")
    return _unescape(host, host=True)


def _literal(host: str) -> str:
    closing = host.rfind("]")
    if closing < 0:
        raise UrlError("missing ']' in host")
    port = host[closing + 1 :]
    if not _PORT.match(port):
        raise UrlError(f"invalid port {quote(port)} after host")
    address = _unescape(host[1:closing].partition("%25")[0], host=True)
    try:
        ipaddress.IPv6Address(address)
    except ValueError:
        raise UrlError(f"invalid host: ParseAddr({quote(address)}): unable to parse IP") from None
    return f"[{address}]{port}"


def _unescape(text: str, *, host: bool = False) -> str:
    """The text itself; only what cannot be unescaped matters here. Raises UrlError."""
    position = 0
    while position < len(text):
        char = text[position]
        if char == "%":
            escape = text[position : position + 3]
            if len(escape) < 3 or not set(escape[1:]) <= _HEX or (host and escape[1] < "8" and escape != "%25"):
                raise UrlError(f"invalid URL escape {quote(escape)}")
            position += 2
        elif host and not _HOST_BYTE.match(char):
            raise UrlError(f"invalid character {quote(char)} in host name")
        position += 1
    return text
