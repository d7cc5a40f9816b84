"""cel-go's messages for expressions that its visitor or its limits reject.

ANTLR's messages for syntax errors are in `error_strategy`, those of macros beside the macros.
"""

from __future__ import annotations

from .parser_options_and_limits import DEPTH_LIMIT

OPTIONAL_SELECT = "unsupported syntax '.?'"
OPTIONAL_INDEX = "unsupported syntax '[?'"
OPTIONAL_ENTRY = "unsupported syntax '?'"
QUOTED_FIELD = "unsupported syntax: '`'"
RECURSION_LIMIT = f"expression recursion limit exceeded: {DEPTH_LIMIT}"
TOO_MANY_LEVELS = "max recursion depth exceeded"


def format_reserved_identifier(name: str) -> str:
    """Return the message for a name that CEL reserves."""
    return f"reserved identifier: {name}"


def format_size_limit(size: int, limit: int) -> str:
    """Return the message for an expression with too many code points."""
    return f"expression code point size exceeds limit: size: {size}, limit {limit}"
