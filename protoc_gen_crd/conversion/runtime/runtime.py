"""Types, errors and entry points of generated conversion modules.

Only the standard library is used, here and in the other modules. Results share parts
with their arguments; arguments are not changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Object = dict[str, Any]
Path = tuple[str, ...]
Kinds = frozenset[type]
Change = Callable[[Any, str], Any]  # a value and its path to the converted value
Convert = Callable[[Object, str], Object]  # an object and the target version
# Conversion functions by source and target version.
Conversions = Mapping[tuple[str, str], Callable[[Object], Object]]


class Missing:
    """The type of MISSING."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Any = Missing()
TEXT: Kinds = frozenset((str,))
INTEGER: Kinds = frozenset((int,))
NUMBER: Kinds = frozenset((int, float))
BOOLEAN: Kinds = frozenset((bool,))
OBJECT: Kinds = frozenset((dict,))
LIST: Kinds = frozenset((list,))
EITHER: Kinds = frozenset((int, str))
NULL: Kinds = frozenset((type(None),))
ANY: Kinds = frozenset((str, int, float, bool, dict, list))
ANYTHING: Kinds = ANY | NULL
_WORDS = {
    str: "a string",
    int: "an integer",
    float: "a number",
    bool: "a boolean",
    dict: "an object",
    list: "a list",
}


class ConversionError(ValueError):
    """An object that cannot be converted: the path, and the reason."""


def make_type_error(path: str, expected: str, value: object) -> ConversionError:
    """Build an error for a value of another type or range; it shows only scalars."""
    if type(value) is bool:
        actual = "true" if value else "false"
    elif isinstance(value, (str, int, float)):
        actual = repr(value)[:80]
    else:
        actual = (
            "null" if value is None else _WORDS.get(type(value), type(value).__name__)
        )
    return ConversionError(
        f"{path.removeprefix('.')}: expected {expected}, found {actual}"
    )


def check_type(value: Any, kinds: Kinds, path: str) -> Any:
    """Validate the type of a value."""
    if type(value) not in kinds:
        if type(value) is float and int in kinds and value.is_integer():
            # servers accept 1.0 as an integer
            return int(value) if abs(value) < 2**63 else value
        expected = " or ".join(word for kind, word in _WORDS.items() if kind in kinds)
        raise make_type_error(path, expected, value)
    return value


def convert_through_hub(
    source: Any, version: str, group: str, hub: str, conversions: Conversions
) -> Object:
    """Convert an object, through the hub unless a direct conversion exists."""
    api_version = source.get("apiVersion") if type(source) is dict else MISSING
    if type(api_version) is not str:
        raise make_type_error(
            "apiVersion", "a string", None if api_version is MISSING else api_version
        )
    source_group, _, own = api_version.rpartition("/")
    convert = conversions.get((own, version))
    if convert is not None and source_group == group:
        return convert(source)
    versions = sorted({hub, *(name for pair in conversions for name in pair)})
    if source_group != group or own not in versions:
        raise make_type_error(
            "apiVersion",
            "one of " + ", ".join(f"{group}/{name}" for name in versions),
            api_version,
        )
    if version not in versions:
        raise ConversionError(
            f"unknown version {version!r}, expected one of {', '.join(versions)}"
        )
    result: Object = source
    for step in ((own, hub), (hub, version)) if own != version else ():
        result = conversions[step](result)
    return result


def convert_by_kind(
    source: Any, version: str, converters: Mapping[tuple[str, str], Convert]
) -> Object:
    """Convert an object by the converter of its kind."""
    obj: Object = source if type(source) is dict else {}
    name: Any = obj.get("kind")
    group = str(obj.get("apiVersion", "")).rpartition("/")[0]
    has_kind = type(name) is str
    convert = converters.get((group, name)) if has_kind else None
    if convert is None:
        kinds = ", ".join(f"{kind} of {group}" for group, kind in converters)
        raise make_type_error(
            "kind", f"one of {kinds}", f"{name} of {group}" if has_kind else name
        )
    return convert(obj, version)
