"""Named formats as values. Source: k8s.io/apiserver pkg/cel/library/format.go, pkg/cel/format.go."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import ClassVar

from protoc_gen_crd.cel.checker.types import Type
from protoc_gen_crd.cel.library.declarations.formats import FORMAT
from protoc_gen_crd.cel.values.identity_key import IdentityKey
from protoc_gen_crd.cel.values.runtime_values import (
    NONE,
    Opaque,
    Optional,
    Value,
    make_no_such_overload,
    panic_unhashable,
)
from protoc_gen_crd.golang.url import UrlError, parse_request
from protoc_gen_crd.kubernetes import dns_names_and_labels
from protoc_gen_crd.kubernetes.date_byte_and_uuid_formats import is_byte, is_date, is_date_time, is_uuid

FormatValidator = Callable[[str], list[str]]


class Format(Opaque):
    """A format; `regex_size` is the assumed length of its pattern."""

    name: str
    faults: FormatValidator
    regex_size: int
    cel_type: ClassVar[Type] = FORMAT

    def get_key(self) -> Hashable:
        """Panic as Go, which cannot hash a format."""
        panic_unhashable("cel.Format")

    def equals(self, other: Value) -> bool:
        """Check whether both formats have the same name."""
        if not isinstance(other, Format):
            raise make_no_such_overload()
        return self.name == other.name


class FormatPointer(Format):
    """A format in 1.31, where it is a pointer and therefore can be a map key."""

    go_type: ClassVar[str] = "*cel.Format"

    def get_key(self) -> Hashable:
        """Return a key that equals only itself."""
        return IdentityKey(self)


def _make_prefix_validator(faults: FormatValidator) -> FormatValidator:
    return lambda string: faults(dns_names_and_labels.mask_trailing_dash(string))


def _make_validator(test: Callable[[str], bool], message: str) -> FormatValidator:
    return lambda string: [] if test(string) else [message]


def _validate_uri(string: str, *, strict: bool) -> list[str]:
    try:
        parse_request(string, strict=strict)
    except UrlError as fault:
        return [str(fault)]
    return []


def _build_formats(kind: type[Format] = Format, *, newer: bool, strict: bool) -> dict[str, Format]:
    label, subdomain, old_label = (
        dns_names_and_labels.validate_dns1123_label,
        dns_names_and_labels.validate_dns1123_subdomain,
        dns_names_and_labels.validate_dns1035_label,
    )
    rows: tuple[tuple[str, str, FormatValidator, int], ...] = (
        ("dns1123Label", "DNS1123Label", label, 30),
        ("dns1123Subdomain", "DNS1123Subdomain", subdomain, 60),
        ("dns1035Label", "DNS1035Label", old_label, 30),
        ("qualifiedName", "QualifiedName", partial(dns_names_and_labels.validate_label_key, newer=newer), 60),
        ("dns1123LabelPrefix", "DNS1123LabelPrefix", _make_prefix_validator(label), 30),
        ("dns1123SubdomainPrefix", "DNS1123SubdomainPrefix", _make_prefix_validator(subdomain), 60),
        ("dns1035LabelPrefix", "DNS1035LabelPrefix", _make_prefix_validator(old_label), 30),
        ("labelValue", "LabelValue", partial(dns_names_and_labels.validate_label_value, newer=newer), 40),
        ("uri", "URI", partial(_validate_uri, strict=strict), 1103),
        ("uuid", "uuid", _make_validator(is_uuid, "does not match the UUID format"), 70),
        ("byte", "byte", _make_validator(is_byte, "invalid base64"), 84),
        ("date", "date", _make_validator(is_date, "invalid date"), 71),
        ("datetime", "datetime", _make_validator(is_date_time, "invalid datetime"), 71),
    )
    return {function: kind(name, faults, size) for function, name, faults, size in rows}


FORMATS = _build_formats(newer=True, strict=True)
_MIDDLE, _OLD = _build_formats(newer=True, strict=False), _build_formats(newer=False, strict=False)
_FIRST = _build_formats(FormatPointer, newer=False, strict=False)
_TABLES = {"": FORMATS, "middle": _MIDDLE, "old": _OLD, "first": _FIRST}


def __getattr__(name: str) -> Callable[[], Format]:
    """Return the function for a format: `uri`, `middle_uri`, `old_uri`, `first_uri`."""
    version, _, plain = name.rpartition("_")
    result = _TABLES.get(version, {}).get(plain)
    if result is None:
        raise AttributeError(name)
    return lambda: result


def find_format(name: str) -> Optional:
    """Return the format with a name, if there is one."""
    return Optional(FORMATS[name]) if name in FORMATS else NONE


def find_format_1_35(name: str) -> Optional:
    """Return the format with a name in 1.35."""
    return Optional(_MIDDLE[name]) if name in _MIDDLE else NONE


def find_format_before_1_35(name: str) -> Optional:
    """Return the format with a name before 1.35."""
    return Optional(_OLD[name]) if name in _OLD else NONE


def find_format_1_31(name: str) -> Optional:
    """Return the format with a name in 1.31."""
    return Optional(_FIRST[name]) if name in _FIRST else NONE


def validate(value: Format, string: str) -> Optional:
    """Return the errors of a string in a format, or optional.none()."""
    faults = value.faults(string)
    return Optional(faults) if faults else NONE
