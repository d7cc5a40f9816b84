"""Lists: Kubernetes' own library, and cel-go's, which is much younger here.

Source: k8s.io/apiserver pkg/cel/library/lists.go, versions 0 and 1; cel-go v0.29 `ext/lists.go`, version 3.
"""

from __future__ import annotations

from protoc_gen_crd.cel.comprehensions import LISTS
from protoc_gen_crd.cel.overloads import Library, Overload, function, method
from protoc_gen_crd.cel.types import (
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    STRING,
    TIMESTAMP,
    UINT,
    list_of,
    parameter,
)

_A, _T = parameter("A"), parameter("T")
_ADDED = (("int", INT), ("uint", UINT), ("double", DOUBLE), ("duration", DURATION))
_COMPARED = (*_ADDED, ("bool", BOOL), ("timestamp", TIMESTAMP), ("string", STRING), ("bytes", BYTES))
_SORTED = (INT, UINT, DOUBLE, BOOL, DURATION, TIMESTAMP, STRING, BYTES)


def _sortable(name: str) -> list[Overload]:
    """`min` or `max`."""
    return [method(f"list_{word}_{name}_{word}", name, list_of(kind), result=kind) for word, kind in _COMPARED]


KUBERNETES_0 = Library(
    "kubernetes.lists",
    (
        *(method(f"list_{word}_is_sorted_bool", "isSorted", list_of(kind), result=BOOL) for word, kind in _COMPARED),
        *(method(f"list_{word}_sum_{word}", "sum", list_of(kind), result=kind) for word, kind in _ADDED),
        *_sortable("max"),
        *_sortable("min"),
        method("list_a_index_of_int", "indexOf", list_of(_A), _A, result=INT),
        method("list_a_last_index_of_int", "lastIndexOf", list_of(_A), _A, result=INT),
    ),
)
KUBERNETES = Library(
    "kubernetes.lists",
    (*KUBERNETES_0.overloads, method("list_includes_dyn_dyn", "includes", DYN, DYN, result=BOOL)),
)

_LIST = list_of(_T)
LIBRARY = Library(
    "cel.lib.ext.lists",
    (
        method("list_slice", "slice", _LIST, INT, INT, result=_LIST),
        method("list_flatten", "flatten", list_of(_LIST), result=_LIST),
        method("list_flatten_int", "flatten", list_of(DYN), INT, result=list_of(DYN)),
        *(method(f"list_{kind.name}_sort", "sort", list_of(kind), result=list_of(kind)) for kind in _SORTED),
        *(
            method(
                f"list_{kind.name}_sortByAssociatedKeys", "@sortByAssociatedKeys", _LIST, list_of(kind), result=_LIST
            )
            for kind in _SORTED
        ),
        function("lists_range", "lists.range", INT, result=list_of(INT)),
        method("list_reverse", "reverse", _LIST, result=_LIST),
        method("list_distinct", "distinct", _LIST, result=_LIST),
    ),
    LISTS,
)
