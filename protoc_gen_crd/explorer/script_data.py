"""Data for a script element of HTML: JSON that no browser reads as markup.

Source: HTML, 4.12.1.3 Restrictions for contents of script elements; ECMA-262, JSON superset.
"""

from __future__ import annotations

import json

_ESCAPES = str.maketrans({char: f"\\u{ord(char):04x}" for char in "<>&\u2028\u2029"})


def format_script_data(value: object) -> str:
    """Format plain data as JSON without characters that could end the element or a line."""
    encoded = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return encoded.translate(_ESCAPES).encode("utf-8", "replace").decode()
