"""Finding by regular expression. Source: k8s.io/apiserver pkg/cel/library/regex.go."""

from __future__ import annotations

from protoc_gen_crd.cel.overloads import Library, by_version, method
from protoc_gen_crd.cel.types import INT, STRING, list_of

_RUN = "functions.regex"
_UNNAMED = 26  # servers: up to there, `(?<name>...)` does not compile

LIBRARY = Library(
    "kubernetes.regex",
    (
        *by_version(
            method("string_find_string", "find", STRING, STRING, result=STRING, run=f"{_RUN}.find"),
            (_UNNAMED, f"{_RUN}.old_find"),
        ),
        *(
            row
            for ident, limit in (("string_find_all_string", ()), ("string_find_all_string_int", (INT,)))
            for row in by_version(
                method(ident, "findAll", STRING, STRING, *limit, result=list_of(STRING), run=f"{_RUN}.find_all"),
                (_UNNAMED, f"{_RUN}.old_find_all"),
            )
        ),
    ),
)
