"""Hand-written functions of conversions: the file that they stand in, what is wanted of it, and what it holds.

A file is written once, with a function to fill in for each that the plan calls, and is the user's from then on. It is
read without being run, so that what is missing or no longer called is told at its line.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from protoc_gen_crd.base.diagnostics import Location, Place, Problems
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion.code.codegen import functions_name
from protoc_gen_crd.conversion.derive.fits import EITHER, LIST, MAP, OBJECT, OPAQUE, shape
from protoc_gen_crd.conversion.helpers.byhand import VALUE, WHOLE
from protoc_gen_crd.conversion.plan.changing import Call
from protoc_gen_crd.conversion.plan.containers import ByHand
from protoc_gen_crd.conversion.plan.paths import Path as FieldPath
from protoc_gen_crd.conversion.plan.paths import at, shown
from protoc_gen_crd.conversion.plan.plan import Plan
from protoc_gen_crd.conversion.plan.python import spoken
from protoc_gen_crd.conversion.plan.steps import Step
from protoc_gen_crd.schema.types import Schema
from protoc_gen_crd.settings import Settings

_ANY, _OBJECT = "Any", "Object"
_TYPES = {
    "string": "str", "integer": "int", "number": "float", "boolean": "bool", EITHER: "int | str",
    LIST: "list[Any]", MAP: _OBJECT, OBJECT: _OBJECT, OPAQUE: _OBJECT,
}  # fmt: skip
ENDING = "_functions.py"
MARK = "# Written once by protoc-gen-crd. It is yours: fill it in, and keep it."


class Needed(Record):
    """A function that a plan calls: its name, arguments and their types, what it is for, and what asks for it."""

    name: str
    takes: tuple[str, ...]
    about: str
    origin: Place | None
    types: tuple[str, str] = (_ANY, _ANY)


class Found(Record):
    """A function of a file: its name, arguments and place."""

    name: str
    takes: tuple[str, ...]
    at: Location


def needed(plan: Plan) -> dict[str, Needed]:
    """The functions that a plan calls, by name."""
    made: dict[str, Needed] = {}
    for pair in plan.pairs:
        for way, _ in pair.ways():
            for step in way.steps:
                for each in _of_step(step, f"{way.source} to {way.target}"):
                    types = _type(plan.schema(way.source), step.source), _type(plan.schema(way.target), step.target)
                    known = made.setdefault(each.name, each.replace(types=types))
                    if known.types != types:
                        made[each.name] = known.replace(types=(_ANY, _ANY))
    return made


def _of_step(step: Step, way: str) -> Iterator[Needed]:
    about = f"{shown(step.source)} to {shown(step.target)}, {way}"
    if isinstance(step, Call):
        yield Needed(step.text, VALUE, about, step.origin)
    elif isinstance(step, ByHand):
        yield Needed(step.function, WHOLE, about, step.origin)


def _type(root: Schema, path: FieldPath) -> str:
    """The type of what stands at a path, as Python."""
    schema = at(root, path)
    known = _TYPES.get(shape(schema), _ANY) if schema is not None else _ANY
    return f"{known} | None" if schema is not None and schema.get("nullable") and known != _ANY else known


def folder_of(settings: Settings) -> str:
    """The folder of generated modules, and so of functions; empty where there is none."""
    return f"{settings.out}/{settings.converters}".rstrip("/") if settings.converters else ""


def file_name(plan: Plan) -> str:
    """The file with the functions of a kind, in the folder of its module."""
    return f"{functions_name(plan)}.py"


def scaffold(plan: Plan) -> str:
    """The file as it is written at first."""
    wanted = needed(plan)
    stubs = "".join(map(_stub, wanted.values()))
    kind = f"{plan.crd.names.kind} of {plan.crd.group}"
    imports = "from typing import Any\n\n" if re.search(rf"\b{_ANY}\b", stubs) else ""
    helpers = "Derived, function" if any(each.takes == WHOLE for each in wanted.values()) else "function"
    types = f"from .runtime import {_OBJECT}\n" if re.search(rf"\b{_OBJECT}\b", stubs) else ""
    head = f'{MARK}\n"""What is converted by hand of {spoken(kind)}."""\n\nfrom __future__ import annotations\n\n'
    return f"{head}{imports}from .byhand import {helpers}\n{types}{stubs}"


def _stub(one: Needed) -> str:
    whole = one.takes == WHOLE
    takes, gives = (_OBJECT, _OBJECT) if whole else one.types
    gives = gives if whole or gives.endswith((_ANY, "None")) else f"{gives} | None"
    given = f"value: {takes}{', derived: Derived' if whole else ''}"
    made = "return derived(value)" if whole else f'raise NotImplementedError("{one.name}")'
    about = f'    """Convert {spoken(one.about)}."""'
    return f"\n\n@function\ndef {one.name}({given}) -> {gives}:\n{about}\n    {made}\n"


def functions_of(text: str, name: str) -> Mapping[str, Found]:
    """The functions of a file that are marked. Raises SyntaxError."""
    marked = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef) and _is_marked(node)]
    return {
        node.name: Found(node.name, tuple([each.arg for each in node.args.args]), Location(name, node.lineno))
        for node in marked
    }


def _is_marked(node: ast.FunctionDef) -> bool:
    names = [each.id if isinstance(each, ast.Name) else getattr(each, "attr", "") for each in node.decorator_list]
    return "function" in names


def check_functions(plan: Plan, folder: str, problems: Problems) -> bool:
    """Report what a plan calls and its file does not have, and the reverse; whether it can be called."""
    wanted = needed(plan)
    if not folder and wanted:
        first = next(iter(wanted.values()))
        problem = f"a function must have a file, found {first.name} and no folder for it"
        _report(problems, problem, first.origin, 'name the folder: "converters" in the settings')
        return False
    return _check(wanted, Path(folder, file_name(plan)), problems)


def check_files(scaffolds: Mapping[str, str], out: str, folder: str, problems: Problems) -> None:
    """Report what files that are there already lack or need no longer, by what would be written below a folder."""
    for name, text in scaffolds.items():
        path = Path(out, name)
        if path.exists():
            stubs = functions_of(text, str(path)).values()
            _check({one.name: Needed(one.name, one.takes, "", Location(str(path))) for one in stubs}, path, problems)
    for path in sorted(Path(out, folder).glob(f"*{ENDING}")):
        name = path.relative_to(out).as_posix()
        if name not in scaffolds and path.read_text("utf-8", "replace").startswith(MARK):
            problem = "a file of functions must be called by a conversion, found none that does"
            problems.report("conversion-function-unused", problem, Location(str(path)), hint="remove it by hand")


def _check(wanted: Mapping[str, Needed], path: Path, problems: Problems) -> bool:
    before = len(problems.findings)
    found = _read(path, problems) if path.exists() else {}
    for one in wanted.values() if len(problems.findings) == before else ():
        _check_one(one, found.get(one.name), path, problems)
    usable = len(problems.findings) == before
    for other in found.values():
        if other.name not in wanted:
            problem = f"a function must be called by a conversion, found {other.name}"
            problems.report("conversion-function-unused", problem, other.at)
    return usable


def _check_one(one: Needed, found: Found | None, path: Path, problems: Problems) -> None:
    if found is None:
        wanted = ", ".join(one.takes)
        hint = f"write it, marked @function, with {wanted}" if path.exists() else _FILE % (one.name, wanted)
        _report(problems, f"a function must be in {path}, found no {one.name}", one.origin, hint)
    elif len(found.takes) != len(one.takes):
        given = ", ".join(found.takes) or "nothing"
        problem = f"{one.name} must take {', '.join(one.takes)}, found {given}"
        problems.report("conversion-function", problem, found.at)


_FILE = 'generate writes the file for protos; for others write "from .byhand import function", "@function def %s(%s)"'


def _read(path: Path, problems: Problems) -> Mapping[str, Found]:
    try:
        return functions_of(path.read_text("utf-8"), str(path))
    except (SyntaxError, ValueError, OSError) as error:
        line = getattr(error, "lineno", None) or 1
        problem = f"a file of functions must be Python, found {getattr(error, 'msg', None) or error}"
        problems.report("conversion-function", problem, Location(str(path), line))
        return {}


def _report(problems: Problems, problem: str, at: Place | None, hint: str = "") -> None:
    problems.report("conversion-function", problem, at, path=at.owner() if at else "", hint=hint)
