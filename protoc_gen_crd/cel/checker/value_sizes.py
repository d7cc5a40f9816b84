"""Maximum sizes of the values of a schema, which cost estimates use, and their differences between Kubernetes versions.

Source: k8s.io/apiserver pkg/cel/common/schemas.go, pkg/cel/limits.go; k8s.io/apiextensions-apiserver
pkg/apiserver/schema/cel/model/schemas.go.
"""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd.base.record import Record

LONGEST = 3 * 1024 * 1024 - 2  # bytes between the brackets or quotes of a value that fills a request
SHORTEST = {"boolean": 4, "number": 1, "integer": 1, "string": 2}  # bytes of JSON
FORMATTED = {"duration": (3, 32), "date": (12, 12), "date-time": (21, 32)}  # minimum and maximum bytes of JSON
_NAMES = {"name": 253, "generateName": 252}


class SizeRules(Record):
    """Bounds that depend on the Kubernetes version: enums (1.29), int-or-string's maxLength (1.34), names (1.37)."""

    enums: bool
    int_or_strings: bool
    names: bool

    def get_bound(self, bound: int | None, default: int) -> int:
        """Return the bound of the schema, or by default what fits into a request."""
        return default if bound is None else max(bound, 0)

    def bound_string(self, longest: int | None, choices: Sequence[object] | None) -> int:
        """Return the maximum bytes of a string: a character takes up to four."""
        if longest is None and choices and self.enums:
            return max([len(choice.encode()) for choice in choices if isinstance(choice, str)], default=0)
        return LONGEST if longest is None else 4 * max(longest, 0)

    def bound_int_or_string(self, longest: int | None) -> int:
        """Return the maximum bytes of an int-or-string."""
        return self.bound_string(longest if self.int_or_strings else None, None)

    def bound_name(self, which: str, longest: int | None) -> int | None:
        """Return the effective maxLength of `metadata.name` or `metadata.generateName`."""
        if not self.names:
            return None
        return _NAMES[which] if longest is None else min(_NAMES[which], longest)
