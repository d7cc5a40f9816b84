"""Regular expressions. Source: k8s.io/apiserver pkg/cel/library/regex.go."""

from __future__ import annotations

from protoc_gen_crd.cel.checker.overloads import Library, declare_method, split_by_version
from protoc_gen_crd.cel.checker.types import INT, STRING, make_list_type
from protoc_gen_crd.cel.version_differences import PARSED_GROUP_NAMES

_RUN = "functions.regex"

LIBRARY = Library(
    "kubernetes.regex",
    (
        *split_by_version(
            declare_method("string_find_string", "find", STRING, STRING, result=STRING, run=f"{_RUN}.find"),
            (PARSED_GROUP_NAMES, f"{_RUN}.old_find"),
        ),
        *(
            row
            for ident, limit in (("string_find_all_string", ()), ("string_find_all_string_int", (INT,)))
            for row in split_by_version(
                declare_method(
                    ident, "findAll", STRING, STRING, *limit, result=make_list_type(STRING), run=f"{_RUN}.find_all"
                ),
                (PARSED_GROUP_NAMES, f"{_RUN}.old_find_all"),
            )
        ),
    ),
)
