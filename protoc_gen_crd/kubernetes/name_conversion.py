"""Conversion of names: plurals of Kubernetes, lowerCamel of proto JSON."""

from __future__ import annotations

_ES = ("s", "x", "z", "ch", "sh")


def make_plural(singular: str) -> str:
    """Return the plural of a lower-case name by three fixed rules, which no library upgrade can change.

    -es after s, x, z, ch and sh; -ies for a consonant and y; else -s.
    """
    if singular.endswith(_ES):
        return singular + "es"
    if singular.endswith("y") and singular[-2:-1] not in tuple("aeiou"):
        return singular[:-1] + "ies"
    return singular + "s"


def make_json_name(proto_name: str) -> str:
    """Return protoc's JSON name of a field: each `_x` is replaced by `X` (descriptor.cc, ToJsonName)."""
    head, *rest = proto_name.split("_")
    return head + "".join(part[:1].upper() + part[1:] for part in rest)
