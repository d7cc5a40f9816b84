"""The standard library: operators, conversions, sizes, texts. See `time` for timestamps and durations.

Source: cel-go v0.29 `common/stdlib/standard.go`.
"""

from __future__ import annotations

from protoc_gen_crd.cel.comprehensions import STANDARD
from protoc_gen_crd.cel.overloads import Library, Overload, function, method
from protoc_gen_crd.cel.types import (
    ANY_TYPE,
    BOOL,
    BYTES,
    DOUBLE,
    DURATION,
    DYN,
    INT,
    NULL,
    STRING,
    TIMESTAMP,
    UINT,
    Type,
    list_of,
    map_of,
    parameter,
    type_of,
)

_A, _B = parameter("A"), parameter("B")
_LIST, _MAP = list_of(_A), map_of(_A, _B)

_LOGIC = (
    function("conditional", "_?_:_", BOOL, _A, _A, result=_A),
    function("logical_and", "_&&_", BOOL, BOOL, result=BOOL),
    function("logical_or", "_||_", BOOL, BOOL, result=BOOL),
    function("logical_not", "!_", BOOL, result=BOOL),
    function("not_strictly_false", "@not_strictly_false", BOOL, result=BOOL),
    function("__not_strictly_false__", "__not_strictly_false__", BOOL, result=BOOL),
    function("equals", "_==_", _A, _A, result=BOOL),
    function("not_equals", "_!=_", _A, _A, result=BOOL),
)

_SUMS = (
    function("add_bytes", "_+_", BYTES, BYTES, result=BYTES),
    function("add_double", "_+_", DOUBLE, DOUBLE, result=DOUBLE),
    function("add_duration_duration", "_+_", DURATION, DURATION, result=DURATION),
    function("add_duration_timestamp", "_+_", DURATION, TIMESTAMP, result=TIMESTAMP),
    function("add_timestamp_duration", "_+_", TIMESTAMP, DURATION, result=TIMESTAMP),
    function("add_int64", "_+_", INT, INT, result=INT),
    function("add_list", "_+_", _LIST, _LIST, result=_LIST),
    function("add_string", "_+_", STRING, STRING, result=STRING),
    function("add_uint64", "_+_", UINT, UINT, result=UINT),
    function("subtract_double", "_-_", DOUBLE, DOUBLE, result=DOUBLE),
    function("subtract_duration_duration", "_-_", DURATION, DURATION, result=DURATION),
    function("subtract_int64", "_-_", INT, INT, result=INT),
    function("subtract_timestamp_duration", "_-_", TIMESTAMP, DURATION, result=TIMESTAMP),
    function("subtract_timestamp_timestamp", "_-_", TIMESTAMP, TIMESTAMP, result=DURATION),
    function("subtract_uint64", "_-_", UINT, UINT, result=UINT),
)

_PRODUCTS = (
    function("divide_double", "_/_", DOUBLE, DOUBLE, result=DOUBLE),
    function("divide_int64", "_/_", INT, INT, result=INT),
    function("divide_uint64", "_/_", UINT, UINT, result=UINT),
    function("modulo_int64", "_%_", INT, INT, result=INT),
    function("modulo_uint64", "_%_", UINT, UINT, result=UINT),
    function("multiply_double", "_*_", DOUBLE, DOUBLE, result=DOUBLE),
    function("multiply_int64", "_*_", INT, INT, result=INT),
    function("multiply_uint64", "_*_", UINT, UINT, result=UINT),
    function("negate_double", "-_", DOUBLE, result=DOUBLE),
    function("negate_int64", "-_", INT, result=INT),
)

_ORDERS = (("less", "_<_"), ("less_equals", "_<=_"), ("greater", "_>_"), ("greater_equals", "_>=_"))
_NUMBERS = (("int64", INT), ("uint64", UINT), ("double", DOUBLE))
_ORDERED = (("string", STRING), ("bytes", BYTES), ("timestamp", TIMESTAMP), ("duration", DURATION))


def _order(less: str, name: str) -> list[Overload]:
    """One of the comparisons, for all types that have an order; numbers also with each other."""
    rows = [function(f"{less}_bool", name, BOOL, BOOL, result=BOOL)]
    for word, kind in _NUMBERS:
        rows.append(function(f"{less}_{word}", name, kind, kind, result=BOOL))
        others = [other for other in _NUMBERS if other[1] is not kind]
        if kind is not DOUBLE:
            others.reverse()
        rows += [function(f"{less}_{word}_{other}", name, kind, its, result=BOOL, mixed=True) for other, its in others]
    return [*rows, *(function(f"{less}_{word}", name, kind, kind, result=BOOL) for word, kind in _ORDERED)]


_COLLECTIONS = (
    function("index_list", "_[_]", _LIST, INT, result=_A),
    function("index_map", "_[_]", _MAP, _A, result=_B),
    *(
        overload
        for name in ("@in", "_in_", "in")
        for overload in (
            function("in_list", name, _A, _LIST, result=BOOL),
            function("in_map", name, _A, _MAP, result=BOOL),
        )
    ),
    *(
        overload
        for word, kind in (("bytes", BYTES), ("list", _LIST), ("map", _MAP), ("string", STRING))
        for overload in (
            function(f"size_{word}", "size", kind, result=INT),
            method(f"{word}_size", "size", kind, result=INT),
        )
    ),
)

_WORDS: dict[Type, str] = {
    BOOL: "bool", BYTES: "bytes", DOUBLE: "double", DURATION: "duration", INT: "int64", STRING: "string",
    TIMESTAMP: "timestamp", UINT: "uint64",
}  # fmt: skip
_CONVERSIONS: tuple[tuple[str, Type, tuple[Type, ...]], ...] = (
    ("bool", BOOL, (BOOL, STRING)),
    ("bytes", BYTES, (BYTES, STRING)),
    ("double", DOUBLE, (DOUBLE, INT, STRING, UINT)),
    ("duration", DURATION, (DURATION, STRING)),
    ("int", INT, (INT, DOUBLE, DURATION, STRING, TIMESTAMP, UINT)),
    ("string", STRING, (STRING, BOOL, BYTES, DOUBLE, DURATION, INT, TIMESTAMP, UINT)),
    ("timestamp", TIMESTAMP, (TIMESTAMP, INT, STRING)),
    ("uint", UINT, (UINT, DOUBLE, INT, STRING)),
)
_CONVERTED = (
    *(
        function(f"{_WORDS[source]}_to_{_WORDS[result]}", name, source, result=result)
        for name, result, sources in _CONVERSIONS
        for source in sources
    ),
    function("int64_to_duration", "duration", INT, result=DURATION, until=36),
    function("to_dyn", "dyn", _A, result=DYN),
    function("type", "type", _A, result=type_of(_A)),
)

_TEXTS = (
    method("contains_string", "contains", STRING, STRING, result=BOOL),
    method("ends_with_string", "endsWith", STRING, STRING, result=BOOL),
    method("starts_with_string", "startsWith", STRING, STRING, result=BOOL),
    function("matches", "matches", STRING, STRING, result=BOOL),
    method("matches_string", "matches", STRING, STRING, result=BOOL),
)

_NAMED = {kind.name: kind for kind in (BOOL, BYTES, DOUBLE, DURATION, INT, NULL, STRING, TIMESTAMP, UINT, ANY_TYPE)}

OLD_TYPES = {"list": _LIST, "map": _MAP}  # what the names stand for before cel-go 0.27
LIBRARY = Library(
    "cel.lib.std",
    (
        *_LOGIC,
        *_SUMS,
        *_PRODUCTS,
        *(overload for word, name in _ORDERS for overload in _order(word, name)),
        *_COLLECTIONS,
        *_CONVERTED,
        *_TEXTS,
    ),
    STANDARD,
    {**_NAMED, "list": list_of(DYN), "map": map_of(DYN, DYN)},
)
