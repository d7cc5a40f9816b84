"""Semantic versions. Source: k8s.io/apiserver pkg/cel/library/semverlib.go, version 1."""

from __future__ import annotations

from protoc_gen_crd.cel.overloads import Library, function, method
from protoc_gen_crd.cel.types import BOOL, INT, STRING, foreign

SEMVER = foreign("kubernetes.Semver")
_RUN = "functions.semver"

LIBRARY = Library(
    "kubernetes.Semver",
    (
        function("string_to_semver", "semver", STRING, result=SEMVER, run=f"{_RUN}.semver"),
        function("string_bool_to_semver", "semver", STRING, BOOL, result=SEMVER, run=f"{_RUN}.semver"),
        function("is_semver_string", "isSemver", STRING, result=BOOL, run=f"{_RUN}.is_semver"),
        function("is_semver_string_bool", "isSemver", STRING, BOOL, result=BOOL, run=f"{_RUN}.is_semver"),
        method("semver_is_greater_than", "isGreaterThan", SEMVER, SEMVER, result=BOOL, run=f"{_RUN}.is_greater"),
        method("semver_is_less_than", "isLessThan", SEMVER, SEMVER, result=BOOL, run=f"{_RUN}.is_less"),
        method("semver_compare_to", "compareTo", SEMVER, SEMVER, result=INT, run=f"{_RUN}.compare"),
        method("semver_major", "major", SEMVER, result=INT, run=f"{_RUN}.major"),
        method("semver_minor", "minor", SEMVER, result=INT, run=f"{_RUN}.minor"),
        method("semver_patch", "patch", SEMVER, result=INT, run=f"{_RUN}.patch"),
    ),
)
