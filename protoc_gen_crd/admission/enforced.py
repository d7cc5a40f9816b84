"""Which formats an API server enforces, by type.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/validation formats.go.
"""

from __future__ import annotations

from protoc_gen_crd.admission.switches import K8S_NAMES, NUMERIC_FORMATS, Switches

TEXTS = frozenset((
    "bsonobjectid", "uri", "email", "hostname", "ipv4", "ipv6", "cidr", "mac", "uuid", "uuid3", "uuid4", "uuid5",
    "isbn", "isbn10", "isbn13", "creditcard", "ssn", "hexcolor", "rgbcolor", "byte", "password", "date", "duration",
    "datetime",
))  # fmt: skip
NAMES = frozenset(("k8sshortname", "k8slongname"))
NUMBERS = {"integer": ("int32", "int64"), "number": ("float", "double")}

# What every server takes without a word, for a quick look.
ALWAYS = frozenset(
    {("string", name) for name in TEXTS}
    | {("string", "date-time")}
    | {(kind, name) for kind, names in NUMBERS.items() for name in names}
)


def is_enforced(kind: str, name: str, switches: Switches) -> bool:
    """Whether a server checks values of this type by this format; dashes in the name are of no account."""
    if not name:
        return False
    if kind not in ("", "string") and NUMERIC_FORMATS in switches:
        return name in NUMBERS.get(kind, ())
    plain = name.replace("-", "")
    return plain in TEXTS or (plain in NAMES and K8S_NAMES in switches)
