"""Changes of integer types that have the same encoding, by the direction in which values are lost."""

from __future__ import annotations

from collections.abc import Collection

from protoc_gen_crd.comparison.change import ChangeClass
from protoc_gen_crd.comparison.groups.group_api import REQUEST, RESPONSE

# Integer types with the same encoding: each can be read as those after it in its row, if the value fits.
WIDENING = (("int32", "int64"), ("uint32", "uint64"), ("uint32", "int64"), ("sint32", "sint64"))


def classify_type(before: str, after: str, uses: Collection[str]) -> tuple[str, ChangeClass, str]:
    """Return the rule and class of a change of types, and the direction in which values are lost."""
    if (before, after) in WIDENING:
        if RESPONSE in uses:
            return "change-type", ChangeClass.BREAK, RESPONSE
        return "change-type-widened", ChangeClass.LOOSEN, REQUEST
    if (after, before) in WIDENING:
        if REQUEST in uses:
            return "change-type-narrowed", ChangeClass.BREAK, REQUEST
        return "change-type-narrowed", ChangeClass.LOOSEN, RESPONSE
    return "change-type", ChangeClass.BREAK, REQUEST if REQUEST in uses else RESPONSE
