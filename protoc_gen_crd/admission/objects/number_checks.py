"""Validation of numbers against bounds, factors, and formats, with Go's conversions.

An integer in JSON is an int64 and any other number a float64, here int and float. A bound is a float64; to compare it
with an int64, it is truncated to int64.
Source: k8s.io/kube-openapi pkg/validation/validate values.go, github.com/go-openapi/swag convert.go.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Mapping
from typing import Any

from protoc_gen_crd.admission.version_differences import NEAREST_WHOLE, POSITIVE_FACTORS
from protoc_gen_crd.golang.fmt import format_number
from protoc_gen_crd.kubernetes.shared_results import Switches

_LARGEST = float((1 << 53) - 1)
_RANGES = {"int32": 31, "int64": 63, "": 63}


def is_whole(value: float, switches: Switches) -> bool:
    """Return true if a float64 is close enough to an integer that JSON represents exactly."""
    if math.isnan(value) or math.isinf(value) or abs(value) > _LARGEST:
        return False
    if value.is_integer():
        return True
    if NEAREST_WHOLE in switches:
        nearest = math.floor(abs(value) + 0.5)
        return abs(abs(value) - nearest) < 1e-9 * nearest
    unsigned = float(int(value) % (1 << 64))
    return unsigned != 0 and abs(value - unsigned) / (abs(value) + unsigned) < 1e-9


def as_int64(value: float) -> int:
    """Truncate a float64 to an int64; out of range, the result is the smallest int64, as on amd64."""
    if math.isnan(value) or not -(2.0**63) <= value < 2.0**63:
        return -(1 << 63)
    return int(value)


def is_out_of_range(value: float, kind: str, name: str) -> bool:
    """Return true if a number does not fit a type and format."""
    if kind == "integer":
        if isinstance(value, float) and not value.is_integer():
            return True
        bits = _RANGES[name]
        whole = int(format_number(value, large=400)) if isinstance(value, float) else value  # the shortest digits count
        return not -(1 << bits) <= whole < 1 << bits
    if kind == "number" and name == "float":
        try:
            struct.pack("<f", float(value))
        except OverflowError:
            return True
    return False


_WRAPS = float(1 << 63)  # bounds from here on change when they are truncated to int64


class NumberValidator:
    """The number keywords of a schema, with the type and format that a server enforces."""

    def __init__(self, keywords: Mapping[str, object], kind: str, name: str, switches: Switches) -> None:
        self.keywords, self.kind, self.name, self.switches = keywords, kind, name, switches
        self.safe_range = self._compute_safe_range()

    def _compute_safe_range(self) -> tuple[float, float]:
        """Return two numbers between which every int is valid; an int at them, or beyond, is checked in full.

        Shortcut safe-range: the numbers are the bounds that `find_errors` compares with, float64s rounded into the
        range, and every type, format and factor that could fail empties the range.
        """
        bits = _RANGES[self.name] if self.kind == "integer" else 63
        limits = {key: self.keywords.get(key) for key in ("minimum", "maximum")}
        bounds = {key: float(bound) for key, bound in limits.items() if isinstance(bound, int | float)}
        if "multipleOf" in self.keywords or any(abs(bound) >= _WRAPS for bound in bounds.values()):
            return 0, 0
        if any(is_out_of_range(bound, self.kind, self.name) for bound in bounds.values()):
            return 0, 0
        low, high = bounds.get("minimum", -_WRAPS), bounds.get("maximum", _WRAPS)
        return max(-float(1 << bits), math.ceil(low)), min(float(1 << bits), math.floor(high))

    def find_errors(self, value: int | float, path: str) -> Iterator[tuple[str, object, bool]]:
        """Return error messages, each with its value and whether it is located at the path of the value."""
        yield from self._check_type(value, "Checked", path)
        for keyword, name in (("multipleOf", "MultipleOf"), ("minimum", "Minimum"), ("maximum", "Maximum")):
            limit = self.keywords.get(keyword)
            if not isinstance(limit, int | float):
                continue
            bound = float(limit)
            suffix = "" if keyword == "multipleOf" else " boundary"
            type_errors = list(self._check_type(bound, name + suffix, path))
            yield from type_errors
            exact = isinstance(value, int) and not type_errors
            if keyword == "multipleOf":
                yield from self._check_multiple_of(value, bound, path, exact=exact)
            else:
                yield from self._check_bound(keyword, value, bound, path, exact=exact)

    def _check_type(self, value: float, what: str, path: str) -> Iterator[tuple[str, object, bool]]:
        if is_out_of_range(value, self.kind, self.name):
            form = f"with format {self.name}" if self.name else "(default format)"
            yield f"{what} value must be of type {self.kind} {form} in {path}", "", False

    def _check_bound(
        self, keyword: str, value: float, bound: float, path: str, *, exact: bool
    ) -> Iterator[tuple[str, object, bool]]:
        excluded = bool(self.keywords.get("exclusive" + keyword.capitalize()))
        data: float = value if exact else float(value)
        limit: float = as_int64(bound) if exact else bound
        sign = 1 if keyword == "maximum" else -1
        if sign * data > sign * limit or (excluded and data == limit):
            relation = ("less" if sign > 0 else "greater") + (" than" if excluded else " than or equal to")
            yield f"{path} in body should be {relation} {_format_number(limit)}", data, True

    def _check_multiple_of(
        self, value: float, factor: float, path: str, *, exact: bool
    ) -> Iterator[tuple[str, object, bool]]:
        step: float = as_int64(factor) if exact else factor
        if step < 0 or (step == 0 and (exact or POSITIVE_FACTORS in self.switches)):  # 1.25 panics at an exact 0
            yield f"factor MultipleOf declared for {path} must be positive: {_format_number(step)}", step, True
            return
        quotient = math.inf if not step else 1 / step * value if step < 1 else value / step
        if (value % step != 0) if exact else not is_whole(quotient, self.switches):
            yield (
                f"{path} in body should be a multiple of {_format_number(step)}",
                value if exact else float(value),
                True,
            )


def _format_number(value: float) -> str:
    return format_number(value) if isinstance(value, float) else str(value)


def normalize_numbers(value: Any) -> Any:
    """Return a JSON value after a round trip through storage, which writes 1.0 as 1 and reads it as an integer."""
    if type(value) is float and value.is_integer() and -(2.0**63) <= value < 2.0**63:
        return int(value)
    if type(value) is list:
        return [normalize_numbers(item) for item in value]
    return {key: normalize_numbers(item) for key, item in value.items()} if type(value) is dict else value
