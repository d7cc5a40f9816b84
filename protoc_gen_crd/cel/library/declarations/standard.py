"""The standard library: operators, conversions, sizes, strings. See `time` for timestamps and durations.

Older names of operators (`_in_`, `__not_strictly_false__`) are omitted: servers declare them, but no call compiles.

Source: cel-go v0.29 `common/stdlib/standard.go`.
"""

from __future__ import annotations

from protoc_gen_crd.cel.checker.overloads import Library, Overload, declare_function, declare_method, split_by_version
from protoc_gen_crd.cel.checker.types import (
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
    make_list_type,
    make_map_type,
    make_type_parameter,
    make_type_type,
)
from protoc_gen_crd.cel.parser.standard_macros import STANDARD
from protoc_gen_crd.cel.version_differences import (
    GLOBAL_MATCHES,
    INT_TO_DURATION_REMOVED,
    RECEIVER_FUNCTIONS,
    STRICT_NEGATION,
    TYPED_OPTIONALS,
)

_A, _B = make_type_parameter("A"), make_type_parameter("B")
_LIST, _MAP = make_list_type(_A), make_map_type(_A, _B)

_OPERATORS = {
    "!_": "invert", "_+_": "add", "_-_": "subtract", "_*_": "multiply", "_/_": "divide", "_%_": "modulo",
    "-_": "negate", "_<_": "less", "_<=_": "less_equals", "_>_": "greater", "_>=_": "greater_equals",
    "@in": "is_in",
}  # fmt: skip


def _make_operator(ident: str, name: str, *args: Type, mixed: bool = False, result: Type) -> Overload:
    run = f"functions.operators.{_OPERATORS[name]}"
    return declare_function(ident, name, *args, result=result, mixed=mixed, run=run)


_LOGIC = (
    declare_function("conditional", "_?_:_", BOOL, _A, _A, result=_A),
    declare_function("logical_and", "_&&_", BOOL, BOOL, result=BOOL),
    declare_function("logical_or", "_||_", BOOL, BOOL, result=BOOL),
    *split_by_version(
        _make_operator("logical_not", "!_", BOOL, result=BOOL),
        (STRICT_NEGATION, "functions.operators.old_invert"),
        uniform=True,
    ),
    declare_function("not_strictly_false", "@not_strictly_false", BOOL, result=BOOL),
    declare_function("equals", "_==_", _A, _A, result=BOOL),
    declare_function("not_equals", "_!=_", _A, _A, result=BOOL),
)

_SUMS = (
    _make_operator("add_bytes", "_+_", BYTES, BYTES, result=BYTES),
    _make_operator("add_double", "_+_", DOUBLE, DOUBLE, result=DOUBLE),
    _make_operator("add_duration_duration", "_+_", DURATION, DURATION, result=DURATION),
    _make_operator("add_duration_timestamp", "_+_", DURATION, TIMESTAMP, result=TIMESTAMP),
    _make_operator("add_timestamp_duration", "_+_", TIMESTAMP, DURATION, result=TIMESTAMP),
    _make_operator("add_int64", "_+_", INT, INT, result=INT),
    _make_operator("add_list", "_+_", _LIST, _LIST, result=_LIST),
    _make_operator("add_string", "_+_", STRING, STRING, result=STRING),
    _make_operator("add_uint64", "_+_", UINT, UINT, result=UINT),
    _make_operator("subtract_double", "_-_", DOUBLE, DOUBLE, result=DOUBLE),
    _make_operator("subtract_duration_duration", "_-_", DURATION, DURATION, result=DURATION),
    _make_operator("subtract_int64", "_-_", INT, INT, result=INT),
    _make_operator("subtract_timestamp_duration", "_-_", TIMESTAMP, DURATION, result=TIMESTAMP),
    _make_operator("subtract_timestamp_timestamp", "_-_", TIMESTAMP, TIMESTAMP, result=DURATION),
    _make_operator("subtract_uint64", "_-_", UINT, UINT, result=UINT),
)

_PRODUCTS = (
    _make_operator("divide_double", "_/_", DOUBLE, DOUBLE, result=DOUBLE),
    _make_operator("divide_int64", "_/_", INT, INT, result=INT),
    _make_operator("divide_uint64", "_/_", UINT, UINT, result=UINT),
    _make_operator("modulo_int64", "_%_", INT, INT, result=INT),
    _make_operator("modulo_uint64", "_%_", UINT, UINT, result=UINT),
    _make_operator("multiply_double", "_*_", DOUBLE, DOUBLE, result=DOUBLE),
    _make_operator("multiply_int64", "_*_", INT, INT, result=INT),
    _make_operator("multiply_uint64", "_*_", UINT, UINT, result=UINT),
    _make_operator("negate_double", "-_", DOUBLE, result=DOUBLE),
    _make_operator("negate_int64", "-_", INT, result=INT),
)

_ORDERS = (("less", "_<_"), ("less_equals", "_<=_"), ("greater", "_>_"), ("greater_equals", "_>=_"))
_NUMBERS = (("int64", INT), ("uint64", UINT), ("double", DOUBLE))
_ORDERED = (("string", STRING), ("bytes", BYTES), ("timestamp", TIMESTAMP), ("duration", DURATION))


def _make_order_overloads(less: str, name: str) -> list[Overload]:
    """Return the overloads of a comparison for all ordered types; numbers of different types compare, too."""
    rows = [_make_operator(f"{less}_bool", name, BOOL, BOOL, result=BOOL)]
    for word, kind in _NUMBERS:
        rows.append(_make_operator(f"{less}_{word}", name, kind, kind, result=BOOL))
        others = [other for other in _NUMBERS if other[1] is not kind]
        if kind is not DOUBLE:
            others.reverse()
        rows += [
            _make_operator(f"{less}_{word}_{other}", name, kind, other_kind, result=BOOL, mixed=True)
            for other, other_kind in others
        ]
    return [*rows, *(_make_operator(f"{less}_{word}", name, kind, kind, result=BOOL) for word, kind in _ORDERED)]


_SIZE = "functions.operators.get_size"
_COLLECTIONS = (
    declare_function("index_list", "_[_]", _LIST, INT, result=_A),
    declare_function("index_map", "_[_]", _MAP, _A, result=_B),
    _make_operator("in_list", "@in", _A, _LIST, result=BOOL),
    _make_operator("in_map", "@in", _A, _MAP, result=BOOL),
    *(
        overload
        for word, kind in (("bytes", BYTES), ("list", _LIST), ("map", _MAP), ("string", STRING))
        for overload in (
            declare_function(f"size_{word}", "size", kind, result=INT, run=_SIZE),
            declare_method(f"{word}_size", "size", kind, result=INT, run=_SIZE),
        )
    ),
)

_WORDS: dict[Type, str] = {
    BOOL: "bool", BYTES: "bytes", DOUBLE: "double", DURATION: "duration", INT: "int64", STRING: "string",
    TIMESTAMP: "timestamp", UINT: "uint64",
}  # fmt: skip
_CONVERSIONS: tuple[tuple[str, Type, tuple[tuple[Type, str], ...]], ...] = (
    ("bool", BOOL, ((BOOL, "return_value"), (STRING, "string_to_bool"))),
    ("bytes", BYTES, ((BYTES, "return_value"), (STRING, "string_to_bytes"))),
    ("double", DOUBLE, ((DOUBLE, "return_value"), (INT, "to_double"), (STRING, "string_to_double"), (UINT,
    "to_double"))),
    ("duration", DURATION, ((DURATION, "return_value"), (STRING, "string_to_duration"))),
    (
        "int",
        INT,
        (
            (INT, "return_value"), (DOUBLE, "double_to_int"), (DURATION, "duration_to_int"), (STRING, "string_to_int"),
            (TIMESTAMP, "timestamp_to_int"), (UINT, "uint_to_int"),
        ),
    ),
    (
        "string",
        STRING,
        (
            (STRING, "return_value"), (BOOL, "bool_to_string"), (BYTES, "bytes_to_string"), (DOUBLE,
            "double_to_string"),
            (DURATION, "duration_to_string"), (INT, "int_to_string"), (TIMESTAMP, "timestamp_to_string"), (UINT,
            "int_to_string"),
        ),
    ),
    ("timestamp", TIMESTAMP, ((TIMESTAMP, "return_value"), (INT, "int_to_timestamp"), (STRING, "string_to_timestamp"))),
    ("uint", UINT, ((UINT, "return_value"), (DOUBLE, "double_to_uint"), (INT, "int_to_uint"), (STRING,
    "string_to_uint"))),
)  # fmt: skip
_BODIES = "functions.type_conversions"
_CONVERTED = (
    *(
        declare_function(f"{_WORDS[source]}_to_{_WORDS[result]}", name, source, result=result, run=f"{_BODIES}.{body}")
        for name, result, sources in _CONVERSIONS
        for source, body in sources
    ),
    declare_function(
        "int64_to_duration",
        "duration",
        INT,
        result=DURATION,
        before=INT_TO_DURATION_REMOVED,
        run=f"{_BODIES}.int_to_duration",
    ),
    declare_function("to_dyn", "dyn", _A, result=DYN, run=f"{_BODIES}.return_value"),
    *split_by_version(
        declare_function("type", "type", _A, result=make_type_type(_A), run=f"{_BODIES}.convert_to_type"),
        (TYPED_OPTIONALS, f"{_BODIES}.convert_to_type_before_optionals"),
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
        for row in split_by_version(
            declare_method(ident, name, STRING, STRING, result=BOOL, run=f"functions.operators.{body}"),
            (RECEIVER_FUNCTIONS, f"functions.operators.{body}_of_string"),
            uniform=True,
        )
    ),
    declare_function(
        "matches", "matches", STRING, STRING, result=BOOL, since=GLOBAL_MATCHES, run="functions.operators.matches"
    ),
    declare_method("matches_string", "matches", STRING, STRING, result=BOOL, run="functions.operators.matches"),
)

_NAMED = {kind.name: kind for kind in (BOOL, BYTES, DOUBLE, DURATION, INT, NULL, STRING, TIMESTAMP, UINT, ANY_TYPE)}

OLD_TYPES = {"list": _LIST, "map": _MAP}  # the types of these names before cel-go 0.27
LIBRARY = Library(
    "cel.lib.std",
    (
        *_LOGIC,
        *_SUMS,
        *_PRODUCTS,
        *(overload for word, name in _ORDERS for overload in _make_order_overloads(word, name)),
        *_COLLECTIONS,
        *_CONVERTED,
        *_TEXTS,
    ),
    STANDARD,
    {**_NAMED, "list": make_list_type(DYN), "map": make_map_type(DYN, DYN)},
)
