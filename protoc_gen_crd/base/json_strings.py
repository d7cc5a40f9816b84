"""Lists of strings in JSON. Without escapes, they need no JSON library, whose import takes a millisecond."""

from __future__ import annotations

from typing import Any

_OPENING, _CLOSING = '["', '"]'


def parse_strings(string: str) -> Any:
    """Parse JSON that is expected to be a list of strings; the caller checks that it is one.

    Raises:
        ValueError: The JSON is invalid, as for `bounded_json.parse_json`.
    """
    strings = _split_plain_strings(string)
    if strings is not None:
        return strings
    from protoc_gen_crd.base.bounded_json import parse_json  # noqa: PLC0415 - few strings have escapes

    return parse_json(string)


def _split_plain_strings(string: str) -> list[str] | None:
    """Return the strings of a list on one line, None if they have escapes or it has another form."""
    if not (string.startswith(_OPENING) and string.endswith(_CLOSING) and len(string) >= len(_OPENING + _CLOSING)):
        return None
    strings = string[len(_OPENING) : -len(_CLOSING)].replace('", "', '","').split('","')
    is_plain = string.isprintable() and "\\" not in string and not any('"' in item for item in strings)
    return strings if is_plain else None
