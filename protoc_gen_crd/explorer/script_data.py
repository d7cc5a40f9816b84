"""Data for a script element of HTML: JSON that no browser reads as markup.

Source: HTML, 4.12.1.3 Restrictions for contents of script elements; ECMA-262, JSON superset.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

_ESCAPES = str.maketrans({char: f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"})


def format_script_data(value: Mapping[str, Any]) -> Iterator[str]:
    """Yield the parts of plain data as JSON without characters that could end the element or a line."""
    opening = "{"
    for key, member in value.items():
        yield f"{opening}{_format_value(key)}:"
        yield from _format_items(member) if isinstance(member, list) else (_format_value(member),)
        opening = ","
    yield "}" if value else "{}"


def _format_items(items: list[Any]) -> Iterator[str]:
    opening = "["
    for item in items:
        yield f"{opening}{_format_value(item)}"
        opening = ","
    yield "]" if items else "[]"


def _format_value(value: Any) -> str:
    encoded = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return encoded.translate(_ESCAPES).encode("utf-8", "replace").decode()
