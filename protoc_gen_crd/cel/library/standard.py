"""The standard library: operators, conversions, sizes, texts. See `time` for timestamps and durations.

Older names of operators (`_in_`, `__not_strictly_false__`) are left out: servers list them, but compile no call.

Source: cel-go v0.29 `common/stdlib/standard.go`.
"""

from __future__ import annotations

from protoc_gen_crd.cel.comprehensions import STANDARD
from protoc_gen_crd.cel.overloads import Library, Overload, by_version, function, method
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

_OPERATORS = {
    "!_": "invert", "_+_": "add", "_-_": "subtract", "_*_": "multiply", "_/_": "divide", "_%_": "modulo",
    "-_": "negate", "_<_": "less", "_<=_": "less_equals", "_>_": "greater", "_>=_": "greater_equals",
    "@in": "contained",
}  # fmt: skip


def _operator(ident: str, name: str, *args: Type, mixed: bool = False, result: Type) -> Overload:
    run = f"functions.operators.{_OPERATORS[name]}"
    return function(ident, name, *args, result=result, mixed=mixed, run=run)


_LOGIC = (
    function("conditional", "_?_:_", BOOL, _A, _A, result=_A),
    function("logical_and", "_&&_", BOOL, BOOL, result=BOOL),
    function("logical_or", "_||_", BOOL, BOOL, result=BOOL),
    *by_version(_operator("logical_not", "!_", BOOL, result=BOOL), (28, "functions.operators.old_invert")),
    function("not_strictly_false", "@not_strictly_false", BOOL, result=BOOL),
    function("equals", "_==_", _A, _A, result=BOOL),
    function("not_equals", "_!=_", _A, _A, result=BOOL),
)

_SUMS = (
    _operator("add_bytes", "_+_", BYTES, BYTES, result=BYTES),
    _operator("add_double", "_+_", DOUBLE, DOUBLE, result=DOUBLE),
    _operator("add_duration_duration", "_+_", DURATION, DURATION, result=DURATION),
    _operator("add_duration_timestamp", "_+_", DURATION, TIMESTAMP, result=TIMESTAMP),
    _operator("add_timestamp_duration", "_+_", TIMESTAMP, DURATION, result=TIMESTAMP),
    _operator("add_int64", "_+_", INT, INT, result=INT),
    _operator("add_list", "_+_", _LIST, _LIST, result=_LIST),
    _operator("add_string", "_+_", STRING, STRING, result=STRING),
    _operator("add_uint64", "_+_", UINT, UINT, result=UINT),
    _operator("subtract_double", "_-_", DOUBLE, DOUBLE, result=DOUBLE),
    _operator("subtract_duration_duration", "_-_", DURATION, DURATION, result=DURATION),
    _operator("subtract_int64", "_-_", INT, INT, result=INT),
    _operator("subtract_timestamp_duration", "_-_", TIMESTAMP, DURATION, result=TIMESTAMP),
    _operator("subtract_timestamp_timestamp", "_-_", TIMESTAMP, TIMESTAMP, result=DURATION),
    _operator("subtract_uint64", "_-_", UINT, UINT, result=UINT),
)

_PRODUCTS = (
    _operator("divide_double", "_/_", DOUBLE, DOUBLE, result=DOUBLE),
    _operator("divide_int64", "_/_", INT, INT, result=INT),
    _operator("divide_uint64", "_/_", UINT, UINT, result=UINT),
    _operator("modulo_int64", "_%_", INT, INT, result=INT),
    _operator("modulo_uint64", "_%_", UINT, UINT, result=UINT),
    _operator("multiply_double", "_*_", DOUBLE, DOUBLE, result=DOUBLE),
    _operator("multiply_int64", "_*_", INT, INT, result=INT),
    _operator("multiply_uint64", "_*_", UINT, UINT, result=UINT),
    _operator("negate_double", "-_", DOUBLE, result=DOUBLE),
    _operator("negate_int64", "-_", INT, result=INT),
)

_ORDERS = (("less", "_<_"), ("less_equals", "_<=_"), ("greater", "_>_"), ("greater_equals", "_>=_"))
_NUMBERS = (("int64", INT), ("uint64", UINT), ("double", DOUBLE))
_UNDECLARED = 28  # the last server that looks for these functions on the value (cel-go 0.16)
_OPTIONAL = 30  # the last server on which the type of an optional is named so (cel-go 0.17)
_ORDERED = (("string", STRING), ("bytes", BYTES), ("timestamp", TIMESTAMP), ("duration", DURATION))


def _order(less: str, name: str) -> list[Overload]:
    """One of the comparisons, for all types that have an order; numbers also with each other."""
    rows = [_operator(f"{less}_bool", name, BOOL, BOOL, result=BOOL)]
    for word, kind in _NUMBERS:
        rows.append(_operator(f"{less}_{word}", name, kind, kind, result=BOOL))
        others = [other for other in _NUMBERS if other[1] is not kind]
        if kind is not DOUBLE:
            others.reverse()
        rows += [_operator(f"{less}_{word}_{other}", name, kind, its, result=BOOL, mixed=True) for other, its in others]
    return [*rows, *(_operator(f"{less}_{word}", name, kind, kind, result=BOOL) for word, kind in _ORDERED)]


_SIZE = "functions.operators.size"
_COLLECTIONS = (
    function("index_list", "_[_]", _LIST, INT, result=_A),
    function("index_map", "_[_]", _MAP, _A, result=_B),
    _operator("in_list", "@in", _A, _LIST, result=BOOL),
    _operator("in_map", "@in", _A, _MAP, result=BOOL),
    *(
        overload
        for word, kind in (("bytes", BYTES), ("list", _LIST), ("map", _MAP), ("string", STRING))
        for overload in (
            function(f"size_{word}", "size", kind, result=INT, run=_SIZE),
            method(f"{word}_size", "size", kind, result=INT, run=_SIZE),
        )
    ),
)

_WORDS: dict[Type, str] = {
    BOOL: "bool", BYTES: "bytes", DOUBLE: "double", DURATION: "duration", INT: "int64", STRING: "string",
    TIMESTAMP: "timestamp", UINT: "uint64",
}  # fmt: skip
_CONVERSIONS: tuple[tuple[str, Type, tuple[tuple[Type, str], ...]], ...] = (
    ("bool", BOOL, ((BOOL, "same"), (STRING, "text_to_bool"))),
    ("bytes", BYTES, ((BYTES, "same"), (STRING, "text_to_bytes"))),
    ("double", DOUBLE, ((DOUBLE, "same"), (INT, "to_double"), (STRING, "text_to_double"), (UINT, "to_double"))),
    ("duration", DURATION, ((DURATION, "same"), (STRING, "text_to_duration"))),
    (
        "int",
        INT,
        (
            (INT, "same"), (DOUBLE, "double_to_int"), (DURATION, "span_to_int"), (STRING, "text_to_int"),
            (TIMESTAMP, "moment_to_int"), (UINT, "uint_to_int"),
        ),
    ),
    (
        "string",
        STRING,
        (
            (STRING, "same"), (BOOL, "bool_to_text"), (BYTES, "bytes_to_text"), (DOUBLE, "double_to_text"),
            (DURATION, "span_to_text"), (INT, "int_to_text"), (TIMESTAMP, "moment_to_text"), (UINT, "int_to_text"),
        ),
    ),
    ("timestamp", TIMESTAMP, ((TIMESTAMP, "same"), (INT, "int_to_moment"), (STRING, "text_to_moment"))),
    ("uint", UINT, ((UINT, "same"), (DOUBLE, "double_to_uint"), (INT, "int_to_uint"), (STRING, "text_to_uint"))),
)  # fmt: skip
_BODIES = "functions.conversions"
_CONVERTED = (
    *(
        function(f"{_WORDS[source]}_to_{_WORDS[result]}", name, source, result=result, run=f"{_BODIES}.{body}")
        for name, result, sources in _CONVERSIONS
        for source, body in sources
    ),
    function("int64_to_duration", "duration", INT, result=DURATION, until=36, run=f"{_BODIES}.int_to_span"),
    function("to_dyn", "dyn", _A, result=DYN, run=f"{_BODIES}.same"),
    *by_version(
        function("type", "type", _A, result=type_of(_A), run=f"{_BODIES}.kind"),
        (_OPTIONAL, f"{_BODIES}.kind_of_old"),
    ),
)

_TEXTS = (
    *(
        row
        for ident, name, body in (
            ("contains_string", "contains", "contains"),
            ("ends_with_string", "endsWith", "ends_with"),
            ("starts_with_string", "startsWith", "starts_with"),
        )
        for row in by_version(
            method(ident, name, STRING, STRING, result=BOOL, run=f"functions.operators.{body}"),
            (_UNDECLARED, f"functions.operators.{body}_of_text"),
        )
    ),
    function("matches", "matches", STRING, STRING, result=BOOL, since=28, run="functions.operators.matches"),
    method("matches_string", "matches", STRING, STRING, result=BOOL, run="functions.operators.matches"),
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
