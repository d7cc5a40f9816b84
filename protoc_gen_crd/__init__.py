"""Kubernetes CustomResourceDefinitions from Protocol Buffers, and the verdicts of API servers on them, offline.

The Python API consists of `validate`, `Validator`, `admit`, `estimate` and the types of their results, see `library`;
`convert` and `Converter`, see `conversion.converter`; and `VersionRange`. They are imported on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__version__ = "0.1.0"

if TYPE_CHECKING:
    from protoc_gen_crd.conversion.converter import Converter, convert
    from protoc_gen_crd.conversion.runtime.runtime import ConversionError
    from protoc_gen_crd.kubernetes.versions import VersionRange
    from protoc_gen_crd.library import Cause, Estimate, Validator, Verdict, admit, estimate, validate

__all__ = [
    "Cause", "ConversionError", "Converter", "Estimate", "Validator", "Verdict", "VersionRange", "__version__", "admit",
    "convert", "estimate", "validate",
]  # fmt: skip


def __getattr__(name: str) -> object:
    from importlib import import_module  # noqa: PLC0415 - not used in plugin runs

    if name == "library":
        return import_module("protoc_gen_crd.library")
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES.get(name, "protoc_gen_crd.library")), name)


def __dir__() -> list[str]:
    return __all__


_MODULES = {
    "ConversionError": "protoc_gen_crd.conversion.runtime.runtime",
    "Converter": "protoc_gen_crd.conversion.converter",
    "VersionRange": "protoc_gen_crd.kubernetes.versions",
    "convert": "protoc_gen_crd.conversion.converter",
}
