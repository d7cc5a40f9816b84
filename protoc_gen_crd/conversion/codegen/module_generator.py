"""Generate Python modules from plans: tables for copied objects, functions for directions and their lists."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion.checks.expression_scope import (
    build_variable_schemas,
    find_expression_variables,
    is_of_object,
)
from protoc_gen_crd.conversion.checks.unknown_fields import drops_null, find_covered_fields, find_null_fields
from protoc_gen_crd.conversion.codegen.function_body import FunctionBodyWriter
from protoc_gen_crd.conversion.codegen.module_names import get_functions_module_name
from protoc_gen_crd.conversion.codegen.python_types import Tables, kinds, others, row
from protoc_gen_crd.conversion.codegen.runtime_files import build_imports
from protoc_gen_crd.conversion.codegen.statement_writer import find_contextual_items
from protoc_gen_crd.conversion.codegen.variable_names import format_origin, get_field_names
from protoc_gen_crd.conversion.derivation.schema_compatibility import OBJECT, get_shape
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.container_steps import (
    ContainerStep,
    EachItem,
    HandwrittenObject,
    MapToList,
    UnwrapObject,
    WrapObject,
)
from protoc_gen_crd.conversion.plan.conversion_data_entries import (
    ConversionDataEntry,
    find_conversion_data,
    find_outside_names,
    find_wrapped_objects,
)
from protoc_gen_crd.conversion.plan.copy_steps import Copy, CopyNonNull, ObjectStep
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.plan import Direction, Gap, Plan
from protoc_gen_crd.conversion.plan.python_source import (
    LINE_LENGTH,
    format_constant_name,
    format_docstring,
    format_literal,
    format_string,
    format_variable_name,
    wrap_statement,
)
from protoc_gen_crd.conversion.plan.step_base import Step
from protoc_gen_crd.conversion.plan.value_steps import CelExpression, ComputedStep, FunctionCall
from protoc_gen_crd.conversion.runtime.conversion_data import ANNOTATION_INFIX
from protoc_gen_crd.schema.schema import Schema

# A name outside strings and comments. To parse the code takes four times as long.
_NAME_IN_CODE = re.compile(
    r'''"""(?:[^\\]|\\.)*?"""|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|#[^\n]*|(?<![\w.])([^\W\d]\w*+)(?!=)''', re.DOTALL
)


class GeneratedFunction(Record):
    """A function of the module: its name and its lines."""

    name: str
    lines: tuple[str, ...]


class DirectionWriter:
    """Generates the functions of one direction."""

    def __init__(self, plan: Plan, direction: Direction, reverse: Direction, tables: Tables) -> None:
        self.plan, self.direction, self.reverse, self.tables = plan, direction, reverse, tables
        self.source, self.target = plan.get_schema(direction.source), plan.get_schema(direction.target)
        self.kept_entries = _find_entries((direction, reverse), self.source, self.target)
        self.restored_entries = _find_entries((reverse, direction), self.target, self.source)
        self.suffix = _format_suffix(direction)
        self.functions: list[GeneratedFunction] = []
        self.has_deferred_entries = False
        self._contextual_items: set[Path] | None = None
        self._variables: dict[tuple[Path, Path, str, bool], tuple[str, ...]] = {}
        self._carried_objects, self._carried_back_objects = (
            _find_carried_objects(one_direction) for one_direction in (direction, reverse)
        )
        self.complex_scopes = self._find_complex_scopes()

    @property
    def name(self) -> str:
        """The name of the function that converts an object."""
        return self.suffix

    def _find_complex_scopes(self) -> set[Path]:
        """Return the scopes of the target whose items need more than a table."""
        busy = {self._find_target_scope(entry.path) for entry in self.kept_entries}
        busy |= {paths.get_scope(entry.path) for entry in self.restored_entries}
        busy |= {
            step.target_scope
            for step in self.direction.steps
            if isinstance(step, MapToList | HandwrittenObject | WrapObject | UnwrapObject)
        }
        busy |= {
            paths.get_scope(path)
            for step in self.direction.steps
            if not self.is_table_row(step)
            for path in step.get_writes()
        }
        return {
            scope[:cut]
            for scope in busy
            for cut in range(len(scope) + 1)
            if paths.get_scope(scope[:cut]) == scope[:cut]
        }

    def _find_target_scope(self, path: Path) -> Path:
        """Return the scope of the target for the scope of a path of the source."""
        scope = paths.get_scope(path)
        for step in self.direction.steps:
            if isinstance(step, ContainerStep) and step.source_scope == scope:
                return step.target_scope
        return paths.get_scope(scope[:-1]) if scope else ()

    def is_table_row(self, step: Step) -> bool:
        """Return true if a table row implements the step: the field stays in an object that is copied by its table."""
        if not isinstance(step, Copy) or isinstance(
            step, CopyNonNull | MapToList | HandwrittenObject | WrapObject | UnwrapObject
        ):
            return False
        if self.drops_null(step):
            return False
        above = self._find_source_object(step.target[:-1])
        return above is not None and above == step.source[:-1]

    def drops_null(self, step: Step) -> bool:
        """See StatementContext."""
        return drops_null(step, self.source, self.target)

    def _find_source_object(self, container: Path) -> Path | None:
        """Return the source path of an object of the target; None for an object that is created."""
        if not container:
            return ()
        for step in self.direction.steps:
            if isinstance(step, ContainerStep) and step.target_scope == container:
                return step.source_scope
            if type(step) is ObjectStep and step.target == container:
                return step.source
        return None

    def write(self) -> Sequence[GeneratedFunction]:
        """Return the functions, callees first."""
        self._write_root()
        return self.functions

    def _write_root(self) -> None:
        scope = FunctionBodyWriter(self, (), ())
        scope.write()
        origins = [f"    - {format_docstring(format_origin(step))}" for step in self.direction.steps if step.declared]
        summary = f'    """Convert from {self.direction.source} to {self.direction.target}.'
        doc = [f"{summary}\n", *origins, '    """'] if origins else [f'{summary}"""']
        own, other = (
            f"DATA_ANNOTATION + {format_string(self.direction.source)}",
            f"DATA_ANNOTATION + {format_string(self.direction.target)}",
        )
        lines = [f"def {self.name}(source: Object) -> Object:", *doc]
        if scope.has_conversion_data:
            lines.append(f"    was = conversion_data_of(source, {other})")
        lines.append("    lost: Object = {}")
        lines.append(
            f"    result = begin(source, GROUP + {format_string('/' + self.direction.target)}, "
            f"{self._format_carry_arguments((), ())})"
        )
        lines += [f"    {line}" for line in scope.lines]
        lost = "settled(lost, result)" if self.has_deferred_entries else "lost"
        lines.append(f"    return finish(result, {other}, {own}, {lost})")
        self.functions.append(GeneratedFunction(self.name, tuple(lines)))

    def write_item_function(self, step: ContainerStep) -> str:
        """Return the name of the function for the items of a step."""
        source, target = step.source_scope, step.target_scope
        scope = FunctionBodyWriter(self, source, target)
        scope.write()
        name = self._get_function_name(self.direction, target)
        schemas = paths.find_schema(self.source, source), paths.find_schema(self.target, target)
        objects = [schema is not None and get_shape(schema) == OBJECT for schema in schemas]
        doc = _format_item_docstring(
            format_docstring(paths.format_path(source)), format_docstring(paths.format_path(target))
        )
        lines = [f"    {line}" for line in scope.lines]
        if all(objects):
            table, _, known_fields = self._format_carry_arguments(source, target).partition(", ")
            lines.insert(0, f"    result = fields(item, {table}, at{known_fields and f', {known_fields}'})")
        elif objects[1]:
            lines.insert(0, "    result: Object = {}")
        elif not any("result = " in line for line in lines):
            lines.append("    result = item")  # no step creates a new value
        lines += _emit_return(lines)
        parameter, returned = ("Object" if is_object else "Any" for is_object in objects)
        used = _find_names("\n".join(lines))
        takes = {"item": parameter, "root": "Object", "at": "str", "was": "Any", "lost": "Object"}
        takes = {"place": "Place", **takes} if "place" in used else takes
        arguments = ", ".join(f"{'' if name in used else '_'}{name}: {kind}" for name, kind in takes.items())
        self.functions.append(GeneratedFunction(name, (*_format_signature(name, arguments, returned), *doc, *lines)))
        return name

    def _format_carry_arguments(self, source: Path, target: Path) -> str:
        """Return the arguments for an object that is copied by a table: its table, and known fields if it is open."""
        return self.define_table(target) + others(
            self.find_schema(source), paths.find_schema(self.target, target) or Schema({})
        )

    def define_table(self, target: Path) -> str:
        """Return the name of the table for an object that is copied field by field."""
        rows = {}
        for step in self.direction.steps:
            if self.is_table_row(step) and step.get_writes()[0][:-1] == target:
                row = self._build_row(step)
                if row is not None:
                    rows[step.get_reads()[0][-1]] = row
        name = "_".join(format_constant_name(part) for part in get_field_names(target)) or "OBJECT"
        return self.tables.table(rows, f"_{name}_{self.suffix.upper()}", self.suffix)

    def _build_row(self, step: Step) -> tuple[str, str] | None:
        """Return the table row of a step; None if a function implements it."""
        source, target = step.get_reads()[0], step.get_writes()[0]
        change = self.emit_transform(step)
        if change is None:
            return None
        return row(target[-1], kinds(self.find_schema(source)), change, format_origin(step) if step.declared else "")

    def emit_transform(self, step: Step) -> str | None:
        """Return the conversion of a copied value as Python; None if items need their own function."""
        source, target = step.get_reads()[0], step.get_writes()[0]
        if isinstance(step, ContainerStep):
            if step.target_scope in self.complex_scopes:
                return None
            helper = "every" if isinstance(step, EachItem) else "entries"
            item = kinds(self.find_schema(step.source_scope), paths.find_schema(self.target, step.target_scope))
            return f"{helper}({item}, within({self._format_carry_arguments(step.source_scope, step.target_scope)}))"
        if isinstance(step, ObjectStep):
            return f"within({self._format_carry_arguments(source, target)})"
        name = f"_{'_'.join(format_constant_name(part) for part in get_field_names(source))}"
        return self.tables.whole(self.find_schema(source), name, paths.find_schema(self.target, target))

    def _get_function_name(self, direction: Direction, target: Path) -> str:
        """Return the name of the function that converts objects at a path of the target."""
        return self.tables.function(
            f"_{format_variable_name('_'.join(get_field_names(target)))}_{_format_suffix(direction)}",
            (_format_suffix(direction), target),
        )

    def get_inverse_function(self, step: HandwrittenObject) -> str:
        """See StatementContext."""
        return self._get_function_name(self.reverse, step.source_scope)

    def define_caller(self, step: HandwrittenObject, *, back: bool) -> str:
        """See StatementContext."""
        name = step.inverse_function if back else step.function
        target = self.find_schema(step.source) if back else paths.find_schema(self.target, step.target)
        change = self.tables.computed(target or Schema({}), f"_{format_constant_name(name)}")
        return self.tables.expression(
            f"object_by(functions, {format_literal(name)}, {change})", f"_{format_constant_name(name)}"
        )

    def define_expression(self, step: ComputedStep, *, back: bool) -> str:
        """Return the name of the conversion of a step, in this or in the reverse direction."""
        schema = self.target if back else self.source
        if isinstance(step, FunctionCall):
            target = paths.find_schema(self.source if back else self.target, step.target) or Schema({})
            arguments = format_literal(step.expression) + (", INTEGER" if kinds(target) == "INTEGER" else "")
            return self.tables.expression(
                f"value_by(functions, {arguments})", f"_{format_constant_name(step.expression)}"
            )
        used = ("self", *self.find_variables(step, back=back))
        schemas = build_variable_schemas(self.reverse if back else self.direction, step, schema)
        arguments = "".join(
            f", {name}={format_literal(variable_schema)}" for name, variable_schema in schemas.items() if name in used
        )
        name = f"_{'_'.join(format_constant_name(part) for part in get_field_names(step.target))}"
        return self.tables.expression(
            f"expression({format_literal(step.expression)}, MISSING, ConversionError{arguments})", name
        )

    def find_variables(self, step: ComputedStep, *, back: bool) -> tuple[str, ...]:
        """See StatementContext."""
        if not isinstance(step, CelExpression):
            return ()
        key = step.source, step.target, step.expression, back
        if key not in self._variables:
            direction_and_root = (self.reverse, self.target) if back else (self.direction, self.source)
            self._variables[key] = find_expression_variables(direction_and_root[0], step, direction_and_root[1])
        return self._variables[key]

    def has_extra_inputs(self, step: ComputedStep, *, back: bool) -> bool:
        """See StatementContext."""
        whole = isinstance(step, CelExpression) and is_of_object(step, self.target if back else self.source)
        return whole or bool(self.find_variables(step, back=back))

    def has_item_context(self, target: Path) -> bool:
        """See StatementContext."""
        if self._contextual_items is None:
            self._contextual_items = set(find_contextual_items(self))
        return target in self._contextual_items

    def find_schema(self, path: Path) -> Schema:
        """Return the schema at a path of the source."""
        return paths.find_schema(self.source, path) or Schema({})

    def count_carried_parents(self, path: Path) -> int:
        """See StatementContext."""
        return _count_carried(path, self._carried_objects)

    def count_required_parents(self, path: Path) -> int:
        """See StatementContext."""
        return _count_required(path, self._carried_objects)

    def count_created_parents(self, path: Path) -> int:
        """See StatementContext."""
        return len(path) - len(paths.get_scope(path)) - 1 - _count_required(path, self._carried_back_objects)


def _find_entries(
    directions: tuple[Direction, Direction], source: Schema, target: Schema
) -> tuple[ConversionDataEntry, ...]:
    """Return the entries of the conversion data of a direction, which is followed by its reverse."""
    covered = find_covered_fields(directions[0], source, target)
    wrapped = find_wrapped_objects(*directions, target)
    return find_conversion_data(*directions, (*covered, *wrapped, *find_null_fields(directions[0], source, target)))


def _find_carried_objects(direction: Direction) -> set[Path]:
    """Return the objects that are copied, unless values from elsewhere create them, too."""
    carried = [
        step.target
        for step in direction.steps
        if isinstance(step, ObjectStep) and not (isinstance(step, UnwrapObject) and find_outside_names(step, direction))
    ]
    return {(), *carried, *map(paths.strip_object_scopes, carried)}


def _count_required(path: Path, carried: Collection[Path]) -> int:
    """Return the number of objects around a path, below its scope, up to the last that is copied."""
    scope = paths.get_scope(path)
    depths = range(len(path) - 1, len(scope), -1)
    return next((depth - len(scope) for depth in depths if path[:depth] in carried), 0)


def _count_carried(path: Path, carried: Collection[Path]) -> int:
    """Return the number of objects around a path, below its scope, that are copied without a gap."""
    scope = paths.get_scope(path)
    depth = len(scope)
    while depth < len(path) - 1 and path[: depth + 1] in carried:
        depth += 1
    return depth - len(scope)


def _format_suffix(direction: Direction) -> str:
    return f"{format_variable_name(direction.source)}_to_{format_variable_name(direction.target)}"


def _format_signature(name: str, arguments: str, result: str) -> Sequence[str]:
    line = f"def {name}({arguments}) -> {result}:"
    return [line] if len(line) <= LINE_LENGTH else [f"def {name}(", f"    {arguments}", f") -> {result}:"]


def generate_module(plan: Plan) -> str:
    """Return the source of the module that converts objects of a kind."""
    tables = Tables()
    functions: list[GeneratedFunction] = []
    converters: dict[tuple[str, str], str] = {}
    direct: dict[tuple[str, str], str] = {}
    for pairs, names in ((plan.pairs, converters), (plan.direct, direct)):
        for direction, reverse in (directions for pair in pairs for directions in pair.get_directions()):
            writer = DirectionWriter(plan, direction, reverse, tables)
            functions += writer.write()
            names[direction.source, direction.target] = writer.name
    body = "\n\n\n".join(
        "\n".join(part for line in function.lines for part in wrap_statement(line)) for function in functions
    )
    fields_table = _emit_fields(plan, tables)
    statements = "\n".join([*tables.texts, *fields_table])
    table = _table("CONVERSIONS", converters) or "CONVERSIONS: dict[tuple[str, str], Callable[[Object], Object]] = {}"
    optional_tables = {"DIRECT": _table("DIRECT", direct), "GAPS": _gaps(plan)}
    table = "\n".join([table, *filter(None, optional_tables.values())])
    between = ", ".join([name if statement else "{}" for name, statement in optional_tables.items()])
    arguments = f", ({between})" if any(optional_tables.values()) else ""
    function = f"convert_{'across_hubs' if fields_table else 'through_hub'}"
    arguments = f", FIELDS{arguments}" if fields_table else ""
    call = f"    return {function}(source, version, GROUP, HUB, CONVERSIONS{arguments})"
    convert = "\n".join([_CONVERT, *wrap_statement(call), ""])
    used = _emit_imports(plan, f"{body}\n{statements}\n{table}\n{convert}")
    versions = ", ".join(map(format_string, [version.name for version in plan.crd.versions]))
    constants = [
        f"GROUP = {format_string(plan.crd.group)}",
        f"KIND = {format_string(plan.crd.names.kind)}",
        f"HUB = {format_string(plan.hub)}",
        f"VERSIONS = ({versions}{',' * (len(plan.crd.versions) == 1)})",
        f"DATA_ANNOTATION = GROUP + {format_string(ANNOTATION_INFIX)}",
    ]
    summary = f"{plan.crd.names.kind} of {plan.crd.group}: conversion between its versions, through {plan.hub}."
    title = f'"""{format_docstring(summary)}"""'
    head = [f"# {HEADER}", title, "", "from __future__ import annotations", ""]
    parts = ["\n".join([*head, *used, "", *constants, *([statements] if statements else [])]), body, table + "\n\n"]
    return "\n\n\n".join(part for part in parts if part).rstrip() + "\n\n\n" + convert


HEADER = "Generated by protoc-gen-crd. Do not edit: change the API, and generate it again."
_CONVERT = '''def convert(source: Object, version: str) -> Object:
    """Convert an object to a version; raises ConversionError.

    The result shares parts with the argument.
    """'''


MIN_HUB_VERSIONS = 3  # with two versions, the hub makes no difference


def _table(name: str, functions: Mapping[tuple[str, str], str]) -> str:
    """Return the statement for a table of conversion functions by their versions; empty for none."""
    rows = "".join(
        f"    ({format_string(pair[0])}, {format_string(pair[1])}): {function},\n"
        for pair, function in functions.items()
    )
    return f"{name} = {{\n{rows}}}" if rows else ""


def _gaps(plan: Plan) -> str:
    """Return the statement for fields in conversion data of other hubs that are not converted; empty for none."""
    ends = {frozenset((pair.spoke, pair.to_hub.target)) for pair in plan.direct}
    gaps = find_relevant_gaps(plan, plan.gaps, lambda one, other: frozenset((one, other)) in ends)
    rows = [f"({format_string(gap.spoke)}, {format_string(gap.other)}): {format_literal(gap.fields)}" for gap in gaps]
    return "\n".join(wrap_statement(f"GAPS = {{{', '.join(rows)}}}")) if rows else ""


def find_relevant_gaps(plan: Plan, gaps: Iterable[Gap], has_direct: Callable[[str, str], bool]) -> Sequence[Gap]:
    """Return the gaps whose fields can be in conversion data of other hubs.

    A hub that is set explicitly never changed, unless recorded releases have another one. Then only fields that reach
    the other version through a third one can be in its conversion data.

    Args:
        plan: The plan of the kind.
        gaps: Some or all of its gaps.
        has_direct: Returns whether two spokes have a direct conversion.
    """
    if not plan.crd.hub or plan.crd.earlier_hubs:
        return list(gaps)
    return [
        gap for gap in gaps if any(has_direct(gap.spoke, name) and has_direct(gap.other, name) for name in plan.schemas)
    ]


def _emit_fields(plan: Plan, tables: Tables) -> Sequence[str]:
    """Return the statement with the possible contents of each version, for conversion data of other hubs."""
    versions = [version for version in plan.crd.versions if version.schema is not None]
    if not has_hubs(plan):
        return []
    rows = [
        f"{format_string(version.name)}: "
        f"{tables.exclusive(plan.get_schema(version.name), f'_{format_constant_name(version.name)}')}"
        for version in versions
    ]
    return tuple(wrap_statement(f"FIELDS: dict[str, Change] = {{{', '.join(rows)}}}"))


def generate_fields_module(plan: Plan) -> str:
    """Return the source of a module with only the possible contents of each version."""
    tables = Tables()
    fields_table = _emit_fields(plan, tables)
    statements = "\n".join([*tables.texts, *fields_table])
    return "\n".join([*_emit_imports(plan, statements), "", statements, ""])


def has_hubs(plan: Plan) -> bool:
    """Return true if a kind has enough versions to have had another hub."""
    return len(plan.pairs) + 1 >= MIN_HUB_VERSIONS


def _emit_imports(plan: Plan, source: str) -> list[str]:
    """Return the import statements for the runtime names in a source."""
    words = _find_names(source)
    modules = {"partial": "functools", "Any": "typing"}
    lines = [f"from {module} import {name}" for name, module in modules.items() if name in words]
    lines += [""] if lines else []
    if "expression" in words:
        lines += ["from protoc_gen_crd.conversion.expressions import expression", ""]
    if "functions" in words:
        lines.append(f"from . import {get_functions_module_name(plan)} as functions")
    return lines + build_imports(words)


def _format_item_docstring(source: str, target: str) -> Sequence[str]:
    """Return the docstring of a function for items."""
    line = f'    """Convert one of {source}{"" if source == target else f" to {target}"}."""'
    return (
        [line] if len(line) <= LINE_LENGTH else [f'    """Convert one of {source}.', "", f"    To {target}.", '    """']
    )


def _emit_return(lines: list[str]) -> Sequence[str]:
    """Return the statement that returns the result, in place of a last line that only assigns it."""
    assigned = "    result = "
    return [
        f"    return {lines.pop().removeprefix(assigned)}" if lines[-1].startswith(assigned) else "    return result"
    ]


def _find_names(source: str) -> set[str]:
    """Return the names in generated code that are not attributes or keywords of arguments, with some it defines."""
    return set(_NAME_IN_CODE.findall(source))
