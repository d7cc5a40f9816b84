"""Lists taken as sets. Source: cel-go v0.29 `ext/sets.go`."""

from __future__ import annotations

from protoc_gen_crd.cel.overloads import Library, function
from protoc_gen_crd.cel.types import BOOL, list_of, parameter

_LIST = list_of(parameter("T"))

LIBRARY = Library(
    "cel.lib.ext.sets",
    (
        function("list_sets_contains_list", "sets.contains", _LIST, _LIST, result=BOOL, run="functions.sets.contains"),
        function(
            "list_sets_equivalent_list", "sets.equivalent", _LIST, _LIST, result=BOOL, run="functions.sets.equivalent"
        ),
        function(
            "list_sets_intersects_list", "sets.intersects", _LIST, _LIST, result=BOOL, run="functions.sets.intersects"
        ),
    ),
)
