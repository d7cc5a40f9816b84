"""Quantities such as `1.5Gi`. Source: k8s.io/apiserver pkg/cel/library/quantity.go."""

from __future__ import annotations

from protoc_gen_crd.cel.overloads import Library, function, method
from protoc_gen_crd.cel.types import BOOL, DOUBLE, INT, STRING, foreign

QUANTITY = foreign("kubernetes.Quantity")

LIBRARY = Library(
    "kubernetes.quantity",
    (
        function("string_to_quantity", "quantity", STRING, result=QUANTITY),
        function("is_quantity_string", "isQuantity", STRING, result=BOOL),
        function("quantity_sign", "sign", QUANTITY, result=INT),
        method("quantity_is_greater_than", "isGreaterThan", QUANTITY, QUANTITY, result=BOOL),
        method("quantity_is_less_than", "isLessThan", QUANTITY, QUANTITY, result=BOOL),
        method("quantity_compare_to", "compareTo", QUANTITY, QUANTITY, result=INT),
        method("quantity_get_float", "asApproximateFloat", QUANTITY, result=DOUBLE),
        method("quantity_get_int", "asInteger", QUANTITY, result=INT),
        method("quantity_is_integer", "isInteger", QUANTITY, result=BOOL),
        method("quantity_add", "add", QUANTITY, QUANTITY, result=QUANTITY),
        method("quantity_add_int", "add", QUANTITY, INT, result=QUANTITY),
        method("quantity_sub", "sub", QUANTITY, QUANTITY, result=QUANTITY),
        method("quantity_sub_int", "sub", QUANTITY, INT, result=QUANTITY),
    ),
)
