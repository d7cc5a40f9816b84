"""Parsing and formatting of URLs as in Go's net/url, with its error messages.

Bytes that are not UTF-8, which only escapes produce, are surrogates in strings. Source: Go 1.26 net/url url.go.
"""

from __future__ import annotations

import re
from functools import cache

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.golang.fmt import quote
from protoc_gen_crd.golang.netip import AddressError, parse_address

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)?:")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_ESCAPE = re.compile(rb"%([0-9a-fA-F]{2})")
_BAD_ESCAPE = re.compile(r"%(?![0-9a-fA-F]{2})")
_PORT = re.compile(r"(:\d*)?\Z", re.ASCII)
_USER = re.compile(r"[-A-Za-z0-9._:~!$&'()*+,;=%@]*\Z")

# Characters that need no escape in the parts of a URL, besides letters and digits.
_UNESCAPED_CHARACTERS = {
    "path": "$&,-./:;=@_~+", "host": "!\"$&'()*+,-.:;<=>[]_~", "user": "$&+,-.;=_~", "query": "-._~",
    "fragment": "!$&()*+,-./:;=?@_~",
}  # fmt: skip
_NEVER_IN_HOSTS = rf"%(?!25)[0-7]|[^A-Za-z0-9%\x80-\U0010ffff{re.escape(_UNESCAPED_CHARACTERS['host'])}]"
_LEGAL = {"path": r"[\w$&,\-./:;=@~+!'()*\[\]%]*", "fragment": r"[\w$&,\-./:;=@~+!'()*\[\]%?]*"}
_MAX_PARAMETERS = 10000


@cache
def _compile_safe(part: str) -> re.Pattern[bytes]:
    """Return the pattern of characters that need no escape in a part of a URL."""
    return re.compile(f"[A-Za-z0-9{re.escape(_UNESCAPED_CHARACTERS[part])}]".encode())


class UrlError(Exception):
    """A string that is not a URL; the message is Go's."""


class Url(Record):
    """The parts of a URL. `user` is None if the URL has none; `raw_path` and `raw_fragment` are as written."""

    scheme: str = ""
    host: str = ""
    user: str | None = None
    query: str = ""
    fragment: str = ""
    path: str = ""
    opaque: str = ""
    raw_path: str = ""
    raw_fragment: str = ""
    has_query_mark: bool = False
    omits_host: bool = False

    @property
    def hostname(self) -> str:
        """The host without its port and brackets."""
        return self._split_host()[0]

    @property
    def port(self) -> str:
        """The port's digits."""
        return self._split_host()[1]

    def _split_host(self) -> tuple[str, str]:
        name, colon, port = self.host.rpartition(":")
        if not colon or not _PORT.match(f":{port}"):
            name, port = self.host, ""
        return (name[1:-1] if name.startswith("[") and name.endswith("]") else name), port

    @property
    def escaped_path(self) -> str:
        """The path as written if that is valid, otherwise as Go escapes it."""
        return "*" if self.path == "*" else _keep_valid_escapes(self.raw_path, self.path, "path")

    def parse_query(self) -> dict[str, list[str]]:
        """Return the values of the query by key, without invalid pairs."""
        values: dict[str, list[str]] = {}
        pairs = self.query.split("&")
        for pair in pairs if len(pairs) <= _MAX_PARAMETERS else []:
            key, _, value = pair.partition("=")
            if pair and ";" not in pair and not _BAD_ESCAPE.search(pair):
                values.setdefault(_decode(key.replace("+", " ")), []).append(_decode(value.replace("+", " ")))
        return values

    def __str__(self) -> str:
        start = f"{self.scheme}:" if self.scheme else ""
        query = f"?{self.query}" if self.has_query_mark or self.query else ""
        fragment = f"#{_keep_valid_escapes(self.raw_fragment, self.fragment, 'fragment')}" if self.fragment else ""
        return start + (self.opaque or self._format_authority() + self._format_path(start)) + query + fragment

    def _format_authority(self) -> str:
        has_authority = self.host or self.user is not None
        if not has_authority and (self.omits_host or not self.scheme or not self.path):
            return ""
        user = "" if self.user is None else f"{self.user}@"
        return f"//{user}{escape(self.host, 'host')}"

    def _format_path(self, start: str) -> str:
        path = self.escaped_path
        if path and not path.startswith("/") and self.host:
            return f"/{path}"
        is_first = not start and not self._format_authority()
        return f"./{path}" if is_first and ":" in path.partition("/")[0] else path


def parse(string: str, *, strict: bool) -> Url:
    """Parse a URL or a reference. With `strict`, the host of an http URL has at most one colon. Raises UrlError."""
    start, _, fragment = string.partition("#")
    url = _parse_with_context(start, strict=strict, request=False)
    if not fragment:
        return url
    try:
        plain = _unescape(fragment)
    except UrlError as error:
        raise UrlError(f"parse {quote(string)}: {error}") from None
    return url.replace(fragment=plain, raw_fragment="" if escape(plain, "fragment") == fragment else fragment)


def parse_request(string: str, *, strict: bool) -> Url:
    """Parse an absolute URL or an absolute path. Raises UrlError."""
    return _parse_with_context(string, strict=strict, request=True)


def escape(string: str, part: str) -> str:
    """Escape a string for a part of a URL: path, host, user, query or fragment."""
    safe = _compile_safe(part)
    return "".join([chr(byte) if safe.match(bytes([byte])) else f"%{byte:02X}" for byte in _encode(string)])


def _keep_valid_escapes(raw: str, plain: str, part: str) -> str:
    return raw if raw and re.fullmatch(_LEGAL[part], raw, re.ASCII) else escape(plain, part)


def _parse_with_context(string: str, *, strict: bool, request: bool) -> Url:
    try:
        return _parse(string, strict=strict, request=request)
    except UrlError as error:
        raise UrlError(f"parse {quote(string)}: {error}") from None


def _parse(string: str, *, strict: bool, request: bool) -> Url:
    if _CONTROL.search(string):
        raise UrlError("net/url: invalid control character in URL")
    if not string and request:
        raise UrlError("empty url")
    if string == "*":
        return Url(path="*")
    scheme, rest = _split_scheme(string)
    rest, mark, query = rest.partition("?")
    has_query_mark = bool(mark) and not query
    if not rest.startswith("/"):
        if scheme:
            return Url(scheme, query=query, opaque=rest, has_query_mark=has_query_mark)
        if request:
            raise UrlError("invalid URI for request")
        if ":" in rest.partition("/")[0]:
            raise UrlError("first path segment in URL cannot contain colon")
    host, user = "", None
    has_authority = rest.startswith("//") and bool(scheme or (not request and not rest.startswith("///")))
    if has_authority:
        authority, slash, rest = rest[2:].partition("/")
        user, host = _split_authority(authority, strict=strict and scheme in ("http", "https"))
        rest = slash + rest
    path = _unescape(rest)
    raw = "" if escape(path, "path") == rest else rest
    omits_host = not has_authority and bool(scheme) and rest.startswith("/")
    return Url(scheme, host, user, query, path=path, raw_path=raw, has_query_mark=has_query_mark, omits_host=omits_host)


def _split_scheme(string: str) -> tuple[str, str]:
    match = _SCHEME.match(string)
    if match is None:
        return "", string
    if not match.group(1):
        raise UrlError("missing protocol scheme")
    return match.group(1).lower(), string[match.end() :]


def _split_authority(string: str, *, strict: bool) -> tuple[str | None, str]:
    user, at, host = string.rpartition("@")
    host = _parse_host(host, strict=strict)
    if not at:
        return None, host
    if not _USER.match(user):
        raise UrlError("net/url: invalid userinfo")
    return ":".join([escape(_unescape(part), "user") for part in user.split(":", 1)]), host


def _parse_host(host: str, *, strict: bool) -> str:
    opening = host.rfind("[")
    if opening > 0:
        raise UrlError("invalid IP-literal")
    if opening == 0:
        return _parse_ip_literal(host)
    colon = host.find(":") if strict else host.rfind(":")
    if colon >= 0 and not _PORT.match(host[colon:]):
        raise UrlError(f"invalid port {quote(host[colon:])} after host")
    return _unescape(host, host=True)


def _parse_ip_literal(host: str) -> str:
    closing = host.rfind("]")
    if closing < 0:
        raise UrlError("missing ']' in host")
    port = host[closing + 1 :]
    if not _PORT.match(port):
        raise UrlError(f"invalid port {quote(port)} after host")
    name, percent, zone = host[1:closing].partition("%25")
    address = _unescape(name, host=True) + _unescape_zone(percent + zone)
    try:
        if parse_address(address).bits == 32:
            raise UrlError("invalid IP-literal")
    except AddressError as error:
        raise UrlError(f"invalid host: {error}") from None
    return f"[{address}]{port}"


def _unescape(string: str, *, host: bool = False) -> str:
    """Decode the escapes of a part of a URL. Raises UrlError for the first invalid character or escape."""
    errors = [_BAD_ESCAPE.search(string), re.search(_NEVER_IN_HOSTS, string) if host else None]
    first = min([error.start() for error in errors if error], default=-1)
    if first >= 0:
        raise _make_error(string, first)
    return _decode(string)


def _unescape_zone(string: str) -> str:
    """Decode the zone of an IPv6 address. Escapes are valid only for unescaped characters, % and space."""
    for at, char in enumerate(string):
        if char == "%":
            value = _ESCAPE.match(_encode(string[at : at + 3]))
            if value is None or not (value[1] in (b"25", b"20") or _compile_safe("host").match(_decode_byte(value[1]))):
                raise _make_error(string, at)
        elif ord(char) < 0x80 and not _compile_safe("host").match(_encode(char)):
            raise _make_error(string, at)
    return _decode(string)


def _make_error(string: str, at: int) -> UrlError:
    if string[at] != "%":
        return UrlError(f"invalid character {quote(string[at])} in host name")
    return UrlError(f"invalid URL escape {quote(_encode(string[at:])[:3].decode('utf-8', 'surrogateescape'))}")


def _decode(string: str) -> str:
    """Decode escapes, all of which are valid."""
    plain = _ESCAPE.sub(lambda escape_match: _decode_byte(escape_match[1]), _encode(string))
    return plain.decode("utf-8", "surrogateescape")


def _decode_byte(digits: bytes) -> bytes:
    return bytes([int(digits, 16)])


def _encode(string: str) -> bytes:
    return string.encode("utf-8", "surrogateescape")
