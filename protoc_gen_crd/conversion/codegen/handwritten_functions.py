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
from protoc_gen_crd.conversion.codegen.module_names import get_functions_module_name
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
from protoc_gen_crd.conversion.plan.step_base import Step
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
    functions: dict[str, RequiredFunction] = {}
    for pair in plan.pairs:
        for direction, _ in pair.get_directions():
            for step in direction.steps:
                for function in _find_step_functions(step, f"{direction.source} to {direction.target}"):
                    if find_function_name_error(function.name):
                        continue  # reported where it is declared
                    types = (
                        _format_type(plan.get_schema(direction.source), step.source),
                        _format_type(plan.get_schema(direction.target), step.target),
                    )
                    first = functions.setdefault(function.name, function.replace(types=types))
                    if first.types != types:
                        functions[function.name] = first.replace(types=(_ANY, _ANY))
    return functions


def _find_step_functions(step: Step, versions: str) -> Iterator[RequiredFunction]:
    description = f"{format_path(step.source)} to {format_path(step.target)}, {versions}"
    if isinstance(step, FunctionCall):
        yield RequiredFunction(step.expression, VALUE, description, step.origin)
    elif isinstance(step, HandwrittenObject):
        yield RequiredFunction(step.function, WHOLE, description, step.origin)


def _format_type(root: Schema, path: FieldPath) -> str:
    """Return the Python type of the field at a path."""
    schema = find_schema(root, path)
    type_name = _PYTHON_TYPES.get(get_shape(schema), _ANY) if schema is not None else _ANY
    return f"{type_name} | None" if schema is not None and schema.get("nullable") and type_name != _ANY else type_name


def get_converters_folder(settings: Settings) -> str:
    """Return the folder of generated modules and functions; empty if there is none."""
    return f"{settings.out}/{settings.converters}".rstrip("/") if settings.converters else ""


def get_file_name(plan: Plan) -> str:
    """Return the name of the file with the functions of a kind."""
    return f"{get_functions_module_name(plan)}.py"


def generate_scaffold(plan: Plan) -> str:
    """Return the initial content of the file."""
    functions = find_required_functions(plan)
    stubs = "".join(map(_generate_stub, functions.values()))
    kind = f"{plan.crd.names.kind} of {plan.crd.group}"
    imports = "from typing import Any\n\n" if re.search(rf"\b{_ANY}\b", stubs) else ""
    helpers = (
        "Derived, function" if any(function.parameters == WHOLE for function in functions.values()) else "function"
    )
    types = f"from .runtime import {_OBJECT}\n" if re.search(rf"\b{_OBJECT}\b", stubs) else ""
    head = f'{FILE_HEADER}\n"""Hand-written conversion functions for {format_docstring(kind)}."""\n\n'
    head += "from __future__ import annotations\n\n"
    return f"{head}{imports}from .handwritten import {helpers}\n{types}{stubs}"


def _generate_stub(function: RequiredFunction) -> str:
    whole = function.parameters == WHOLE
    takes, gives = (_OBJECT, _OBJECT) if whole else function.types
    gives = gives if whole or gives.endswith((_ANY, "None")) else f"{gives} | None"
    parameters = f"value: {takes}{', derived: Derived' if whole else ''}"
    statement = "return derived(value)" if whole else f"raise NotImplementedError({format_string(function.name)})"
    docstring = f'    """Convert {format_docstring(function.description)}."""'
    return f"\n\n@function\ndef {function.name}({parameters}) -> {gives}:\n{docstring}\n    {statement}\n"


def read_functions(source: str, name: str) -> Mapping[str, DefinedFunction]:
    """Return the decorated functions of a file. Raises SyntaxError."""
    decorated = [node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef) and _is_marked(node)]
    return {
        node.name: DefinedFunction(
            node.name, tuple([parameter.arg for parameter in node.args.args]), Location(name, node.lineno)
        )
        for node in decorated
    }


def _is_marked(node: ast.FunctionDef) -> bool:
    names = [
        decorator.id if isinstance(decorator, ast.Name) else getattr(decorator, "attr", "")
        for decorator in node.decorator_list
    ]
    return "function" in names


def check_functions(plan: Plan, folder: str, problems: Problems) -> bool:
    """Report missing, wrong and unused functions of a plan's file; return true if all calls are possible."""
    functions = find_required_functions(plan)
    if not folder and functions:
        first = next(iter(functions.values()))
        problem = f"no folder for the function {first.name}"
        _report(problems, problem, first.origin, 'set "converters" in the settings')
        return False
    return _check_file(functions, Path(folder, get_file_name(plan)), problems)


def check_files(scaffolds: Mapping[str, str], out: str, folder: str, problems: Problems) -> None:
    """Report missing and unused functions in the files that already exist in the output folder."""
    for name, content in scaffolds.items():
        path = Path(out, name)
        if path.exists():
            stubs = read_functions(content, str(path)).values()
            _check_file(
                {stub.name: RequiredFunction(stub.name, stub.parameters, "", Location(str(path))) for stub in stubs},
                path,
                problems,
            )
    for path in sorted(Path(out, folder).glob(f"*{FILE_SUFFIX}")):
        name = path.relative_to(out).as_posix()
        if name not in scaffolds and _is_generated(path, problems):
            problem = "no conversion calls a function of this file"
            problems.report("conversion-function-unused", problem, Location(str(path)), hint="remove the file")


def _check_file(functions: Mapping[str, RequiredFunction], path: Path, problems: Problems) -> bool:
    before = len(problems.findings)
    defined = _read_file(path, problems) if path.exists() else {}
    for function in functions.values() if len(problems.findings) == before else ():
        _check_function(function, defined.get(function.name), path, problems)
    usable = len(problems.findings) == before
    for other in defined.values():
        if other.name not in functions:
            problem = f"no conversion calls the function {other.name}"
            problems.report("conversion-function-unused", problem, other.at)
    return usable


def _check_function(
    function: RequiredFunction, defined: DefinedFunction | None, path: Path, problems: Problems
) -> None:
    if defined is None:
        parameters = ", ".join(function.parameters)
        hint = (
            f"write it with the decorator @function and the parameters {parameters}"
            if path.exists()
            else _FILE_HINT % (function.name, parameters)
        )
        _report(problems, f"function {function.name} is missing in {path}", function.origin, hint)
    elif len(defined.parameters) != len(function.parameters):
        actual = ", ".join(defined.parameters) or "none"
        problem = f"wrong parameters of {function.name}: {actual} instead of {', '.join(function.parameters)}"
        problems.report("conversion-function", problem, defined.at)


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
