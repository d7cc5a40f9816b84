"""Escaping of property names in CEL. Source: k8s.io/apiserver pkg/cel/escaping.go (1.26 to 1.37)."""

from __future__ import annotations

import re

RESERVED = {
    "true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function", "if", "import",
    "let", "loop", "package", "namespace", "return", "var", "void", "while",
}  # fmt: skip
_ESCAPES = {"__": "__underscores__", ".": "__dot__", "-": "__dash__", "/": "__slash__"}
_NAME = r"[A-Za-z_./-][A-Za-z0-9_./-]*"


_ESCAPED = "__([^_]+)__"
_UNESCAPED = {escape.strip("_"): characters for characters, escape in _ESCAPES.items()}


def unescape_cel_name(name: str) -> str | None:
    """Return the property of a name in CEL; None if no property has this name when escaped."""
    escapes = re.findall(_ESCAPED, name) if "__" in name else []
    if not escapes:
        return name
    if any(word not in _UNESCAPED and word not in RESERVED for word in escapes):
        return None
    if any(word in RESERVED and name != f"__{word}__" for word in escapes):
        return None
    return re.sub(_ESCAPED, lambda match: _UNESCAPED.get(match[1], match[1]), name)


def is_selectable(name: str) -> bool:
    """Report whether CEL can select a property of this name."""
    return re.fullmatch(_NAME, name) is not None


def escape_cel_name(name: str) -> str:
    """Return the CEL identifier of a property; for names that CEL cannot select, it has no meaning.

    Source:
        k8s.io/apiserver pkg/cel/escaping.go, Kubernetes 1.26 to 1.37.
    """
    if name in RESERVED:
        return f"__{name}__"
    if name.isalnum():
        return name
    for characters, escape in _ESCAPES.items():
        name = name.replace(characters, escape)
    return name
