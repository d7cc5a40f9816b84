"""URLs as Go's net/url reads and writes them, and the texts of what is wrong.

Bytes that are no UTF-8, which only escapes bring, are surrogates in our texts. Source: Go 1.26 net/url url.go.
"""

from __future__ import annotations

import re

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.golang.fmt import quote
from protoc_gen_crd.golang.netip import AddressError, parse_address

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)?:")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")
_ESCAPE = re.compile(rb"%([0-9a-fA-F]{2})")
_BAD_ESCAPE = re.compile(r"%(?![0-9a-fA-F]{2})")
_PORT = re.compile(r"(:\d*)?\Z", re.ASCII)
_USER = re.compile(r"[-A-Za-z0-9._:~!$&'()*+,;=%@]*\Z")

# What needs no escape in the parts of a URL, besides letters and digits.
_UNESCAPED_CHARACTERS = {
    "path": "$&,-./:;=@_~+", "host": "!\"$&'()*+,-.:;<=>[]_~", "user": "$&+,-.;=_~", "query": "-._~",
    "fragment": "!$&()*+,-./:;=?@_~",
}  # fmt: skip
_SAFE = {part: re.compile(f"[A-Za-z0-9{re.escape(plain)}]".encode()) for part, plain in _UNESCAPED_CHARACTERS.items()}
_NEVER_IN_HOSTS = re.compile(rf"%(?!25)[0-7]|[^A-Za-z0-9%\x80-\U0010ffff{re.escape(_UNESCAPED_CHARACTERS['host'])}]")
_LEGAL = {"path": re.compile(r"[\w$&,\-./:;=@~+!'()*\[\]%]*", re.ASCII)}
_LEGAL["fragment"] = re.compile(r"[\w$&,\-./:;=@~+!'()*\[\]%?]*", re.ASCII)
_MAX_PARAMETERS = 10000


class UrlError(Exception):
    """Why a text is no URL; the message is Go's."""


class Url(Record):
    """The parts; user is None where the URL names none, `raw_path` and `raw_fragment` are as written."""

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
        """The path as written where that was legal, else as Go writes it."""
        return "*" if self.path == "*" else _keep_valid_escapes(self.raw_path, self.path, "path")

    def parse_query(self) -> dict[str, list[str]]:
        """What the query says; what cannot be read of it is left out."""
        found: dict[str, list[str]] = {}
        pairs = self.query.split("&")
        for pair in pairs if len(pairs) <= _MAX_PARAMETERS else []:
            key, _, value = pair.partition("=")
            if pair and ";" not in pair and not _BAD_ESCAPE.search(pair):
                found.setdefault(_decode(key.replace("+", " ")), []).append(_decode(value.replace("+", " ")))
        return found

    def __str__(self) -> str:
        start = f"{self.scheme}:" if self.scheme else ""
        query = f"?{self.query}" if self.has_query_mark or self.query else ""
        fragment = f"#{_keep_valid_escapes(self.raw_fragment, self.fragment, 'fragment')}" if self.fragment else ""
        return start + (self.opaque or self._format_authority() + self._format_path(start)) + query + fragment

    def _format_authority(self) -> str:
        named = self.host or self.user is not None
        if not named and (self.omits_host or not self.scheme or not self.path):
            return ""
        user = "" if self.user is None else f"{self.user}@"
        return f"//{user}{escape(self.host, 'host')}"

    def _format_path(self, start: str) -> str:
        path = self.escaped_path
        if path and not path.startswith("/") and self.host:
            return f"/{path}"
        alone = not start and not self._format_authority()
        return f"./{path}" if alone and ":" in path.partition("/")[0] else path


def parse(text: str, *, strict: bool) -> Url:
    """Any URL or reference; `strict` tells that an http host has one colon at most. Raises UrlError."""
    start, _, fragment = text.partition("#")
    url = _parse_with_context(start, strict=strict, request=False)
    if not fragment:
        return url
    try:
        plain = _unescape(fragment)
    except UrlError as fault:
        raise UrlError(f"parse {quote(text)}: {fault}") from None
    return url.replace(fragment=plain, raw_fragment="" if escape(plain, "fragment") == fragment else fragment)


def parse_request(text: str, *, strict: bool) -> Url:
    """An absolute URL or an absolute path. Raises UrlError."""
    return _parse_with_context(text, strict=strict, request=True)


def escape(text: str, part: str) -> str:
    """A text with escapes where that part of a URL needs them."""
    safe = _SAFE[part]
    return "".join([chr(byte) if safe.match(bytes([byte])) else f"%{byte:02X}" for byte in _encode(text)])


def _keep_valid_escapes(raw: str, plain: str, part: str) -> str:
    return raw if raw and _LEGAL[part].fullmatch(raw) else escape(plain, part)


def _parse_with_context(text: str, *, strict: bool, request: bool) -> Url:
    try:
        return _parse(text, strict=strict, request=request)
    except UrlError as fault:
        raise UrlError(f"parse {quote(text)}: {fault}") from None


def _parse(text: str, *, strict: bool, request: bool) -> Url:
    if _CONTROL.search(text):
        raise UrlError("net/url: invalid control character in URL")
    if not text and request:
        raise UrlError("empty url")
    if text == "*":
        return Url(path="*")
    scheme, rest = _split_scheme(text)
    rest, mark, query = rest.partition("?")
    asks = bool(mark) and not query
    if not rest.startswith("/"):
        if scheme:
            return Url(scheme, query=query, opaque=rest, has_query_mark=asks)
        if request:
            raise UrlError("invalid URI for request")
        if ":" in rest.partition("/")[0]:
            raise UrlError("first path segment in URL cannot contain colon")
    host, user = "", None
    named = rest.startswith("//") and bool(scheme or (not request and not rest.startswith("///")))
    if named:
        authority, slash, rest = rest[2:].partition("/")
        user, host = _split_authority(authority, strict=strict and scheme in ("http", "https"))
        rest = slash + rest
    path = _unescape(rest)
    raw = "" if escape(path, "path") == rest else rest
    hostless = not named and bool(scheme) and rest.startswith("/")
    return Url(scheme, host, user, query, path=path, raw_path=raw, has_query_mark=asks, omits_host=hostless)


def _split_scheme(text: str) -> tuple[str, str]:
    match = _SCHEME.match(text)
    if match is None:
        return "", text
    if not match.group(1):
        raise UrlError("missing protocol scheme")
    return match.group(1).lower(), text[match.end() :]


def _split_authority(text: str, *, strict: bool) -> tuple[str | None, str]:
    user, at, host = text.rpartition("@")
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
    except AddressError as fault:
        raise UrlError(f"invalid host: {fault}") from None
    return f"[{address}]{port}"


def _unescape(text: str, *, host: bool = False) -> str:
    """Raises UrlError, for what comes first in the text."""
    faults = [_BAD_ESCAPE.search(text), _NEVER_IN_HOSTS.search(text) if host else None]
    first = min([fault.start() for fault in faults if fault], default=-1)
    if first >= 0:
        raise _make_error(text, first)
    return _decode(text)


def _unescape_zone(text: str) -> str:
    """The zone of an IPv6 address, where escapes stand for what may stand there without, or a space."""
    for at, char in enumerate(text):
        if char == "%":
            value = _ESCAPE.match(_encode(text[at : at + 3]))
            if value is None or not (value[1] in (b"25", b"20") or _SAFE["host"].match(_decode_byte(value[1]))):
                raise _make_error(text, at)
        elif ord(char) < 0x80 and not _SAFE["host"].match(_encode(char)):
            raise _make_error(text, at)
    return _decode(text)


def _make_error(text: str, at: int) -> UrlError:
    if text[at] != "%":
        return UrlError(f"invalid character {quote(text[at])} in host name")
    return UrlError(f"invalid URL escape {quote(_encode(text[at:])[:3].decode('utf-8', 'surrogateescape'))}")


def _decode(text: str) -> str:
    """Escapes resolved; all are legal."""
    plain = _ESCAPE.sub(lambda found: _decode_byte(found[1]), _encode(text))
    return plain.decode("utf-8", "surrogateescape")


def _decode_byte(digits: bytes) -> bytes:
    return bytes([int(digits, 16)])


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
