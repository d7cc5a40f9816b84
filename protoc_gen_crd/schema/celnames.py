"""Property names as CEL has to write them. Source: k8s.io/apiserver pkg/cel/escaping.go (1.26 to 1.37)."""

from __future__ import annotations

import re

_RESERVED = {
    "true", "false", "null", "in", "as", "break", "const", "continue", "else", "for", "function", "if", "import",
    "let", "loop", "package", "namespace", "return", "var", "void", "while",
}  # fmt: skip
_ESCAPES = {"__": "__underscores__", ".": "__dot__", "-": "__dash__", "/": "__slash__"}
_NAME = r"[A-Za-z_./-][A-Za-z0-9_./-]*"


def selectable(name: str) -> bool:
    """Whether CEL can select a property of this name at all."""
    return re.fullmatch(_NAME, name) is not None


def cel_name(name: str) -> str:
    """The name behind `self.`; names that CEL cannot express are returned as they are."""
    if name in _RESERVED:
        return f"__{name}__"
    for text, escape in _ESCAPES.items():
        name = name.replace(text, escape)
    return name
