"""Conversion plans to a Python package: a module for each kind, and the helpers that they share."""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd.conversion.code.codegen import HEADER, module, module_name
from protoc_gen_crd.conversion.code.handwritten import file_name, needed, scaffold
from protoc_gen_crd.conversion.code.helpers import files, import_of
from protoc_gen_crd.conversion.plan.plan import Plan
from protoc_gen_crd.conversion.plan.python import WIDTH, quoted
from protoc_gen_crd.emit import OutputFile
from protoc_gen_crd.settings import Settings


def converter_files(plans: Sequence[Plan], settings: Settings) -> tuple[OutputFile, ...]:
    """The files of the package: none where no kind declares conversions."""
    folder = settings.converters
    if not plans:
        return ()
    written = [plan for plan in plans if needed(plan)]
    modules = {f"{module_name(plan)}.py": module(plan) for plan in plans} | {"__init__.py": _package(plans)}
    scaffolds = {file_name(plan): scaffold(plan) for plan in written}
    helpers = {name: f"# {HEADER}\n{text}" for name, text in files((*modules.values(), *scaffolds.values())).items()}
    made = [OutputFile(f"{folder}/{name}", text) for name, text in sorted((helpers | modules).items())]
    return (*made, *(OutputFile(f"{folder}/{name}", text, once=True) for name, text in scaffolds.items()))


def _package(plans: Sequence[Plan]) -> str:
    names = sorted(map(module_name, plans))
    imports = "".join(f"{line}\n" for line in import_of("", names))
    rows = "".join(map(_row, names))
    return _PACKAGE.format(header=HEADER, imports=imports, rows=rows, all=", ".join(map(quoted, _ALL)))


def _row(name: str) -> str:
    line = f"    ({name}.GROUP, {name}.KIND): {name}.convert,\n"
    if len(line) <= WIDTH + 1:
        return line
    return f"    (\n        {name}.GROUP,\n        {name}.KIND,\n    ): {name}.convert,\n"


_ALL = ("CONVERTERS", "ConversionError", "convert")
_PACKAGE = '''\
# {header}
"""Conversion of objects between the versions of their kinds."""

from __future__ import annotations

from collections.abc import Callable

{imports}from .runtime import ConversionError, Object, of_kind

__all__ = [{all}]

CONVERTERS: dict[tuple[str, str], Callable[[Object, str], Object]] = {{
{rows}}}


def convert(source: Object, version: str) -> Object:
    """Convert an object of any of the kinds; raises ConversionError."""
    return of_kind(source, version, CONVERTERS)
'''
