"""The formats that an API server enforces, by type.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/validation formats.go.
"""

from __future__ import annotations

from protoc_gen_crd.admission.version_differences import K8S_NAMES, NUMERIC_FORMATS
from protoc_gen_crd.kubernetes.shared_results import Switches

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
    plain = name.replace("-", "")
    is_string_format = plain in STRING_FORMATS or (plain in NAME_FORMATS and K8S_NAMES in switches)
    if kind in ("", "string") or is_string_format == is_numeric_format(kind, name):
        return is_string_format
    return is_numeric_format(kind, name) if NUMERIC_FORMATS in switches else is_string_format


def is_numeric_format(kind: str, name: str) -> bool:
    """Return true for a format of numbers of this type."""
    return name in NUMBER_FORMATS.get(kind, ())
