"""Optional values: `optional.of(x)`, `a.?b`, `list[?0]`.

Source: cel-go v0.29 `cel/library.go`. Overloads that later versions of cel-go added have a `since`.
"""

from __future__ import annotations

from protoc_gen_crd.cel.checker.overloads import Library, declare_function, declare_method
from protoc_gen_crd.cel.checker.types import (
    BOOL,
    DYN,
    INT,
    STRING,
    make_list_type,
    make_map_type,
    make_optional_type,
    make_type_parameter,
)
from protoc_gen_crd.cel.parser.standard_macros import OPTIONALS
from protoc_gen_crd.cel.values.runtime_values import Optional
from protoc_gen_crd.cel.version_differences import OPTIONAL_LISTS

_K, _V = make_type_parameter("K"), make_type_parameter("V")
_LIST, _MAP, _OPTIONAL = make_list_type(_V), make_map_type(_K, _V), make_optional_type(_V)
_OPTIONALS = make_list_type(_OPTIONAL)

_RUN = "functions.optionals"
LIBRARY = Library(
    "cel.lib.optional",
    (
        declare_function("optional_of", "optional.of", _V, result=_OPTIONAL, run=Optional),
        declare_function(
            "optional_ofNonZeroValue",
            "optional.ofNonZeroValue",
            _V,
            result=_OPTIONAL,
            run=f"{_RUN}.make_optional_of_non_zero",
        ),
        declare_function("optional_none", "optional.none", result=_OPTIONAL, run=f"{_RUN}.make_none"),
        declare_method("optional_value", "value", _OPTIONAL, result=_V, run=f"{_RUN}.get_value"),
        declare_method("optional_hasValue", "hasValue", _OPTIONAL, result=BOOL, run=f"{_RUN}.has_value"),
        declare_method("optional_or_optional", "or", _OPTIONAL, _OPTIONAL, result=_OPTIONAL),
        declare_method("optional_orValue_value", "orValue", _OPTIONAL, _V, result=_V),
        declare_function("select_optional_field", "_?._", DYN, STRING, result=_OPTIONAL),
        declare_function("list_optindex_optional_int", "_[?_]", _LIST, INT, result=_OPTIONAL),
        declare_function(
            "optional_list_optindex_optional_int", "_[?_]", make_optional_type(_LIST), INT, result=_OPTIONAL
        ),
        declare_function("map_optindex_optional_value", "_[?_]", _MAP, _K, result=_OPTIONAL),
        declare_function(
            "optional_map_optindex_optional_value", "_[?_]", make_optional_type(_MAP), _K, result=_OPTIONAL
        ),
        declare_function("optional_list_index_int", "_[_]", make_optional_type(_LIST), INT, result=_OPTIONAL),
        declare_function("optional_map_index_value", "_[_]", make_optional_type(_MAP), _K, result=_OPTIONAL),
        declare_method("list_last", "last", _LIST, result=_OPTIONAL, run=f"{_RUN}.get_last", since=OPTIONAL_LISTS),
        declare_method("list_first", "first", _LIST, result=_OPTIONAL, run=f"{_RUN}.get_first", since=OPTIONAL_LISTS),
        declare_function(
            "optional_unwrap",
            "optional.unwrap",
            _OPTIONALS,
            result=_LIST,
            run=f"{_RUN}.unwrap_optionals",
            since=OPTIONAL_LISTS,
        ),
        declare_method(
            "optional_unwrapOpt",
            "unwrapOpt",
            _OPTIONALS,
            result=_LIST,
            run=f"{_RUN}.unwrap_optionals",
            since=OPTIONAL_LISTS,
        ),
    ),
    OPTIONALS,
    {"optional_type": make_optional_type(make_type_parameter("V"))},
)
