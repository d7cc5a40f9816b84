"""Names of proto elements in generated Python: valid, unique, and in the style of Python."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from keyword import iskeyword

# Where words begin. The s of a plural such as IDs begins none.
_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z](?!s(?:[A-Z]|$))[a-z])")
_BUILTINS = frozenset(["bool", "bytes", "dict", "float", "int", "list", "str", "type"])  # names in annotations
_PARAMETERS = ("self", "context", "version", "source", "target")  # names of parameters in generated functions


def format_attribute(name: str, reserved: Collection[str] = ()) -> str:
    """Format the name of a field as an attribute: unchanged, or with an underscore after a reserved name."""
    plain = f"x{name}" if name.startswith("_") else name
    while iskeyword(plain) or plain in _BUILTINS or plain in reserved:
        plain += "_"
    return plain


def format_member(name: str) -> str:
    """Format the name of an enum value as a member of an enum class."""
    plain = f"x{name}" if name.startswith("_") else name
    return f"{plain}_" if iskeyword(plain) or plain in ("mro", "name", "value") else plain


@lru_cache(maxsize=1024)
def format_method(name: str) -> str:
    """Format the name of an RPC as a method: `GetDiskIDs` becomes `get_disk_ids`."""
    plain = _WORDS.sub("_", name).lower().strip("_")
    plain = plain if plain[:1].isalpha() else f"x{plain}"
    return f"{plain}_" if iskeyword(plain) or plain in _PARAMETERS else plain


def format_class(name: str, reserved: Collection[str] = ()) -> str:
    """Format the name of a type as a class: `Outer.inner_part` becomes `OuterInnerPart`."""
    parts = [part for part in re.split(r"[._]", name) if part]
    plain = "".join(part[:1].upper() + part[1:] for part in parts) or "X"
    plain = plain if plain[0].isalpha() else f"X{plain}"
    return f"{plain}_" if iskeyword(plain) or plain in reserved or plain in _BUILTINS else plain


def format_module(name: str, reserved: Collection[str] = ()) -> str:
    """Format the name of a group or version as a module."""
    plain = re.sub(r"[^a-z0-9_]", "_", _WORDS.sub("_", name).lower())
    plain = plain if plain[:1].isalpha() else f"x{plain}"
    return f"{plain}_" if iskeyword(plain) or plain in reserved else plain


def make_unique(name: str, taken: Collection[str]) -> str:
    """Return a name with the first number that makes it unique."""
    number, unique = 2, name
    while unique in taken:
        number, unique = number + 1, f"{name}{number}"
    return unique
