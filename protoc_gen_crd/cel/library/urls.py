"""URLs. Source: k8s.io/apiserver pkg/cel/library/urls.go."""

from __future__ import annotations

from protoc_gen_crd.cel.overloads import Library, by_version, function, method
from protoc_gen_crd.cel.types import BOOL, STRING, foreign, list_of, map_of

URL = foreign("kubernetes.URL")
_PARTS = (
    ("scheme", "getScheme"), ("host", "getHost"), ("hostname", "getHostname"), ("port", "getPort"),
    ("escaped_path", "getEscapedPath"),
)  # fmt: skip
_COLONS = 35  # servers: up to there, hosts of http may have several colons
_RUN = "functions.urls"

LIBRARY = Library(
    "kubernetes.urls",
    (
        *by_version(
            function("string_to_url", "url", STRING, result=URL, run=f"{_RUN}.url"), (_COLONS, f"{_RUN}.old_url")
        ),
        *(method(f"url_get_{word}", name, URL, result=STRING, run=f"{_RUN}.{word}") for word, name in _PARTS),
        method("url_get_query", "getQuery", URL, result=map_of(STRING, list_of(STRING)), run=f"{_RUN}.query"),
        *by_version(
            function("is_url_string", "isURL", STRING, result=BOOL, run=f"{_RUN}.is_url"),
            (_COLONS, f"{_RUN}.old_is_url"),
        ),
    ),
)
