"""Comprehensions over two variables, and their functions. Source: cel-go v0.29 `ext/comprehensions.go`."""

from __future__ import annotations

from protoc_gen_crd.cel.checker.overloads import Library, declare_function
from protoc_gen_crd.cel.checker.types import make_map_type, make_type_parameter
from protoc_gen_crd.cel.parser.standard_macros import TWO_VARIABLES

_K, _V = make_type_parameter("K"), make_type_parameter("V")
_MAP = make_map_type(_K, _V)

LIBRARY = Library(
    "cel.lib.ext.comprev2",
    (
        declare_function("@mapInsert_map_map", "cel.@mapInsert", _MAP, _MAP, result=_MAP, run="functions.maps.merge"),
        declare_function(
            "@mapInsert_map_key_value", "cel.@mapInsert", _MAP, _K, _V, result=_MAP, run="functions.maps.insert"
        ),
    ),
    TWO_VARIABLES,
)
