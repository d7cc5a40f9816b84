"""URLs as Go's net/url reads them, as far as admission asks: parts, and the texts of what is wrong.

Source: Go net/url url.go (Parse, ParseRequestURI).
"""

from __future__ import annotations

import re

from protoc_gen_crd.base.record import Record

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


class UrlError(Exception):
    """Why a text is no URL; the message is Go's."""


class Url(Record):
    """The parts that admission looks at; user is None where the URL names none."""

    scheme: str = ""
    host: str = ""
    user: str | None = None
    query: str = ""
    fragment: str = ""


def parse(text: str) -> Url:
    """The parts of a URL. Raises UrlError."""
    rest, _, fragment = text.partition("#")
    scheme = ""
    match = _SCHEME.match(rest)
    if match:
        scheme, rest = match.group()[:-1].lower(), rest[match.end() :]
    rest, _, query = rest.partition("?")
    host, user = "", None
    if rest.startswith("//"):
        authority = rest[2:].partition("/")[0]
        if "@" in authority:
            user, _, authority = authority.rpartition("@")
        host = authority
    return Url(scheme, host, user, query, fragment)
