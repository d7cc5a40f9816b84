"""Named formats as values. Source: k8s.io/apiserver pkg/cel/library/format.go, pkg/cel/format.go."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import partial
from typing import ClassVar

from protoc_gen_crd.base import namefaults
from protoc_gen_crd.base.gourl import UrlError, parse_request
from protoc_gen_crd.base.strfmt import is_byte, is_date, is_date_time, is_uuid
from protoc_gen_crd.cel.identity import Itself
from protoc_gen_crd.cel.library.formats import FORMAT
from protoc_gen_crd.cel.types import Type
from protoc_gen_crd.cel.values import NONE, Opaque, Optional, Value, no_such_overload, unhashable

Faults = Callable[[str], list[str]]


class Format(Opaque):
    """A format; `regex_size` is how long its pattern is taken to be."""

    name: str
    faults: Faults
    regex_size: int
    cel_type: ClassVar[Type] = FORMAT

    def key(self) -> Hashable:
        """None: Go cannot hash it."""
        unhashable("cel.Format")

    def equals(self, other: Value) -> bool:
        """Whether both have one name."""
        if not isinstance(other, Format):
            raise no_such_overload()
        return self.name == other.name


class Pointed(Format):
    """A format as 1.31 holds it: by its address, which makes it a key."""

    go_type: ClassVar[str] = "*cel.Format"

    def key(self) -> Hashable:
        """Itself."""
        return Itself(self)


def _prefix(faults: Faults) -> Faults:
    return lambda text: faults(namefaults.masked(text))


def _test(test: Callable[[str], bool], said: str) -> Faults:
    return lambda text: [] if test(text) else [said]


def _uri(text: str, *, strict: bool) -> list[str]:
    try:
        parse_request(text, strict=strict)
    except UrlError as fault:
        return [str(fault)]
    return []


def _formats(kind: type[Format] = Format, *, newer: bool, strict: bool) -> dict[str, Format]:
    label, subdomain, old_label = namefaults.dns1123_label, namefaults.dns1123_subdomain, namefaults.dns1035_label
    rows: tuple[tuple[str, str, Faults, int], ...] = (
        ("dns1123Label", "DNS1123Label", label, 30),
        ("dns1123Subdomain", "DNS1123Subdomain", subdomain, 60),
        ("dns1035Label", "DNS1035Label", old_label, 30),
        ("qualifiedName", "QualifiedName", partial(namefaults.label_key, newer=newer), 60),
        ("dns1123LabelPrefix", "DNS1123LabelPrefix", _prefix(label), 30),
        ("dns1123SubdomainPrefix", "DNS1123SubdomainPrefix", _prefix(subdomain), 60),
        ("dns1035LabelPrefix", "DNS1035LabelPrefix", _prefix(old_label), 30),
        ("labelValue", "LabelValue", partial(namefaults.label_value, newer=newer), 40),
        ("uri", "URI", partial(_uri, strict=strict), 1103),
        ("uuid", "uuid", _test(is_uuid, "does not match the UUID format"), 70),
        ("byte", "byte", _test(is_byte, "invalid base64"), 84),
        ("date", "date", _test(is_date, "invalid date"), 71),
        ("datetime", "datetime", _test(is_date_time, "invalid datetime"), 71),
    )
    return {function: kind(name, faults, size) for function, name, faults, size in rows}


FORMATS = _formats(newer=True, strict=True)
_MIDDLE, _OLD = _formats(newer=True, strict=False), _formats(newer=False, strict=False)
_FIRST = _formats(Pointed, newer=False, strict=False)
_TABLES = {"": FORMATS, "middle": _MIDDLE, "old": _OLD, "first": _FIRST}


def __getattr__(name: str) -> Callable[[], Format]:
    """The function that gives a format: `uri`, `middle_uri`, `old_uri`, `first_uri`."""
    age, _, plain = name.rpartition("_")
    found = _TABLES.get(age, {}).get(plain)
    if found is None:
        raise AttributeError(name)
    return lambda: found


def named(name: str) -> Optional:
    """The format of a name, if there is one."""
    return Optional(FORMATS[name]) if name in FORMATS else NONE


def middle_named(name: str) -> Optional:
    """The same in 1.35."""
    return Optional(_MIDDLE[name]) if name in _MIDDLE else NONE


def old_named(name: str) -> Optional:
    """The same before 1.35."""
    return Optional(_OLD[name]) if name in _OLD else NONE


def first_named(name: str) -> Optional:
    """The same in 1.31."""
    return Optional(_FIRST[name]) if name in _FIRST else NONE


def validate(value: Format, text: str) -> Optional:
    """What is wrong with a text, none if nothing is."""
    faults = value.faults(text)
    return Optional(faults) if faults else NONE
