"""URLs. Source: k8s.io/apiserver pkg/cel/library/urls.go."""

from __future__ import annotations

from protoc_gen_crd.cel.overloads import Library, function, method
from protoc_gen_crd.cel.types import BOOL, STRING, foreign, list_of, map_of

URL = foreign("kubernetes.URL")
_PARTS = (
    ("scheme", "getScheme"), ("host", "getHost"), ("hostname", "getHostname"), ("port", "getPort"),
    ("escaped_path", "getEscapedPath"),
)  # fmt: skip

LIBRARY = Library(
    "kubernetes.urls",
    (
        function("string_to_url", "url", STRING, result=URL),
        *(method(f"url_get_{word}", name, URL, result=STRING) for word, name in _PARTS),
        method("url_get_query", "getQuery", URL, result=map_of(STRING, list_of(STRING))),
        function("is_url_string", "isURL", STRING, result=BOOL),
    ),
)
