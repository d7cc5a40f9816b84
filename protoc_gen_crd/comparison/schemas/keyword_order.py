"""The partial order of each schema keyword: whether a value accepts the same, more, fewer, or other objects.

Values are effective values, as `enforced_keywords` returns them; None is an absent keyword, which accepts everything.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping
from enum import Enum
from typing import Any

from protoc_gen_crd.admission.objects.number_checks import as_int64
from protoc_gen_crd.comparison.schemas.enforced_keywords import FLOAT_LIMIT
from protoc_gen_crd.schema.schema import EMBEDDED, LIST_MAP_KEYS, LIST_TYPE


class Order(Enum):
    """The relation of a new value to an old one."""

    EQUAL = "equal"
    WIDER = "wider"
    NARROWER = "narrower"
    INCOMPARABLE = "incomparable"

    @property
    def is_narrowing(self) -> bool:
        """Return whether the new value rejects objects that the old one accepts."""
        return self in (Order.NARROWER, Order.INCOMPARABLE)


_FORMAT_LIMITS = (FLOAT_LIMIT, math.inf)
# Enforced formats of strings, without dashes, that accept all strings of others.
# Source: k8s.io/kube-openapi pkg/validation/strfmt default.go, kubernetes-extensions.go.
_INCLUDING_FORMATS = {
    **dict.fromkeys(("uuid3", "uuid4", "uuid5"), ("uuid",)),
    **dict.fromkeys(("isbn10", "isbn13"), ("isbn",)),
    "k8sshortname": ("k8slongname",),
}
ValueOrder = Callable[[Any, Any], Order]


def make_order(*, accepts_old: bool, accepts_more: bool) -> Order:
    """Return the order of a new value that accepts all old objects or not, and objects that were rejected or not."""
    if accepts_old:
        return Order.WIDER if accepts_more else Order.EQUAL
    return Order.INCOMPARABLE if accepts_more else Order.NARROWER


def combine_orders(orders: Iterable[Order]) -> Order:
    """Return the order of several independent parts together."""
    distinct = set(orders)
    return make_order(
        accepts_old=not any(order.is_narrowing for order in distinct),
        accepts_more=bool(distinct & {Order.WIDER, Order.INCOMPARABLE}),
    )


def compare_by(is_included: Callable[[Any, Any], bool]) -> ValueOrder:
    """Return the order of a relation: whether all objects that the first value accepts are accepted by the second."""

    def compare(old: Any, new: Any) -> Order:
        if old is None or new is None:
            return make_order(accepts_old=new is None, accepts_more=old is not None)
        return make_order(accepts_old=is_included(old, new), accepts_more=not is_included(new, old))

    return compare


def to_key(value: Any) -> str:
    """Return a string that is equal for equal JSON values."""
    return json.dumps(value, sort_keys=True)


def _is_multiple(old: Any, new: Any) -> bool:
    """Report whether multiples of the old number are multiples of the new one; 0 accepts no number.

    Servers compare integers with the factor without its fraction. A factor of floats is in a tuple with the largest
    float that servers accept. Source: k8s.io/kube-openapi pkg/validation/validate values.go (MultipleOf,
    MultipleOfInt).
    """
    from fractions import Fraction  # noqa: PLC0415 - few factors change

    (before, *old_limit), (after, *new_limit) = (side if isinstance(side, tuple) else (side,) for side in (old, new))
    pairs = ((math.trunc(before), math.trunc(after)), (Fraction(str(before)), Fraction(str(after))))
    is_multiple = before == after or all(not first or (second and not first % second) for first, second in pairs)
    return bool(is_multiple and old_limit <= new_limit)


def _is_enum_included(old: Any, new: Any) -> bool:
    return set(map(to_key, old)) <= set(map(to_key, new))


def _is_pattern_included(old: Any, new: Any) -> bool:
    """Report whether the new pattern certainly matches what the old one matches."""
    if old == new:
        return True
    from protoc_gen_crd.samples.pattern_strings import find_differences  # noqa: PLC0415 - few patterns change

    return find_differences((old,), new).is_complete


def _is_format_included(old: Any, new: Any) -> bool:
    return bool(old == new or new in _INCLUDING_FORMATS.get(old, ()))


def _is_equal(old: Any, new: Any) -> bool:
    return bool(old == new)


def _compare_bounds(is_included: Callable[[Any, Any], bool]) -> ValueOrder:
    """Return the order of bounds, with which servers compare floats, and integers after a conversion to int64.

    Source: k8s.io/kube-openapi pkg/validation/validate values.go (MaximumNativeType, MinimumNativeType).
    """
    return compare_by(
        lambda old, new: is_included(old, new) and is_included(_convert_to_int64(old), _convert_to_int64(new))
    )


def _convert_to_int64(bound: Any) -> Any:
    """Return the bound that servers compare with integers, which is the bound itself if it is that of a format."""
    value, *flags = bound if isinstance(bound, tuple) else (bound,)
    return (value if abs(value) in _FORMAT_LIMITS else as_int64(value), *flags)


at_least = _compare_bounds(lambda old, new: old >= new)
at_most = _compare_bounds(lambda old, new: old <= new)
exact = compare_by(_is_equal)

ORDERS: Mapping[str, ValueOrder] = {
    **dict.fromkeys(("minimum", "minLength", "minItems", "minProperties"), at_least),
    **dict.fromkeys(("maximum", "maxLength", "maxItems", "maxProperties"), at_most),
    "multipleOf": compare_by(_is_multiple),
    "enum": compare_by(_is_enum_included),
    "pattern": compare_by(_is_pattern_included),
    "format": compare_by(_is_format_included),
    "required": compare_by(lambda old, new: set(new) <= set(old)),
    "uniqueItems": exact,
    EMBEDDED: exact,
    LIST_TYPE: exact,
    LIST_MAP_KEYS: compare_by(lambda old, new: set(old) <= set(new)),  # more keys make fewer items equal
}
