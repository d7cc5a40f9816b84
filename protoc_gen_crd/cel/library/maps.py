"""Comprehensions over two variables, with what their expansions call. Source: cel-go v0.29 `ext/comprehensions.go`."""

from __future__ import annotations

from protoc_gen_crd.cel.comprehensions import TWO_VARIABLES
from protoc_gen_crd.cel.overloads import Library, function
from protoc_gen_crd.cel.types import map_of, parameter

_K, _V = parameter("K"), parameter("V")
_MAP = map_of(_K, _V)

LIBRARY = Library(
    "cel.lib.ext.comprev2",
    (
        function("@mapInsert_map_map", "cel.@mapInsert", _MAP, _MAP, result=_MAP, run="functions.maps.merge"),
        function("@mapInsert_map_key_value", "cel.@mapInsert", _MAP, _K, _V, result=_MAP, run="functions.maps.insert"),
    ),
    TWO_VARIABLES,
)
