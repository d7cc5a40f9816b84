"""Lists: Kubernetes' own library, and cel-go's, which is much younger here.

Source: k8s.io/apiserver pkg/cel/library/lists.go, versions 0 and 1; cel-go v0.29 `ext/lists.go`, version 3.
"""

from __future__ import annotations

from protoc_gen_crd.cel.comprehensions import LISTS
from protoc_gen_crd.cel.overloads import Library, Overload, by_version, function, method
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


_RUN = "functions.lists"
_UNBOUNDED = 36  # servers: up to there, lists.range took any number


def _sortable(name: str) -> list[Overload]:
    """`min` or `max`."""
    run = f"{_RUN}.{'smallest' if name == 'min' else 'largest'}"
    return [method(f"list_{word}_{name}_{word}", name, list_of(kind), result=kind, run=run) for word, kind in _COMPARED]


KUBERNETES_0 = Library(
    "kubernetes.lists",
    (
        *(
            method(f"list_{word}_is_sorted_bool", "isSorted", list_of(kind), result=BOOL, run=f"{_RUN}.is_sorted")
            for word, kind in _COMPARED
        ),
        *(
            method(f"list_{word}_sum_{word}", "sum", list_of(kind), result=kind, run=f"{_RUN}.sum_{word}")
            for word, kind in _ADDED
        ),
        *_sortable("max"),
        *_sortable("min"),
        method("list_a_index_of_int", "indexOf", list_of(_A), _A, result=INT, run=f"{_RUN}.index_of"),
        method("list_a_last_index_of_int", "lastIndexOf", list_of(_A), _A, result=INT, run=f"{_RUN}.last_index_of"),
    ),
)
KUBERNETES = Library(
    "kubernetes.lists",
    (
        *KUBERNETES_0.overloads,
        method("list_includes_dyn_dyn", "includes", DYN, DYN, result=BOOL, run=f"{_RUN}.includes"),
    ),
)

_LIST, _BY = list_of(_T), "@sortByAssociatedKeys"
LIBRARY = Library(
    "cel.lib.ext.lists",
    (
        method("list_slice", "slice", _LIST, INT, INT, result=_LIST, run=f"{_RUN}.part"),
        method("list_flatten", "flatten", list_of(_LIST), result=_LIST, run=f"{_RUN}.flatten"),
        method("list_flatten_int", "flatten", list_of(DYN), INT, result=list_of(DYN), run=f"{_RUN}.flatten"),
        *(
            method(f"list_{kind.name}_sort", "sort", list_of(kind), result=list_of(kind), run=f"{_RUN}.sort")
            for kind in _SORTED
        ),
        *(
            method(f"list_{kind.name}_{_BY[1:]}", _BY, _LIST, list_of(kind), result=_LIST, run=f"{_RUN}.sort_by")
            for kind in _SORTED
        ),
        *by_version(
            function("lists_range", "lists.range", INT, result=list_of(INT), run=f"{_RUN}.numbers"),
            (_UNBOUNDED, f"{_RUN}.old_numbers"),
        ),
        method("list_reverse", "reverse", _LIST, result=_LIST, run=f"{_RUN}.backwards"),
        method("list_distinct", "distinct", _LIST, result=_LIST, run=f"{_RUN}.distinct"),
    ),
    LISTS,
)
