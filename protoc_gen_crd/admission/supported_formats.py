"""The formats that an API server enforces, by type.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/validation formats.go.
"""

from __future__ import annotations

from protoc_gen_crd.admission.switches import K8S_NAMES, NUMERIC_FORMATS, Switches

STRING_FORMATS = frozenset((
    "bsonobjectid", "uri", "email", "hostname", "ipv4", "ipv6", "cidr", "mac", "uuid", "uuid3", "uuid4", "uuid5",
    "isbn", "isbn10", "isbn13", "creditcard", "ssn", "hexcolor", "rgbcolor", "byte", "password", "date", "duration",
    "datetime",
))  # fmt: skip
NAME_FORMATS = frozenset(("k8sshortname", "k8slongname"))
NUMBER_FORMATS = {"integer": ("int32", "int64"), "number": ("float", "double")}

# The formats that every server enforces without a warning.
# Shortcut known-formats: `is_enforced` is true of these on every version, and only formats of which it is false cause a
# warning.
ALWAYS_ENFORCED = frozenset(
    {("string", name) for name in STRING_FORMATS}
    | {("string", "date-time")}
    | {(kind, name) for kind, names in NUMBER_FORMATS.items() for name in names}
)


def is_enforced(kind: str, name: str, switches: Switches) -> bool:
    """Return true if a server validates values of this type against this format; ignores dashes in the name."""
    if not name:
        return False
    if kind not in ("", "string") and NUMERIC_FORMATS in switches:
        return name in NUMBER_FORMATS.get(kind, ())
    plain = name.replace("-", "")
    return plain in STRING_FORMATS or (plain in NAME_FORMATS and K8S_NAMES in switches)
