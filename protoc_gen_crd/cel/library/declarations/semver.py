"""Semantic versions. Source: k8s.io/apiserver pkg/cel/library/semverlib.go, version 1."""

from __future__ import annotations

from protoc_gen_crd.cel.checker.overloads import Library, declare_function, declare_method
from protoc_gen_crd.cel.checker.types import BOOL, INT, STRING, make_undeclared_object

SEMVER = make_undeclared_object("kubernetes.Semver")
_RUN = "functions.semver"

LIBRARY = Library(
    "kubernetes.Semver",
    (
        declare_function("string_to_semver", "semver", STRING, result=SEMVER, run=f"{_RUN}.parse_semver"),
        declare_function("string_bool_to_semver", "semver", STRING, BOOL, result=SEMVER, run=f"{_RUN}.parse_semver"),
        declare_function("is_semver_string", "isSemver", STRING, result=BOOL, run=f"{_RUN}.is_semver"),
        declare_function("is_semver_string_bool", "isSemver", STRING, BOOL, result=BOOL, run=f"{_RUN}.is_semver"),
        declare_method(
            "semver_is_greater_than", "isGreaterThan", SEMVER, SEMVER, result=BOOL, run=f"{_RUN}.is_greater"
        ),
        declare_method("semver_is_less_than", "isLessThan", SEMVER, SEMVER, result=BOOL, run=f"{_RUN}.is_less"),
        declare_method("semver_compare_to", "compareTo", SEMVER, SEMVER, result=INT, run=f"{_RUN}.compare"),
        declare_method("semver_major", "major", SEMVER, result=INT, run=f"{_RUN}.get_major"),
        declare_method("semver_minor", "minor", SEMVER, result=INT, run=f"{_RUN}.get_minor"),
        declare_method("semver_patch", "patch", SEMVER, result=INT, run=f"{_RUN}.get_patch"),
    ),
)
