"""Identifiers of proto fields, messages, enums and packages for names of any form."""

from __future__ import annotations

import re
from collections.abc import Iterable

from protoc_gen_crd.proto.json_names import make_json_name

_WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_OTHER = re.compile(r"[^0-9A-Za-z]+")
_IDENTIFIER = re.compile(r"[A-Za-z_][0-9A-Za-z_]*")


def is_identifier(name: str) -> bool:
    """Return whether a name is a proto identifier."""
    return _IDENTIFIER.fullmatch(name) is not None


def is_json_name(name: str) -> bool:
    """Return whether protoc accepts a name as `json_name`."""
    return bool(name) and "\0" not in name and not (name.startswith("[") and name.endswith("]"))


def make_field_name(json_name: str, taken: set[str]) -> str:
    """Return a name in lower snake case for a JSON name, and add its derived JSON name to `taken`.

    protoc compares the derived JSON names of the fields of a message.
    """
    exact = re.sub(r"[A-Z]", lambda match: f"_{match[0].lower()}", json_name)
    if is_identifier(exact) and not exact.startswith("_") and make_json_name(exact) == json_name:
        # The name with an underscore before every capital derives the JSON name; words look better if they do, too.
        words = _split_words(json_name)
        name = words if make_json_name(words) == json_name else exact
    else:
        name = _split_words(json_name)
    name = name if name[:1].isalpha() else f"field_{name}".rstrip("_")
    return _make_unique(name, taken, _get_json_key)


def make_type_name(json_name: str) -> str:
    """Return a name in upper camel case for a JSON name."""
    name = "".join(part[:1].upper() + part[1:] for part in _OTHER.split(json_name))
    return name if name[:1].isalpha() else f"Type{name}"


def make_unique_type(candidates: Iterable[str], taken: set[str]) -> str:
    """Return the first candidate that is not taken, or else the last one with a number, and add it to `taken`."""
    name = ""
    for name in candidates:
        if name not in taken:
            taken.add(name)
            return name
    return _make_unique(name, taken, str)


def make_package(group: str, version: str) -> str:
    """Return the package of a version of a group: the labels of the group in reverse order, then the version."""
    labels = [*reversed(group.split(".")), version]
    return ".".join(_make_package_step(label) for label in labels)


def _make_package_step(label: str) -> str:
    name = _OTHER.sub("_", label)
    return name if name[:1].isalpha() else f"_{name}"


def _split_words(name: str) -> str:
    return _OTHER.sub("_", _WORD_START.sub("_", name)).strip("_").lower()


def _get_json_key(name: str) -> str:
    return make_json_name(name).lower()


def _make_unique(name: str, taken: set[str], key: type[str] | object) -> str:
    get_key = key if callable(key) else str
    candidate, number = name, 2
    while get_key(candidate) in taken:
        candidate, number = f"{name}_{number}", number + 1
    taken.add(get_key(candidate))
    return candidate
