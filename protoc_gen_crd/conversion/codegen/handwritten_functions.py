"""Hand-written conversion functions: generate their file, and check its functions against the plan.

A file is generated once, with a stub for each function that the plan calls; from then on the user edits it. It is
parsed without being run, so that missing and unused functions are reported with their lines.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from protoc_gen_crd.base.input_files import read_file, read_text
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion.codegen.module_generator import get_functions_module_name
from protoc_gen_crd.conversion.derivation.declaration_checks import find_function_name_error
from protoc_gen_crd.conversion.derivation.schema_compatibility import (
    INT_OR_STRING_SHAPE,
    LIST,
    MAP,
    OBJECT,
    OPAQUE,
    get_shape,
)
from protoc_gen_crd.conversion.plan.container_steps import HandwrittenObject
from protoc_gen_crd.conversion.plan.paths import Path as FieldPath
from protoc_gen_crd.conversion.plan.paths import find_schema, format_path
from protoc_gen_crd.conversion.plan.plan import Plan
from protoc_gen_crd.conversion.plan.python_source import format_docstring, format_string
from protoc_gen_crd.conversion.plan.steps import Step
from protoc_gen_crd.conversion.plan.value_steps import FunctionCall
from protoc_gen_crd.conversion.runtime.handwritten import VALUE, WHOLE
from protoc_gen_crd.findings.finding import Location, Place, Problems
from protoc_gen_crd.schema.schema import Schema
from protoc_gen_crd.settings.settings import Settings

_ANY, _OBJECT = "Any", "Object"
_PYTHON_TYPES = {
    "string": "str", "integer": "int", "number": "float", "boolean": "bool", INT_OR_STRING_SHAPE: "int | str",
    LIST: "list[Any]", MAP: _OBJECT, OBJECT: _OBJECT, OPAQUE: _OBJECT,
}  # fmt: skip
FILE_SUFFIX = "_functions.py"
FILE_HEADER = "# Written once by protoc-gen-crd. It is yours: fill it in, and keep it."


class RequiredFunction(Record):
    """A function that a plan calls: name, parameters and types, description, and the location that declares it."""

    name: str
    parameters: tuple[str, ...]
    description: str
    origin: Place | None
    types: tuple[str, str] = (_ANY, _ANY)


class DefinedFunction(Record):
    """A function in a file: name, parameters and location."""

    name: str
    parameters: tuple[str, ...]
    at: Location


def find_required_functions(plan: Plan) -> dict[str, RequiredFunction]:
    """Return the functions that a plan calls, by name."""
    made: dict[str, RequiredFunction] = {}
    for pair in plan.pairs:
        for way, _ in pair.get_directions():
            for step in way.steps:
                for each in _find_step_functions(step, f"{way.source} to {way.target}"):
                    if find_function_name_error(each.name):
                        continue  # reported where it is declared
                    types = (
                        _format_type(plan.get_schema(way.source), step.source),
                        _format_type(plan.get_schema(way.target), step.target),
                    )
                    known = made.setdefault(each.name, each.replace(types=types))
                    if known.types != types:
                        made[each.name] = known.replace(types=(_ANY, _ANY))
    return made


def _find_step_functions(step: Step, way: str) -> Iterator[RequiredFunction]:
    about = f"{format_path(step.source)} to {format_path(step.target)}, {way}"
    if isinstance(step, FunctionCall):
        yield RequiredFunction(step.expression, VALUE, about, step.origin)
    elif isinstance(step, HandwrittenObject):
        yield RequiredFunction(step.function, WHOLE, about, step.origin)


def _format_type(root: Schema, path: FieldPath) -> str:
    """Return the Python type of the field at a path."""
    schema = find_schema(root, path)
    known = _PYTHON_TYPES.get(get_shape(schema), _ANY) if schema is not None else _ANY
    return f"{known} | None" if schema is not None and schema.get("nullable") and known != _ANY else known


def get_converters_folder(settings: Settings) -> str:
    """Return the folder of generated modules and functions; empty if there is none."""
    return f"{settings.out}/{settings.converters}".rstrip("/") if settings.converters else ""


def get_file_name(plan: Plan) -> str:
    """Return the name of the file with the functions of a kind."""
    return f"{get_functions_module_name(plan)}.py"


def generate_scaffold(plan: Plan) -> str:
    """Return the initial content of the file."""
    wanted = find_required_functions(plan)
    stubs = "".join(map(_generate_stub, wanted.values()))
    kind = f"{plan.crd.names.kind} of {plan.crd.group}"
    imports = "from typing import Any\n\n" if re.search(rf"\b{_ANY}\b", stubs) else ""
    helpers = "Derived, function" if any(each.parameters == WHOLE for each in wanted.values()) else "function"
    types = f"from .runtime import {_OBJECT}\n" if re.search(rf"\b{_OBJECT}\b", stubs) else ""
    head = f'{FILE_HEADER}\n"""Hand-written conversion functions for {format_docstring(kind)}."""\n\n'
    head += "from __future__ import annotations\n\n"
    return f"{head}{imports}from .handwritten import {helpers}\n{types}{stubs}"


def _generate_stub(one: RequiredFunction) -> str:
    whole = one.parameters == WHOLE
    takes, gives = (_OBJECT, _OBJECT) if whole else one.types
    gives = gives if whole or gives.endswith((_ANY, "None")) else f"{gives} | None"
    given = f"value: {takes}{', derived: Derived' if whole else ''}"
    made = "return derived(value)" if whole else f"raise NotImplementedError({format_string(one.name)})"
    about = f'    """Convert {format_docstring(one.description)}."""'
    return f"\n\n@function\ndef {one.name}({given}) -> {gives}:\n{about}\n    {made}\n"


def read_functions(text: str, name: str) -> Mapping[str, DefinedFunction]:
    """Return the decorated functions of a file. Raises SyntaxError."""
    marked = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef) and _is_marked(node)]
    return {
        node.name: DefinedFunction(node.name, tuple([each.arg for each in node.args.args]), Location(name, node.lineno))
        for node in marked
    }


def _is_marked(node: ast.FunctionDef) -> bool:
    names = [each.id if isinstance(each, ast.Name) else getattr(each, "attr", "") for each in node.decorator_list]
    return "function" in names


def check_functions(plan: Plan, folder: str, problems: Problems) -> bool:
    """Report missing, wrong and unused functions of a plan's file; return true if all calls are possible."""
    wanted = find_required_functions(plan)
    if not folder and wanted:
        first = next(iter(wanted.values()))
        problem = f"no folder for the function {first.name}"
        _report(problems, problem, first.origin, 'set "converters" in the settings')
        return False
    return _check_file(wanted, Path(folder, get_file_name(plan)), problems)


def check_files(scaffolds: Mapping[str, str], out: str, folder: str, problems: Problems) -> None:
    """Report missing and unused functions in the files that already exist in the output folder."""
    for name, text in scaffolds.items():
        path = Path(out, name)
        if path.exists():
            stubs = read_functions(text, str(path)).values()
            _check_file(
                {one.name: RequiredFunction(one.name, one.parameters, "", Location(str(path))) for one in stubs},
                path,
                problems,
            )
    for path in sorted(Path(out, folder).glob(f"*{FILE_SUFFIX}")):
        name = path.relative_to(out).as_posix()
        if name not in scaffolds and _is_generated(path, problems):
            problem = "no conversion calls a function of this file"
            problems.report("conversion-function-unused", problem, Location(str(path)), hint="remove the file")


def _check_file(wanted: Mapping[str, RequiredFunction], path: Path, problems: Problems) -> bool:
    before = len(problems.findings)
    found = _read_file(path, problems) if path.exists() else {}
    for one in wanted.values() if len(problems.findings) == before else ():
        _check_function(one, found.get(one.name), path, problems)
    usable = len(problems.findings) == before
    for other in found.values():
        if other.name not in wanted:
            problem = f"no conversion calls the function {other.name}"
            problems.report("conversion-function-unused", problem, other.at)
    return usable


def _check_function(one: RequiredFunction, found: DefinedFunction | None, path: Path, problems: Problems) -> None:
    if found is None:
        wanted = ", ".join(one.parameters)
        hint = (
            f"write it with the decorator @function and the parameters {wanted}"
            if path.exists()
            else _FILE_HINT % (one.name, wanted)
        )
        _report(problems, f"function {one.name} is missing in {path}", one.origin, hint)
    elif len(found.parameters) != len(one.parameters):
        actual = ", ".join(found.parameters) or "none"
        problem = f"wrong parameters of {one.name}: {actual} instead of {', '.join(one.parameters)}"
        problems.report("conversion-function", problem, found.at)


_FILE_HINT = (
    "generate writes the file for protos; without protos, "
    'write "from .handwritten import function", "@function def %s(%s)"'
)


def _read_file(path: Path, problems: Problems) -> Mapping[str, DefinedFunction]:
    try:
        return read_functions(read_text(path), str(path))
    except OSError as error:
        _report_unreadable(path, error, problems)
    except (SyntaxError, ValueError) as error:
        line = getattr(error, "lineno", None) or 1
        problem = f"invalid Python: {getattr(error, 'msg', None) or error}"
        problems.report("conversion-function", problem, Location(str(path), line))
    return {}


def _is_generated(path: Path, problems: Problems) -> bool:
    """Return true if an earlier run generated the file."""
    try:
        return read_file(path).startswith(FILE_HEADER.encode())
    except OSError as error:
        _report_unreadable(path, error, problems)
        return False


def _report_unreadable(path: Path, error: OSError, problems: Problems) -> None:
    problems.report("conversion-function", f"cannot read the file: {error.strerror}", Location(str(path)))


def _report(problems: Problems, problem: str, at: Place | None, hint: str = "") -> None:
    problems.report("conversion-function", problem, at, path=at.find_owner() if at else "", hint=hint)
