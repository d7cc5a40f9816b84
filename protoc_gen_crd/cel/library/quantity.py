"""Quantities such as `1.5Gi`. Source: k8s.io/apiserver pkg/cel/library/quantity.go."""

from __future__ import annotations

from protoc_gen_crd.cel.overloads import Library, Overload, by_version, function, method
from protoc_gen_crd.cel.types import BOOL, DOUBLE, INT, STRING, foreign

QUANTITY = foreign("kubernetes.Quantity")
_SHARED = 36  # servers: up to there, a sum may change its left side
_RUN = "functions.quantity"


def _sums(name: str, word: str) -> list[Overload]:
    rows = []
    for ident, kind in ((f"quantity_{name}", QUANTITY), (f"quantity_{name}_int", INT)):
        row = method(ident, name, QUANTITY, kind, result=QUANTITY, run=f"{_RUN}.{word}")
        rows += by_version(row, (_SHARED, f"{_RUN}.old_{word}"))
    return rows


def _test(ident: str, name: str, run: str) -> Overload:
    return method(ident, name, QUANTITY, QUANTITY, result=BOOL, run=f"{_RUN}.{run}")


LIBRARY = Library(
    "kubernetes.quantity",
    (
        function("string_to_quantity", "quantity", STRING, result=QUANTITY, run=f"{_RUN}.quantity"),
        function("is_quantity_string", "isQuantity", STRING, result=BOOL, run=f"{_RUN}.is_quantity"),
        function("quantity_sign", "sign", QUANTITY, result=INT, run=f"{_RUN}.sign"),
        _test("quantity_is_greater_than", "isGreaterThan", "is_greater"),
        _test("quantity_is_less_than", "isLessThan", "is_less"),
        method("quantity_compare_to", "compareTo", QUANTITY, QUANTITY, result=INT, run=f"{_RUN}.compare"),
        method("quantity_get_float", "asApproximateFloat", QUANTITY, result=DOUBLE, run=f"{_RUN}.as_float"),
        method("quantity_get_int", "asInteger", QUANTITY, result=INT, run=f"{_RUN}.as_integer"),
        method("quantity_is_integer", "isInteger", QUANTITY, result=BOOL, run=f"{_RUN}.is_integer"),
        *_sums("add", "add"),
        *_sums("sub", "subtract"),
    ),
)
