"""Conversion plans to a Python package: a module for each kind, and the helpers that they share."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from protoc_gen_crd.conversion.code.codegen import HEADER, has_hubs, import_of, module, module_name
from protoc_gen_crd.conversion.code.handwritten import file_name, needed, scaffold
from protoc_gen_crd.conversion.helpers import byhand, hubs, nested, runtime, stash
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
    more = [*([byhand] if written else []), *([hubs] if any(map(has_hubs, plans)) else [])]
    sources = [Path(helper.__file__ or "") for helper in (nested, runtime, stash, *more)]
    helpers = {path.name: f"# {HEADER}\n{path.read_text('utf-8')}" for path in sources}
    modules = {f"{module_name(plan)}.py": module(plan) for plan in plans}
    files = {"__init__.py": _package(plans), **helpers, **modules}
    made = [OutputFile(f"{folder}/{name}", text) for name, text in sorted(files.items())]
    return (*made, *(OutputFile(f"{folder}/{file_name(plan)}", scaffold(plan), once=True) for plan in written))


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
