"""Random expressions of the CEL that cel-python supports, evaluated by both.

cel-python shares no code and no author with this project. An outcome is a value or the word "error": error
messages differ. `DIFFERENCES` lists the known differences of cel-python.
"""

from __future__ import annotations

import base64
import logging
import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from math import isfinite
from random import Random
from typing import Any

import celpy
from celpy import celtypes
from celpy.adapter import json_to_cel

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cel.checker.checker import CheckedAst, compile_text
from protoc_gen_crd.cel.checker.literal_validators import list_children
from protoc_gen_crd.cel.interpreter.program import ProgramError, make_program
from protoc_gen_crd.cel.parser.ast import Call, Comprehension, Expr, MapExpr
from tests.judges.celtypes.evaluated import answered
from tests.judges.celtypes.ours import surroundings

Value = Any

_MINOR = 37
_LOGIC = ("_&&_", "_||_")

_INTS = ("0", "1", "2", "-3", "7", "9223372036854775807", "-9223372036854775808", "self.i", "self.n")
_UINTS = ("0u", "1u", "5u", "18446744073709551615u")
_DOUBLES = ("0.0", "1.5", "-2.0", "1e300", "0.1", "self.d")
_STRINGS = ("''", "'a'", "'ab'", "'b'", "'é'", "'10'", "'true'", "'2020-01-02T03:04:05Z'", "'1h'", "self.s", "self.t")
_BYTES = ("b''", "b'a'", "b'\\xff'")
_LITERALS = {
    "int": _INTS, "uint": _UINTS, "double": _DOUBLES, "string": _STRINGS, "bytes": _BYTES,
    "bool": ("true", "false", "self.b"), "list": ("[]", "[1, 2]", "[3]", "self.l"), "null": ("null",),
    "map": ("{}", "{'a': 1}", "{'a': 2, 'b': 3}", "self.m"),
    "duration": ("duration('1h')", "duration('-90s')", "duration('0s')"),
    "timestamp": ("timestamp('2020-01-02T03:04:05Z')", "timestamp('1999-12-31T23:59:59.5Z')"),
}  # fmt: skip
# Forms of each type: a word in braces is an expression of that type.
_FORMS = {
    "int": (
        "({int} + {int})", "({int} - {int})", "({int} * {int})", "({int} / {int})", "({int} % {int})", "-({int})",
        "size({string})", "size({list})", "{map}.size()", "{list}[{int}]", "{map}[{string}]", "int({double})",
        "int({uint})", "int({string})", "({bool} ? {int} : {int})", "int({timestamp})", "{timestamp}.getFullYear()",
        "{timestamp}.getDayOfWeek()", "{duration}.getMinutes()", "{timestamp}.getDate()", "size({bytes})",
        "{timestamp}.getMilliseconds()", "{duration}.getSeconds()",
    ),
    "uint": ("({uint} + {uint})", "({uint} - {uint})", "({uint} * {uint})", "({uint} % {uint})", "uint({int})"),
    "double": (
        "({double} + {double})", "({double} / {double})", "({double} * {double})", "-({double})", "double({int})",
        "double({string})",
    ),
    "string": (
        "({string} + {string})", "string({int})", "string({uint})", "string({bool})", "string({bytes})",
        "string({double})", "({bool} ? {string} : {string})", "string({duration})", "string({timestamp})",
    ),
    "bytes": ("({bytes} + {bytes})", "bytes({string})"),
    "bool": (
        "({int} < {int})", "({int} >= {int})", "({int} == {int})", "({string} == {string})", "({string} < {string})",
        "({bool} && {bool})", "({bool} || {bool})", "!({bool})", "{string}.startsWith({string})",
        "{string}.endsWith({string})", "{string}.contains({string})", "({int} in {list})", "({string} in {map})",
        "{list}.all(x, x > {int})", "{list}.exists(x, x == {int})", "{list}.exists_one(x, x != {int})",
        "{map}.all(k, k != {string})", "has(self.s)", "has(self.none)", "({list} == {list})", "({map} == {map})",
        "({bytes} < {bytes})", "({double} < {double})", "({double} == {double})", "({uint} == {uint})",
        "({duration} < {duration})", "({timestamp} == {timestamp})", "{string}.matches('^a*b?$')",
        "(dyn({int}) == dyn({double}))", "(dyn({int}) == dyn({string}))", "bool({string})", "({bool} != {bool})",
        "({null} == dyn({string}))", "(type({int}) == int)", "({uint} < {int})", "(dyn({uint}) == dyn({int}))",
        "({bool} ? {bool} : {bool})", "({timestamp} > {timestamp})", "(dyn({list}) == dyn({map}))",
    ),
    "list": (
        "({list} + {list})", "{list}.map(x, x + {int})", "{list}.filter(x, x > {int})", "[{int}, {int}]",
        "({bool} ? {list} : {list})",
    ),
    "map": ("{{'a': {int}}}", "{{{string}: {int}, 'z': {int}}}", "({bool} ? {map} : {map})"),
    "duration": ("({duration} + {duration})", "({timestamp} - {timestamp})", "duration({string})"),
    "timestamp": ("({timestamp} + {duration})", "({timestamp} - {duration})", "timestamp({string})"),
    "null": (),
}  # fmt: skip
DATA = {"i": 4, "n": -1, "d": 2.5, "s": "b", "t": "self", "b": True, "l": [5, 6, 5], "m": {"a": 1, "k": 0}}
SCHEMA = {
    "type": "object",
    "properties": {
        **{name: {"type": "integer"} for name in "in"}, "d": {"type": "number"}, "b": {"type": "boolean"},
        **{name: {"type": "string"} for name in ("s", "t", "none")},
        "l": {"type": "array", "items": {"type": "integer"}},
        "m": {"type": "object", "additionalProperties": {"type": "integer"}},
    },
}  # fmt: skip


def draw(random: Random, kind: str = "", depth: int = 3) -> str:
    """An expression of a type."""
    kind = kind or random.choice(tuple(_FORMS))
    forms = _FORMS[kind] if depth and random.random() < 0.8 else ()
    if not forms:
        return random.choice(_LITERALS[kind])
    text = re.sub(r"\{(\w+)\}", lambda name: draw(random, name[1], depth - 1), random.choice(forms))
    return text.replace("{{", "{").replace("}}", "}")


class Difference(Record):
    """Calls for which cel-python has another outcome: the function, the type of an operand or "", and the reason."""

    function: str
    operand: str
    example: str
    reason: str


_FOLDED = Difference(
    "", "", "true ? 1 : int('x')",
    "servers convert constants before they evaluate, so that a conversion fails even where its value is not needed",
)  # fmt: skip
_RAISED = Difference(
    "", "", "false && [1].map(x, x / 0) == [1]",
    "it does not absorb an error within map, filter and exists_one, only one within all and exists",
)  # fmt: skip
DIFFERENCES = (
    Difference("string", "bool", "string(true)", "it writes True and False, as Python does"),
    Difference("string", "double", "string(1.0)", "it writes 1.0, where cel-go writes 1"),
    Difference(
        "string", "google.protobuf.Timestamp", "string(timestamp('2020-01-02T03:04:05.5Z'))",
        "it drops fractions of a second",
    ),
    Difference(
        "string", "google.protobuf.Duration", "string(duration('1.5s'))", "it drops fractions of a second",
    ),
    Difference("_==_", "dyn", "dyn(1) == dyn('a')", "values of different types are an error, not unequal"),
    Difference("_/_", "double", "0.0 / 0.0", "it divides by zero to infinity, whatever the signs, and never to NaN"),
    Difference("_%_", "int", "-9223372036854775808 % -1", "it does not report the overflow"),
    Difference("int", "double", "int(double(-9223372036854775808))", "it accepts the lowest integer as a double"),
    Difference("_[_]", "list", "[1, 2][-1]", "it counts negative indexes from the end, as Python does"),
    Difference("bool", "string", "bool(string(5))", "it takes any string of digits but 0 for true"),
    Difference("timestamp", "string", "timestamp(string(2020))", "it reads more forms than those of RFC 3339"),
    _FOLDED,
    _RAISED,
    Difference("duration", "string", "duration(string(0))", "it requires a unit, also for 0"),
    Difference("contains", "string", "('a' + 'b').contains('a')", "the sum of strings has no such method"),
    Difference("{}", "", "{'a': 1 / 0}", "it keeps the error of an entry as a value of the map"),
    Difference(
        "@in", "list", "int(5u + 18446744073709551615u) in []",
        "servers do not evaluate the value that is looked for in an empty list",
    ),
)  # fmt: skip


def compile_subset(text: str) -> CheckedAst | None:
    """An expression on `DATA`, None if it does not compile."""
    within, variables = surroundings(_make_request(text), _MINOR)
    checked = compile_text(text, within, variables)
    return checked if isinstance(checked, CheckedAst) else None


def _make_request(text: str) -> dict[str, Any]:
    return {"expr": text, "schema": SCHEMA, "self": DATA}


def find_known_differences(checked: CheckedAst) -> list[Difference]:
    """Return the known differences that an expression may show."""
    within, variables = surroundings(_make_request(""), _MINOR)
    differences = [_FOLDED] if isinstance(make_program(checked, within, tuple(variables)), ProgramError) else []
    waiting: list[Expr] = [checked.ast.root]
    while waiting:
        node = waiting.pop()
        below = list_children(node)
        function = node.function if isinstance(node, Call) else "{}" if isinstance(node, MapExpr) else ""
        operands = {"", *(checked.types[operand.id].name for operand in below)}
        differences += [row for row in DIFFERENCES if row.function == function != "" and row.operand in operands]
        differences += [_RAISED] if function in _LOGIC and any(map(_is_raising, _list_descendants(node))) else []
        waiting += below
    return differences


def _list_descendants(node: Expr) -> Iterator[Expr]:
    for child in list_children(node):
        yield child
        yield from _list_descendants(child)


def _is_raising(node: Expr) -> bool:
    """Report whether a node is an expanded macro other than all and exists, whose steps are operands of logic."""
    return isinstance(node, Comprehension) and not (isinstance(node.step, Call) and node.step.function in _LOGIC)


def ours(text: str) -> Value:
    """Return our value, or "error"."""
    answer = answered(_make_request(text), _MINOR)
    return _normalize(answer["result"]) if "result" in answer else "error"


def _normalize(value: Value) -> Value:
    """Return a value in the common form."""
    ((kind, inner),) = value.items()
    if kind == "google.protobuf.Duration":
        return {"seconds": float(inner.removesuffix("s"))}
    if kind == "google.protobuf.Timestamp":
        return {"seconds": datetime.fromisoformat(inner).timestamp()}
    if kind == "double":
        return _spell_float(float(inner))
    if kind == "list":
        return {"list": list(map(_normalize, inner))}
    if kind == "map":
        return {"map": sorted([[_normalize(key), _normalize(item)] for key, item in inner], key=repr)}
    return value


def theirs(text: str) -> Value:
    """Return cel-python's value in the common form."""
    logging.getLogger("celpy").setLevel(logging.CRITICAL)
    environment = celpy.Environment()
    try:
        program = environment.program(environment.compile(text))
        return _spell(program.evaluate({"self": json_to_cel(DATA)}))
    except Exception:  # some of Python's exceptions are not caught
        return "error"


def _spell(value: Any) -> Value:
    for kind, spell in _SPELLED:
        if isinstance(value, kind):
            return spell(value)
    return {"null": None} if value is None else {"type": str(value)}


def _spell_float(value: float) -> Value:
    return {"double": float(value) if isfinite(value) and value else str(float(value))}


_SPELLED: tuple[tuple[type, Callable[[Any], Value]], ...] = (
    (celtypes.BoolType, lambda value: {"bool": bool(value)}),
    (bool, lambda value: {"bool": value}),
    (celtypes.UintType, lambda value: {"uint": int(value)}),
    (celtypes.IntType, lambda value: {"int": int(value)}),
    (float, _spell_float),
    (str, lambda value: {"string": str(value)}),
    (bytes, lambda value: {"bytes": base64.b64encode(value).decode()}),
    (timedelta, lambda value: {"seconds": value.total_seconds()}),
    (datetime, lambda value: {"seconds": value.timestamp()}),
    (list, lambda value: {"list": list(map(_spell, value))}),
    (dict, lambda value: {"map": sorted([[_spell(key), _spell(item)] for key, item in value.items()], key=repr)}),
)
