"""Names as Kubernetes and proto JSON form them: plurals, DNS labels, lowerCamel."""

from __future__ import annotations

import re

_DNS1035_LABEL = r"[a-z]([-a-z0-9]*[a-z0-9])?"
_DNS1123_SUBDOMAIN = r"[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*"

_ES = ("s", "x", "z", "ch", "sh")


def plural(singular: str) -> str:
    """The plural of a lower-case name by three fixed rules, which no library upgrade can change.

    -es after s, x, z, ch and sh; -ies for a consonant and y; else -s.
    """
    if singular.endswith(_ES):
        return singular + "es"
    if singular.endswith("y") and singular[-2:-1] not in tuple("aeiou"):
        return singular[:-1] + "ies"
    return singular + "s"


def is_dns1035_label(name: str) -> bool:
    """Whether the name is an RFC 1035 label of at most 63 characters."""
    return len(name) <= 63 and re.fullmatch(_DNS1035_LABEL, name) is not None


def is_dns1123_subdomain(name: str) -> bool:
    """Whether the name is an RFC 1123 subdomain of at most 253 characters."""
    return len(name) <= 253 and re.fullmatch(_DNS1123_SUBDOMAIN, name) is not None


def json_name(proto_name: str) -> str:
    """The JSON name protoc derives from a field name: each `_x` becomes `X` (descriptor.cc, ToJsonName)."""
    head, *rest = proto_name.split("_")
    return head + "".join(part[:1].upper() + part[1:] for part in rest)
