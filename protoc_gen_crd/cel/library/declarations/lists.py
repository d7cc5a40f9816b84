"""Lists: Kubernetes' own library, and cel-go's, which servers have since 1.34.

Source: k8s.io/apiserver pkg/cel/library/lists.go, versions 0 and 1; cel-go v0.29 `ext/lists.go`, version 3.
"""

from __future__ import annotations

from protoc_gen_crd.cel.checker.overloads import Library, Overload, declare_function, declare_method, split_by_version
from protoc_gen_crd.cel.checker.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    STRING,
    TIMESTAMP,
    UINT,
    make_list_type,
    make_type_parameter,
)
from protoc_gen_crd.cel.parser.standard_macros import LISTS
from protoc_gen_crd.cel.version_differences import BOUNDED_RANGES

_A, _T = make_type_parameter("A"), make_type_parameter("T")
_ADDED = (("int", INT), ("uint", UINT), ("double", DOUBLE), ("duration", DURATION))
_COMPARED = (*_ADDED, ("bool", BOOL), ("timestamp", TIMESTAMP), ("string", STRING), ("bytes", BYTES))
_SORTED = (INT, UINT, DOUBLE, BOOL, DURATION, TIMESTAMP, STRING, BYTES)


_RUN = "functions.lists"


def _make_extreme_overloads(name: str) -> list[Overload]:
    """Return the overloads of `min` or `max`."""
    run = f"{_RUN}.{'find_min' if name == 'min' else 'find_max'}"
    return [
        declare_method(f"list_{word}_{name}_{word}", name, make_list_type(kind), result=kind, run=run)
        for word, kind in _COMPARED
    ]


KUBERNETES_0 = Library(
    "kubernetes.lists",
    (
        *(
            declare_method(
                f"list_{word}_is_sorted_bool", "isSorted", make_list_type(kind), result=BOOL, run=f"{_RUN}.is_sorted"
            )
            for word, kind in _COMPARED
        ),
        *(
            declare_method(
                f"list_{word}_sum_{word}", "sum", make_list_type(kind), result=kind, run=f"{_RUN}.sum_{word}"
            )
            for word, kind in _ADDED
        ),
        *_make_extreme_overloads("max"),
        *_make_extreme_overloads("min"),
        declare_method("list_a_index_of_int", "indexOf", make_list_type(_A), _A, result=INT, run=f"{_RUN}.index_of"),
        declare_method(
            "list_a_last_index_of_int", "lastIndexOf", make_list_type(_A), _A, result=INT, run=f"{_RUN}.last_index_of"
        ),
    ),
)
KUBERNETES = Library(
    "kubernetes.lists",
    (
        *KUBERNETES_0.overloads,
        declare_method("list_includes_dyn_dyn", "includes", DYN, DYN, result=BOOL, run=f"{_RUN}.is_included"),
    ),
)

_LIST, _BY = make_list_type(_T), "@sortByAssociatedKeys"
LIBRARY = Library(
    "cel.lib.ext.lists",
    (
        declare_method("list_slice", "slice", _LIST, INT, INT, result=_LIST, run=f"{_RUN}.slice_list"),
        declare_method("list_flatten", "flatten", make_list_type(_LIST), result=_LIST, run=f"{_RUN}.flatten"),
        declare_method(
            "list_flatten_int", "flatten", make_list_type(DYN), INT, result=make_list_type(DYN), run=f"{_RUN}.flatten"
        ),
        *(
            declare_method(
                f"list_{kind.name}_sort", "sort", make_list_type(kind), result=make_list_type(kind), run=f"{_RUN}.sort"
            )
            for kind in _SORTED
        ),
        *(
            declare_method(
                f"list_{kind.name}_{_BY[1:]}", _BY, _LIST, make_list_type(kind), result=_LIST, run=f"{_RUN}.sort_by"
            )
            for kind in _SORTED
        ),
        *split_by_version(
            declare_function("lists_range", "lists.range", INT, result=make_list_type(INT), run=f"{_RUN}.make_range"),
            (BOUNDED_RANGES, f"{_RUN}.make_unbounded_range"),
        ),
        declare_method("list_reverse", "reverse", _LIST, result=_LIST, run=f"{_RUN}.reverse"),
        declare_method("list_distinct", "distinct", _LIST, result=_LIST, run=f"{_RUN}.drop_duplicates"),
    ),
    LISTS,
)
