"""Generation of the Python package of converters: a module for each kind, and shared helpers."""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd.conversion.codegen.handwritten_functions import (
    find_required_functions,
    generate_scaffold,
    get_file_name,
)
from protoc_gen_crd.conversion.codegen.module_generator import HEADER, generate_module
from protoc_gen_crd.conversion.codegen.module_names import get_module_name
from protoc_gen_crd.conversion.codegen.runtime_files import build_import, collect_files
from protoc_gen_crd.conversion.plan.plan import Plan
from protoc_gen_crd.conversion.plan.python_source import LINE_LENGTH, format_string
from protoc_gen_crd.emit.output_file import OutputFile
from protoc_gen_crd.settings.settings import Settings


def make_converter_files(plans: Sequence[Plan], settings: Settings) -> tuple[OutputFile, ...]:
    """Generate the files of the package; none if no kind declares conversions."""
    folder = settings.converters
    if not plans:
        return ()
    plans_with_functions = [plan for plan in plans if find_required_functions(plan)]
    modules = {f"{get_module_name(plan)}.py": generate_module(plan) for plan in plans} | {
        "__init__.py": _format_package(plans)
    }
    scaffolds = {get_file_name(plan): generate_scaffold(plan) for plan in plans_with_functions}
    helpers = {
        name: f"# {HEADER}\n{source}"
        for name, source in collect_files((*modules.values(), *scaffolds.values())).items()
    }
    files = [OutputFile(f"{folder}/{name}", (source,)) for name, source in sorted((helpers | modules).items())]
    return (
        *files,
        *(OutputFile(f"{folder}/{name}", (source,), is_written_once=True) for name, source in scaffolds.items()),
    )


def _format_package(plans: Sequence[Plan]) -> str:
    names = sorted(map(get_module_name, plans))
    imports = "".join(f"{line}\n" for line in build_import("", names))
    rows = "".join(map(_format_row, names))
    return _PACKAGE.format(header=HEADER, imports=imports, rows=rows, all=", ".join(map(format_string, _ALL)))


def _format_row(name: str) -> str:
    line = f"    ({name}.GROUP, {name}.KIND): {name}.convert,\n"
    if len(line) <= LINE_LENGTH + 1:
        return line
    return f"    (\n        {name}.GROUP,\n        {name}.KIND,\n    ): {name}.convert,\n"


_ALL = ("CONVERTERS", "ConversionError", "convert")
_PACKAGE = '''\
# {header}
"""Conversion of objects between the versions of their kinds."""

from __future__ import annotations

from collections.abc import Callable

{imports}from .runtime import ConversionError, Object, convert_by_kind

__all__ = [{all}]

CONVERTERS: dict[tuple[str, str], Callable[[Object, str], Object]] = {{
{rows}}}


def convert(source: Object, version: str) -> Object:
    """Convert an object of any of the kinds. Raises ConversionError."""
    return convert_by_kind(source, version, CONVERTERS)
'''
