"""URLs. Source: k8s.io/apiserver pkg/cel/library/urls.go."""

from __future__ import annotations

from protoc_gen_crd.cel.checker.overloads import Library, declare_function, declare_method, split_by_version
from protoc_gen_crd.cel.checker.types import BOOL, STRING, make_list_type, make_map_type, make_undeclared_object
from protoc_gen_crd.cel.version_differences import STRICT_COLONS

URL = make_undeclared_object("kubernetes.URL")
_PARTS = (
    ("scheme", "getScheme"), ("host", "getHost"), ("hostname", "getHostname"), ("port", "getPort"),
    ("escaped_path", "getEscapedPath"),
)  # fmt: skip
_RUN = "functions.urls"

LIBRARY = Library(
    "kubernetes.urls",
    (
        *split_by_version(
            declare_function("string_to_url", "url", STRING, result=URL, run=f"{_RUN}.parse_url"),
            (STRICT_COLONS, f"{_RUN}.parse_url_before_1_36"),
        ),
        *(declare_method(f"url_get_{word}", name, URL, result=STRING, run=f"{_RUN}.{word}") for word, name in _PARTS),
        declare_method(
            "url_get_query",
            "getQuery",
            URL,
            result=make_map_type(STRING, make_list_type(STRING)),
            run=f"{_RUN}.get_query",
        ),
        *split_by_version(
            declare_function("is_url_string", "isURL", STRING, result=BOOL, run=f"{_RUN}.is_url"),
            (STRICT_COLONS, f"{_RUN}.is_url_before_1_36"),
        ),
    ),
)
