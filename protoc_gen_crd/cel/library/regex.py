"""Finding by regular expression. Source: k8s.io/apiserver pkg/cel/library/regex.go."""

from __future__ import annotations

from protoc_gen_crd.cel.overloads import Library, method
from protoc_gen_crd.cel.types import INT, STRING, list_of

LIBRARY = Library(
    "kubernetes.regex",
    (
        method("string_find_string", "find", STRING, STRING, result=STRING),
        method("string_find_all_string", "findAll", STRING, STRING, result=list_of(STRING)),
        method("string_find_all_string_int", "findAll", STRING, STRING, INT, result=list_of(STRING)),
    ),
)
