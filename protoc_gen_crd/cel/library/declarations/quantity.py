"""Quantities such as `1.5Gi`. Source: k8s.io/apiserver pkg/cel/library/quantity.go."""

from __future__ import annotations

from protoc_gen_crd.cel.checker.overloads import Library, Overload, declare_function, declare_method, split_by_version
from protoc_gen_crd.cel.checker.types import BOOL, DOUBLE, INT, STRING, make_undeclared_object
from protoc_gen_crd.cel.version_differences import COPIED_QUANTITIES

QUANTITY = make_undeclared_object("kubernetes.Quantity")
_RUN = "functions.quantity"


def _make_sum_overloads(name: str, word: str) -> list[Overload]:
    rows = []
    for ident, kind in ((f"quantity_{name}", QUANTITY), (f"quantity_{name}_int", INT)):
        row = declare_method(ident, name, QUANTITY, kind, result=QUANTITY, run=f"{_RUN}.{word}")
        rows += split_by_version(row, (COPIED_QUANTITIES, f"{_RUN}.old_{word}"))
    return rows


def _make_test_overload(ident: str, name: str, run: str) -> Overload:
    return declare_method(ident, name, QUANTITY, QUANTITY, result=BOOL, run=f"{_RUN}.{run}")


LIBRARY = Library(
    "kubernetes.quantity",
    (
        declare_function("string_to_quantity", "quantity", STRING, result=QUANTITY, run=f"{_RUN}.parse_cel_quantity"),
        declare_function("is_quantity_string", "isQuantity", STRING, result=BOOL, run=f"{_RUN}.is_quantity"),
        declare_function("quantity_sign", "sign", QUANTITY, result=INT, run=f"{_RUN}.get_sign"),
        _make_test_overload("quantity_is_greater_than", "isGreaterThan", "is_greater"),
        _make_test_overload("quantity_is_less_than", "isLessThan", "is_less"),
        declare_method("quantity_compare_to", "compareTo", QUANTITY, QUANTITY, result=INT, run=f"{_RUN}.compare"),
        declare_method("quantity_get_float", "asApproximateFloat", QUANTITY, result=DOUBLE, run=f"{_RUN}.as_float"),
        declare_method("quantity_get_int", "asInteger", QUANTITY, result=INT, run=f"{_RUN}.as_integer"),
        declare_method("quantity_is_integer", "isInteger", QUANTITY, result=BOOL, run=f"{_RUN}.is_integer"),
        *_make_sum_overloads("add", "add"),
        *_make_sum_overloads("sub", "subtract"),
    ),
)
