"""Optional values: `optional.of(x)`, `a.?b`, `list[?0]`.

Source: cel-go v0.29 `cel/library.go`. What came with a later cel-go, servers have from some version on.
"""

from __future__ import annotations

from protoc_gen_crd.cel.comprehensions import OPTIONALS
from protoc_gen_crd.cel.overloads import Library, function, method
from protoc_gen_crd.cel.types import BOOL, DYN, INT, STRING, list_of, map_of, optional, parameter
from protoc_gen_crd.cel.values import Optional

_K, _V = parameter("K"), parameter("V")
_LIST, _MAP, _OPTIONAL = list_of(_V), map_of(_K, _V), optional(_V)
_OPTIONALS = list_of(_OPTIONAL)

LIBRARY = Library(
    "cel.lib.optional",
    (
        function("optional_of", "optional.of", _V, result=_OPTIONAL, run=Optional),
        function(
            "optional_ofNonZeroValue",
            "optional.ofNonZeroValue",
            _V,
            result=_OPTIONAL,
            run="functions.optionals.of_non_zero",
        ),
        function("optional_none", "optional.none", result=_OPTIONAL, run="functions.optionals.none"),
        method("optional_value", "value", _OPTIONAL, result=_V, run="functions.optionals.value_of"),
        method("optional_hasValue", "hasValue", _OPTIONAL, result=BOOL, run="functions.optionals.has_value"),
        method("optional_or_optional", "or", _OPTIONAL, _OPTIONAL, result=_OPTIONAL),
        method("optional_orValue_value", "orValue", _OPTIONAL, _V, result=_V),
        function("select_optional_field", "_?._", DYN, STRING, result=_OPTIONAL),
        function("list_optindex_optional_int", "_[?_]", _LIST, INT, result=_OPTIONAL),
        function("optional_list_optindex_optional_int", "_[?_]", optional(_LIST), INT, result=_OPTIONAL),
        function("map_optindex_optional_value", "_[?_]", _MAP, _K, result=_OPTIONAL),
        function("optional_map_optindex_optional_value", "_[?_]", optional(_MAP), _K, result=_OPTIONAL),
        function("optional_list_index_int", "_[_]", optional(_LIST), INT, result=_OPTIONAL),
        function("optional_map_index_value", "_[_]", optional(_MAP), _K, result=_OPTIONAL),
        method("list_last", "last", _LIST, result=_OPTIONAL, run="functions.optionals.last", since=33),
        method("list_first", "first", _LIST, result=_OPTIONAL, run="functions.optionals.first", since=33),
        function(
            "optional_unwrap", "optional.unwrap", _OPTIONALS, result=_LIST, run="functions.optionals.unwrap", since=33
        ),
        method("optional_unwrapOpt", "unwrapOpt", _OPTIONALS, result=_LIST, run="functions.optionals.unwrap", since=33),
    ),
    OPTIONALS,
    {"optional_type": optional(parameter("V"))},
)
