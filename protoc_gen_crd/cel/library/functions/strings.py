"""The string extensions, and how older servers search strings. Source: cel-go v0.29 `ext/strings.go`."""

from __future__ import annotations

from protoc_gen_crd.cel.values.list_values import ConcatenatedList, SchemaList
from protoc_gen_crd.cel.values.runtime_values import CelError, Panic, Value, get_type, list_parts

from .type_conversions import format_for_error

_SPACE = "\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
_UPPER, _LOWER = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz"
_TO_LOWER, _TO_UPPER = str.maketrans(_UPPER, _LOWER), str.maketrans(_LOWER, _UPPER)
_ESCAPES = str.maketrans(dict(zip('\a\b\f\n\r\t\v\\"', ["\\" + char for char in 'abfnrtv\\"'], strict=True)))
_NOT_STRINGS = "interface conversion: interface {} is []interface {}, not []string"
_STRING_LIKE = ("kubernetes.Quantity", "kubernetes.URL")  # types that convert to a string implicitly
_CONVERSION_ERRORS = {
    "int": "unsupported type conversion from 'int' to string",
    "uint": "unsupported type conversion from 'uint' to string",
    "bool": "type conversion error from bool to 'string'",
    "double": "type conversion error from Double to 'string'",
    "bytes": "type conversion error from Bytes to 'string'",
    "null_type": "type conversion error from 'null_type' to 'string'",
    "map": "type conversion error from map to 'string'",
    "type": "type conversion not supported for 'type'",
    "google.protobuf.Duration": "type conversion error from 'Duration' to 'string'",
    "google.protobuf.Timestamp": "type conversion error from 'Timestamp' to 'string'",
}


def _make_out_of_range_error(index: int) -> CelError:
    return CelError(f"index out of range: {index}")


def get_char_at(string: str, index: int) -> str:
    """Return a character, or an empty string at the end. Raises CelError."""
    if not 0 <= index <= len(string):
        raise _make_out_of_range_error(index)
    return string[index : index + 1]


def index_of(string: str, part: str, start: int = 0) -> int:
    """Return the first index from `start` on, or -1. Raises CelError."""
    if start < 0:
        raise _make_out_of_range_error(start)
    return string.find(part, start) if part else min(start, len(string))


def last_index_of(string: str, part: str, start: int | None = None) -> int:
    """Return the last index up to `start`, or -1. Raises CelError."""
    if start is None:
        return string.rfind(part)
    if start < 0:
        raise _make_out_of_range_error(start)
    if not part:
        return min(start, len(string))
    return string.rfind(part, 0, start + len(part)) if start < len(string) else -1


def old_index_of(string: str, part: str, start: int = 0) -> int:
    """Evaluate `indexOf` before 1.37: an empty string is found at any index."""
    return index_of(string, part, start) if part else start


middle_index_of = old_index_of


def old_last_index_of(string: str, part: str, start: int | None = None) -> int:
    """Evaluate `lastIndexOf` before 1.37."""
    return last_index_of(string, part, start) if part or start is None else start


def middle_last_index_of(string: str, part: str, start: int | None = None) -> int:
    """Evaluate `lastIndexOf` before 1.34: searching an empty string is an error, unless for an empty string."""
    if start is None and part and not string:
        raise _make_out_of_range_error(-1)
    return old_last_index_of(string, part, start)


def oldest_index_of(string: str, part: str, start: int = 0) -> int:
    """Evaluate `indexOf` before 1.32: `start` must be within the string."""
    if part and start >= len(string):
        raise _make_out_of_range_error(start)
    return old_index_of(string, part, start)


def oldest_last_index_of(string: str, part: str, start: int | None = None) -> int:
    """Evaluate `lastIndexOf` before 1.32."""
    if part and start is not None and start >= len(string):
        raise _make_out_of_range_error(start)
    return middle_last_index_of(string, part, start)


def lower(string: str) -> str:
    """Convert ASCII letters to lower case."""
    return string.translate(_TO_LOWER)


def upper(string: str) -> str:
    """Convert ASCII letters to upper case."""
    return string.translate(_TO_UPPER)


def replace(string: str, old: str, new: str, count: int = -1) -> str:
    """Replace at most `count` occurrences, or all if it is negative."""
    return string.replace(old, new, count if count >= 0 else -1)


def split(string: str, separator: str, count: int = -1) -> list[str]:
    """Split into at most `count` parts, or all if it is negative; an empty separator splits into characters."""
    if not count:
        return []
    if separator:
        return string.split(separator, count - 1 if count > 0 else -1)
    head = len(string) if count < 0 else min(count - 1, len(string))
    rest = string[head:]
    return [*string[:head], *([rest] if rest else [])]


def get_substring(string: str, start: int, end: int | None = None) -> str:
    """Return a part of the string. Raises CelError."""
    if end is not None and start > end:
        raise CelError(f"invalid substring range. start: {start}, end: {end}")
    for index in (start, len(string) if end is None else end):
        if not 0 <= index <= len(string):
            raise _make_out_of_range_error(index)
    return string[start:end]


def trim(string: str) -> str:
    """Remove Unicode white space at both ends."""
    return string.strip(_SPACE)


def join(items: list[Value], separator: str = "") -> str:
    """Join strings. Raises CelError."""
    for item in list_parts(items):
        if type(item) is not str:
            raise CelError(f"join: invalid input: {format_for_error(item)}")
    return separator.join(items)


def join_native(items: list[Value], separator: str = "") -> str:
    """Evaluate `join` before 1.29, which converts lists to Go's. Raises CelError, and Panic for lists of other data."""
    if isinstance(items, SchemaList) and not isinstance(items, ConcatenatedList):
        other = next((item for item in items.data if type(item) is not str), "")
        if other is None:  # the schema's items are strings: no other list with null compiles
            raise CelError("expected all elements to be of type string, but got <nil>")
        if other != "":
            raise Panic(_NOT_STRINGS)
        return separator.join(items.data)
    return separator.join([_convert_item(item) for item in items])


def _convert_item(item: Value) -> str:
    kind = get_type(item).name
    if type(item) is not str and kind not in _STRING_LIKE:
        raise CelError(_CONVERSION_ERRORS.get(kind, "type conversion error from list to 'string'"))
    return str(item)


def join_broken(items: list[Value], separator: str = "") -> str:
    """Evaluate `join` before 1.27. Raises CelError, and Panic for lists of data."""
    if isinstance(items, SchemaList) and not isinstance(items, ConcatenatedList):
        raise Panic(_NOT_STRINGS)
    return join_native(items, separator)


def quote(string: str) -> str:
    """Quote a string as a CEL literal with escapes."""
    return f'"{string.translate(_ESCAPES)}"'
