"""Lists as sets. Source: cel-go v0.29 `ext/sets.go`."""

from __future__ import annotations

from protoc_gen_crd.cel.checker.overloads import Library, declare_function
from protoc_gen_crd.cel.checker.types import BOOL, make_list_type, make_type_parameter

_LIST = make_list_type(make_type_parameter("T"))

LIBRARY = Library(
    "cel.lib.ext.sets",
    (
        declare_function(
            "list_sets_contains_list", "sets.contains", _LIST, _LIST, result=BOOL, run="functions.sets.contains"
        ),
        declare_function(
            "list_sets_equivalent_list",
            "sets.equivalent",
            _LIST,
            _LIST,
            result=BOOL,
            run="functions.sets.is_equivalent",
        ),
        declare_function(
            "list_sets_intersects_list", "sets.intersects", _LIST, _LIST, result=BOOL, run="functions.sets.intersects"
        ),
    ),
)
