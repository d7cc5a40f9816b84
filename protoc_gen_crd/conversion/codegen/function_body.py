"""Generate the statements of one function, for a whole object or for each item of a list or map."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeGuard

from protoc_gen_crd.conversion.checks.expression_scope import is_of_object
from protoc_gen_crd.conversion.codegen.python_types import kinds
from protoc_gen_crd.conversion.codegen.runtime_files import RESERVED
from protoc_gen_crd.conversion.codegen.statement_writer import StatementContext
from protoc_gen_crd.conversion.codegen.variable_names import (
    format_origin,
    format_table_name,
    format_tuple,
    get_field_names,
    get_outer_field,
    strip_scope,
)
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.container_steps import (
    ContainerStep,
    EachItem,
    Gather,
    HandwrittenField,
    HandwrittenObject,
    MapToList,
    Spread,
    UnwrapObject,
    WrapObject,
)
from protoc_gen_crd.conversion.plan.conversion_data_entries import (
    ConversionDataEntry,
    find_created_objects,
    find_outside_names,
    find_spread_values,
    is_read_only,
)
from protoc_gen_crd.conversion.plan.copy_steps import (
    Copy,
    CopyWithDefault,
    Default,
    Drop,
    DropEntry,
    Duplicate,
    KeepEntry,
    Namesake,
    ObjectStep,
)
from protoc_gen_crd.conversion.plan.exclusive_fields import find_alternatives
from protoc_gen_crd.conversion.plan.expression_variables import ITEM_VARIABLE, KEY_VARIABLE, build_scope_variables
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.python_source import (
    format_comment,
    format_literal,
    format_string,
    format_variable_name,
)
from protoc_gen_crd.conversion.plan.step_base import Step
from protoc_gen_crd.conversion.plan.value_steps import CelExpression, ComputedStep, First, Multiply, ValueTable, Wrap
from protoc_gen_crd.schema.schema import Schema

_EMPTY_SCHEMA = Schema({})
_NESTED_PATH = ("[]",)  # the conversion data of a list in a list


class FunctionBodyWriter:
    """The body of one function. `source` and `target` are its paths, empty for the whole object."""

    def __init__(self, writer: StatementContext, source: Path, target: Path) -> None:
        self._writer, self._source, self._target = writer, source, target
        self.has_conversion_data = False
        self.lines: list[str] = []
        self._locals: dict[tuple[str, Path], str] = {}
        self._names: set[str] = set()
        self._limit_lines: list[str] = []

    def write(self) -> None:
        """Write the statements in order: values, restored conversion data, new conversion data."""
        if not self._target:
            self._write_metadata()
        for step in self._writer.direction.steps:
            if isinstance(step, HandwrittenField):
                continue  # the function writes it
            if step.get_writes() and paths.get_scope(step.get_writes()[0]) == self._target:
                self._write_step(step)
        if not self._source:
            self._write_removed_entries()
        if restored := self._get_restored_entries():
            self.has_conversion_data = True
            self.lines.append("if was is not None:")
            values = [entry for entry in restored if not (entry.absent or entry.empty)]
            self.lines += [f"    {self._emit_restore(entry)}" for entry in values]
            self.lines += [
                f"    keep_object(result, {format_tuple(strip_scope(target))}, {self._emit_raw_read(source)})"
                for target, source in self._find_removable_objects(values)
            ]
            self.lines += [f"    {self._emit_restore(entry)}" for entry in restored if entry not in values]
            self.lines += [
                f"    remove_created(result, {self._emit_target(source, target)})"
                for target, source in find_created_objects(self._writer.direction, restored)
            ]
        self.lines += self._limit_lines
        for entry in self._writer.kept_entries:
            if paths.get_scope(entry.path) == self._source:
                self.lines.append(self._emit_keep(entry))

    def _emit_target(self, source: Path, target: Path) -> str:
        """Emit the path of an object and its source; null becomes MISSING if the target is not nullable."""
        read = self._emit_read(source, "None")
        schema = paths.find_schema(self._writer.target, target) or _EMPTY_SCHEMA
        is_narrowed = self._find_schema(source).get("nullable") and not schema.get("nullable")
        return f"{format_tuple(strip_scope(target))}, {f'present({read})' if is_narrowed else read}"

    def _find_removable_objects(self, restored: Sequence[ConversionDataEntry]) -> Iterator[tuple[Path, Path]]:
        """Yield the target objects that are removed with their last value, with their sources; inner ones first."""
        targets = {
            step.target: step.source
            for step in self._writer.direction.steps
            if type(step) is ObjectStep and paths.get_scope(step.target) == self._target
        }
        for target in sorted(targets, key=lambda path: (-len(path), path)):
            has_gap = self._writer.count_carried_parents((*target, "")) < len(strip_scope(target))
            if has_gap and any(entry.path[: len(target)] == target for entry in restored):
                yield target, targets[target]

    def _write_removed_entries(self) -> None:
        """Remove the copies of map entries that are kept or dropped."""
        removed = [
            path
            for step in self._writer.direction.steps
            if isinstance(step, KeepEntry | DropEntry)
            for path in step.counterparts
        ]
        self.lines += [f"move(result, {format_tuple(path)})" for path in removed]

    def _get_restored_entries(self) -> Sequence[ConversionDataEntry]:
        return [entry for entry in self._writer.restored_entries if paths.get_scope(entry.path) == self._target]

    def _write_metadata(self) -> None:
        """Write the moves of labels and annotations."""
        for step in self._writer.direction.steps:
            away = () if isinstance(step, Duplicate) else step.get_reads()
            self.lines += [f"move(result, {format_tuple(path)})" for path in away if paths.is_metadata_entry(path)]
        for step in self._writer.direction.steps:
            self.lines += [
                f"own(result, {format_tuple(path)})" for path in step.get_writes() if paths.is_metadata_entry(path)
            ]

    def _write_step(self, step: Step) -> None:
        target = step.get_writes()[0]
        if isinstance(step, ContainerStep) and step.target_scope in self._writer.complex_scopes:
            self._write_items(step)
        elif not self._writer.is_table_row(step):
            change = self._writer.emit_transform(step) if isinstance(step, Copy) else None
            reads = [self._read_source(path, change) for path in step.get_reads()]
            if step.declared:
                self.lines.append(format_comment(format_origin(step)))
            if target == self._target:
                self.lines.append(f"result = needed({self._emit_forward(step, reads)}, at)")
                return
            destination = f"result, {format_tuple(strip_scope(target))}"
            if not isinstance(step, Default):
                value = (
                    self._emit_carried(step, reads[0])
                    if isinstance(step, CopyWithDefault)
                    else self._emit_forward(step, reads)
                )
                parents = (
                    f", {present_depth}"
                    if is_read_only(step) and (present_depth := self._writer.count_carried_parents(target))
                    else ""
                )
                self.lines.append(f"put({destination}, {value}{parents})")
            if isinstance(step, Default | CopyWithDefault):
                self.lines.append(
                    f"fill({destination}, {format_literal(step.value)}, {self._writer.count_required_parents(target)})"
                )

    def _emit_carried(self, step: Step, read: str) -> str:
        """Return a value that a default may replace: null counts as missing."""
        return f"present({read})" if self._find_schema(step.source).get("nullable") else read

    def _emit_forward(self, step: Step, reads: Sequence[str]) -> str:
        """Emit the expression of a step; a variable holds it if it is needed for a witness."""
        if not self._has_extra_inputs(step, back=False) or all(
            step.target != entry.path for entry in self._writer.restored_entries
        ):
            return self._emit_step(step, reads)
        name = self._locals["computed", step.target] = self._allocate_name(step.target, "computed_")
        self.lines.append(
            f"{name} = {self._emit_computed(step, reads, 'root' if self._source else 'source', back=False)}"
        )
        return self._emit_limited(step, name)

    def _has_extra_inputs(self, step: Step | None, *, back: bool) -> TypeGuard[ComputedStep]:
        return isinstance(step, ComputedStep) and self._writer.has_extra_inputs(step, back=back)

    def _is_of_object(self, step: Step | None, *, back: bool) -> bool:
        """Return true if an expression converts an object as a whole: its result is the only witness."""
        return isinstance(step, CelExpression) and is_of_object(
            step, self._writer.target if back else self._writer.source
        )

    def _emit_step(self, step: Step, reads: Sequence[str], *, back: bool = False) -> str:
        """Emit the expression of a step; in the reverse direction, the result is the object."""
        if not isinstance(step, ComputedStep):
            emitted = self._emit_without_null(step, reads, back=back)
            return emitted if back else self._emit_limited(step, emitted)
        root = "result" if back and not self._source else "root" if self._source else "source"
        computed = self._emit_computed(step, reads, root, back=back)
        return computed if back else self._emit_limited(step, computed)

    def _emit_computed(self, step: ComputedStep, reads: Sequence[str], root: str, *, back: bool) -> str:
        """Emit the call that computes the value; only expressions receive the object."""
        name = self._writer.define_expression(step, back=back)
        roots = [root] if isinstance(step, CelExpression) else []
        variables = [variable for variable in self._writer.find_variables(step, back=back) if variable != "root"]
        more = [f"{variable}={self._get_scope_variable(variable, back=back)}" for variable in variables]
        return step.emit([name, reads[0], *roots, self._emit_path(step, back=back), *more])

    def _get_scope_variable(self, name: str, *, back: bool) -> str:
        """Return the variable for the place of an expression."""
        if name == ITEM_VARIABLE:
            return self._read_result(self._target) if back else self._read_source(self._source)
        variable = self._locals.get((name, ()))
        if variable is None:
            variable = self._locals[name, ()] = self._allocate_name((name,))
            further = ".further" * build_scope_variables(self._source, self._target).depths[name]
            self.lines.append(f"{variable} = place{further}.{'key' if name == KEY_VARIABLE else 'index'}")
        return variable

    def _emit_without_null(self, step: Step, reads: Sequence[str], *, back: bool) -> str:
        """Emit the expression of a step; null becomes MISSING if the target is not nullable."""
        if isinstance(step, ObjectStep) and not back and self._writer.drops_null(step):
            return f"present({step.emit(reads)})"
        if not isinstance(step, CopyWithDefault | Duplicate | First | Gather | Multiply | Spread | ValueTable | Wrap):
            return step.emit(reads)
        roots = (self._writer.target, self._writer.source) if back else (self._writer.source, self._writer.target)
        sides = zip(roots, (step.source, step.target), strict=True)
        source, target = (paths.find_schema(root, path) or _EMPTY_SCHEMA for root, path in sides)
        source = (source.items or _EMPTY_SCHEMA) if isinstance(step, First) else source
        target = (target.items or _EMPTY_SCHEMA) if isinstance(step, Wrap) else target
        if not source.get("nullable") or (target.get("nullable") and not isinstance(step, CopyWithDefault)):
            return step.emit(reads)
        is_result_checked = isinstance(step, First | Gather)
        return (
            f"present({step.emit(reads)})"
            if is_result_checked
            else step.emit([f"present({expression})" for expression in reads])
        )

    def _emit_limited(self, step: Step, value: str) -> str:
        """Emit a computed value with a check that its field accepts it.

        A value that may be replaced by a restored one is checked after that.
        """
        target, tables = paths.find_schema(self._writer.target, step.target) or _EMPTY_SCHEMA, self._writer.tables
        if isinstance(step, ValueTable) and target.get("enum"):
            change = tables.values(target)
        elif isinstance(step, Duplicate):
            change = self._writer.emit_transform(step) or "None"
        elif isinstance(step, Multiply | ComputedStep):
            change = (tables.computed if isinstance(step, Multiply) else tables.bounded)(
                target, format_table_name(step.target)
            )
        else:
            return value
        arguments = f"{kinds(target)}, {change}, {self._emit_path(step)}"
        may_be_restored = isinstance(step, Multiply | ComputedStep) and any(
            step.target == entry.path for entry in self._get_restored_entries()
        )
        if step.target == self._target or not may_be_restored:
            return f"check_computed({value}, {arguments})"
        self._limit_lines.append(f"check_field(result, {format_tuple(strip_scope(step.target))}, {arguments})")
        return value

    def _emit_path(self, step: Step, *, back: bool = False) -> str:
        """Emit the path of a step's target for messages, or of its source if that is invalid or named."""
        reads = isinstance(step, ValueTable)
        if not self._source:
            return format_literal(paths.format_path(step.source if reads else step.target))
        named = reads or self._source != self._target  # messages name the enclosing items by their source
        read = named and not back and paths.get_scope(step.source) == self._source
        below = ".".join(("", *strip_scope(step.source if read else step.target)))
        return f"at + {format_string(below)}" if below else "at"

    def _write_items(self, step: ContainerStep) -> None:
        source, target = step.source, step.target
        function = self._writer.write_item_function(step)
        value = self._read_source(source, "None")
        value = f"present({value})" if self._writer.drops_null(step) else value
        root = "root" if self._source else "source"
        below = format_string(".".join(("", *strip_scope(source))))
        at = below if not self._source else f"at + {below}" if strip_scope(source) else "at"
        self.has_conversion_data = True
        arguments = f"{root}, {at}, below(was, {format_tuple(strip_scope(target) or _NESTED_PATH)})"
        place = f"Place({arguments}, lost, {format_tuple(strip_scope(source) or _NESTED_PATH)}"
        count = self._writer.count_created_parents(source) if isinstance(step, WrapObject | UnwrapObject) else 0
        created = f", created={count}" if count else ""
        new = self._allocate_name(target, "new_")
        if self._writer.has_item_context(step.target_scope):
            item_place = self._allocate_name(target, "place_of_")
            further = ", place" if self._source else ""
            self.lines.append(f"{item_place} = {place}{further}{created})")
            function, place = f"partial({function}, {item_place})", item_place
        else:
            place += f"{created})"
        outside_values = self._emit_outside(step) if isinstance(step, WrapObject) else ""
        if step.declared:
            self.lines.append(format_comment(format_origin(step)))
        target_item = paths.find_schema(self._writer.target, step.target_scope)
        item_kinds = kinds(self._find_schema(step.source_scope), None if target == () else target_item)
        if isinstance(step, HandwrittenObject):
            call = f"{self._writer.define_caller(step, back=False)}({value}, {function}, {place}"
        else:
            call = step.emit_each(value, function, place) + (f", {item_kinds}" if item_kinds != "OBJECT" else "")
        dropped = self._find_dropped(step)
        call += f", dropped={format_literal(dropped)}" if dropped else ""
        outside = (
            find_outside_names(step, self._writer.direction) if isinstance(step, WrapObject | UnwrapObject) else ()
        )
        call += f", others={format_literal(outside)}" if outside else ""
        late = self._find_late_fields(step) if isinstance(step, WrapObject | UnwrapObject) else ()
        call += f", late={format_literal(late)}" if late else ""
        call += outside_values
        self.lines.append(f"{new} = {call})")
        present_depth = self._writer.count_carried_parents(target) if isinstance(step, WrapObject) else 0
        put = f"put(result, {format_tuple(strip_scope(target))}, {new}{f', {present_depth}' if present_depth else ''})"
        self.lines.append(put if strip_scope(target) else f"result = needed({new}, at)")

    def _emit_outside(self, step: WrapObject) -> str:
        """Emit the argument for the values that an item has from outside its object."""
        spread = find_spread_values(step, self._writer.direction, self._writer.target)
        values = [self._emit_step(inner, [self._read_source(inner.source)]) for inner in spread]
        return f", outside=({', '.join(values)},)" if values else ""

    def _find_dropped(self, step: ContainerStep) -> tuple[Path, ...]:
        """Return the dropped fields of items without keys; whole lists if they are nested in such items."""
        has_no_keys = isinstance(step, UnwrapObject) or (isinstance(step, EachItem) and not step.keys)
        sources = (
            [drop.source for drop in self._writer.direction.steps if isinstance(drop, Drop)] if has_no_keys else []
        )
        return _find_outer_fields(sources, step.source_scope)

    def _find_late_fields(self, step: WrapObject | UnwrapObject) -> tuple[Path, ...]:
        """Return the fields of a single object whose conversion data depends on the whole object."""
        is_wrapping = isinstance(step, WrapObject)
        entries = self._writer.kept_entries if is_wrapping else self._writer.restored_entries
        late = [entry.path for entry in entries if self._reads_whole(entry.inverse, back=is_wrapping)]
        return _find_outer_fields(late, step.source_scope if is_wrapping else step.target_scope)

    def _emit_handwritten_field(self, field: HandwrittenField) -> str:
        """Emit a field of the object that the reverse function computes from the result of a function."""
        objects = [
            object_step for object_step in self._writer.direction.steps if isinstance(object_step, HandwrittenObject)
        ]
        step = next(
            object_step for object_step in objects if object_step.source == field.target[: len(object_step.source)]
        )
        name = self._locals.get(("undone", step.source))
        if name is None:
            name = self._emit_inverse_call(step)
            if not self._source:
                name, call = self._allocate_name(step.source, "again_"), name
                self.lines.append(f"{name} = {call}")
            self._locals["undone", step.source] = name
        return (
            f"get_value({{{format_string(step.source[-1])}: {name}}}, "
            f"{format_tuple(field.target[len(step.source) - 1 :])}, ANYTHING)"
        )

    def _emit_inverse_call(self, step: HandwrittenObject) -> str:
        """Emit the call of the reverse function for an object; items wait for the whole object."""
        at = format_string(".".join(("", *strip_scope(step.source))))
        arguments = f"whole, at + {at}" if self._source else f"result, {at}"
        call = f"{self._writer.define_caller(step, back=True)}({self._read_result(step.target)}, "
        call += f"{self._writer.get_inverse_function(step)}"
        return f"{call}, Place({arguments}, None, {{}}, ()))"

    def _emit_restore(self, entry: ConversionDataEntry) -> str:
        alternatives = ", ".join(
            format_tuple(strip_scope(path)) for path in find_alternatives(self._writer.target, entry.path)
        )
        data = f"alone(was, result, {alternatives})" if alternatives else "was"
        destination = f"result, {data}, {format_tuple(strip_scope(entry.path))}"
        counterparts = () if self._is_of_object(entry.inverse, back=False) else entry.get_counterparts()
        shown = [self._get_or_read_source(path) for path in counterparts]
        present_depth = self._writer.count_required_parents(entry.path)
        if entry.absent:
            others = f", {format_literal(entry.others)}" if entry.others else ""
            read = self._emit_raw_read(entry.counterpart)
            read = f"first({read})" if entry.wrapped else read
            return f"restore_none({destination}, {present_depth}, {read}{others})"
        if entry.empty:
            return f"restore_empty({destination}, {present_depth})"
        target = paths.find_schema(self._writer.target, entry.path) or _EMPTY_SCHEMA
        change = self._writer.tables.bounded(target, format_table_name(entry.path))
        shown = self._emit_shown(entry, shown, back=False)
        shown += [self._locals["computed", entry.path]] if ("computed", entry.path) in self._locals else []
        shown += (
            [f"get_value(result, {format_tuple(strip_scope(entry.path))}, ANYTHING)"]
            if isinstance(entry.inverse, HandwrittenField)
            else []
        )
        return f"restore({', '.join([destination, str(present_depth), kinds(target), change, *shown])})"

    def _emit_keep(self, entry: ConversionDataEntry) -> str:
        path, created = format_tuple(strip_scope(entry.path)), self._writer.count_created_parents(entry.path)
        if entry.empty or entry.absent:  # only its presence matters
            value = self._locals.get(("source", entry.path)) or self._emit_read(entry.path, "None")
            shown = [self._read_result(path) for path in entry.get_counterparts()]
            shown = [f"first({value})" for value in shown] if entry.wrapped else shown
            shown += [str(created)] if created and entry.empty else []
            kind = "null" if entry.null else "empty" if entry.empty else "none"
            return f"keep_data_{kind}({', '.join(['lost', path, value, *shown])})"
        kept = f"lost, {path}, {self._read_source(entry.path)}"
        if isinstance(entry.inverse, Namesake):
            return f"keep_data({kept}, {self._read_result(entry.inverse.source)})"
        options = [f"created={created}"] if created else []
        if self._is_deferred(entry.inverse):
            self._writer.has_deferred_entries = True
            whole = f"get_value(whole, {format_tuple(entry.inverse.source)}, ANYTHING)"
            restored = self._emit_step(entry.inverse, [whole], back=True)
            return f"keep_data_late({', '.join([kept, f'lambda whole: {restored}', *options])})"
        shown = self._emit_shown(entry, [self._read_result(path) for path in entry.get_counterparts()], back=True)
        if isinstance(entry.inverse, HandwrittenField) or self._has_extra_inputs(entry.inverse, back=True):
            return self._emit_keep_computed(entry.inverse, kept, shown, options)
        reads = [self._read_result(path) for path in entry.get_counterparts()]
        back = self._emit_step(entry.inverse, reads, back=True) if entry.inverse else "MISSING"
        carrying = self._find_converted_parent(entry.path)
        if carrying and (isinstance(entry.inverse, Default | CopyWithDefault) or is_read_only(entry.inverse)):
            back = f"if_object_present({self._get_source_variable()}, {format_tuple(carrying)}, {back})"
        return f"keep_data({', '.join([kept, back, *shown, *options])})"

    def _emit_shown(self, entry: ConversionDataEntry, counterparts: Sequence[str], *, back: bool) -> list[str]:
        """Emit the counterparts of a value; an empty list has none for a value of its items."""
        step = entry.inverse
        if isinstance(step, Spread | First):
            return [self._emit_step(step, counterparts, back=back)]
        if isinstance(step, Gather) and entry.spread:
            return [f"showing({counterparts[0]}, {step.emit(counterparts)})"]
        return list(counterparts)

    def _is_deferred(self, step: Step | None) -> TypeGuard[Spread]:
        """Return true if a value of items depends on a value of the whole object that is restored later."""
        is_spread_to_items = isinstance(step, Spread) and bool(self._source)
        return is_spread_to_items and any(
            step is not None and step.source == entry.path for entry in self._writer.restored_entries
        )

    def _emit_keep_computed(
        self, step: ComputedStep | HandwrittenField, kept: str, shown: Sequence[str], options: Sequence[str]
    ) -> str:
        """Emit the statement that keeps a value whose reverse step reads the whole object: its result is a witness."""
        is_deferred = self._source and self._reads_whole(step, back=True)
        root = "whole" if is_deferred else "root" if self._source else "result"
        computed = (
            self._emit_handwritten_field(step)
            if isinstance(step, HandwrittenField)
            else self._emit_computed(step, shown, root, back=True)
        )
        shown = [] if self._is_of_object(step, back=True) else shown
        if is_deferred:
            self._writer.has_deferred_entries = True
            return f"keep_data_late({', '.join([kept, f'lambda whole: {computed}', *shown, *options])})"
        name = self._allocate_name(step.target, "again_")
        self.lines.append(f"{name} = {computed}")
        return f"keep_data({', '.join([kept, name, *shown, name, *options])})"

    def _reads_whole(self, step: Step | None, *, back: bool) -> bool:
        """Return true if a step inside an item reads the whole object."""
        is_expression = isinstance(step, ComputedStep) and "root" in self._writer.find_variables(step, back=back)
        return is_expression or isinstance(step, HandwrittenField)

    def _find_converted_parent(self, path: Path) -> Path:
        """Return the innermost object around a path, in its scope, that a default of the reverse direction requires."""
        converted_objects = {step.source for step in self._writer.direction.steps if isinstance(step, ObjectStep)}
        start = len(paths.get_scope(path))
        return next((path[start:cut] for cut in range(len(path) - 1, start, -1) if path[:cut] in converted_objects), ())

    def _read_source(self, path: Path, change: str | None = None) -> str:
        """Return the variable that holds a source value; it is read once."""
        name = self._locals.get(("source", path))
        if name is None:
            name = self._locals["source", path] = self._allocate_name(path)
            self.lines.append(f"{name} = {self._emit_read(path, change)}")
        return name

    def _get_or_read_source(self, path: Path) -> str:
        """Return the variable of a source value, or an expression that reads it in a conditional place."""
        return self._locals.get(("source", path)) or self._emit_read(path, None)

    def _emit_read(self, path: Path, change: str | None) -> str:
        schema = self._find_schema(path)
        if change is None:
            kept = any(entry.path == path for entry in self._writer.kept_entries)
            tables = self._writer.tables
            change = (tables.computed if kept else tables.whole)(schema, format_table_name(path))
        variable = self._get_source_variable() if paths.get_scope(path) == self._source else "root"
        at = ["at"] if variable == "item" else []
        changes = [change] if at or change != "None" else []
        return f"get_value({', '.join([variable, format_tuple(strip_scope(path)), kinds(schema), *changes, *at])})"

    def _emit_raw_read(self, path: Path) -> str:
        """Emit a source value as it is, for a witness: with the fields that are converted elsewhere."""
        variable = self._get_source_variable() if paths.get_scope(path) == self._source else "root"
        return f"get_value({variable}, {format_tuple(strip_scope(path))}, ANYTHING)"

    def _get_source_variable(self) -> str:
        return "item" if self._source else "source"

    def _find_schema(self, path: Path) -> Schema:
        return paths.find_schema(self._writer.source, path) or _EMPTY_SCHEMA

    def _read_result(self, path: Path) -> str:
        """Return the variable that holds a value of the result."""
        name = self._locals.get(("result", path))
        if name is None:
            name = self._locals["result", path] = self._allocate_name(path, "new_")
            value = f"get_value(result, {format_tuple(strip_scope(path))}, ANYTHING)"
            if path == self._target and (key := self._find_item_key()):
                value = f"{{{format_string(key)}: {self._get_scope_variable(KEY_VARIABLE, back=True)}, **result}}"
            elif paths.get_scope(path) != self._target:
                value = self._get_or_read_source(path) if path in paths.NAME_PATHS else self._emit_outer_value(path)
            self.lines.append(f"{name} = {value}")
        return name

    def _find_item_key(self) -> str:
        """Return the key field of an item that receives its key from its map entry; empty for others."""
        keys = (
            step.key
            for step in self._writer.direction.steps
            if type(step) is MapToList and step.target_scope == self._target
        )
        return next(keys, "")

    def _emit_outer_value(self, path: Path) -> str:
        """Emit a value of the result outside this scope, which is computed later."""
        step = next((step for step in self._writer.direction.steps if path in step.get_writes()), None)
        return (
            self._emit_step(step, [self._get_or_read_source(read) for read in step.get_reads()]) if step else "MISSING"
        )

    def _allocate_name(self, path: Path, prefix: str = "") -> str:
        base = prefix + format_variable_name(get_field_names(path)[-1])
        name, number = base, 2
        while name in self._names or name in RESERVED:
            name, number = f"{base}_{number}", number + 1
        self._names.add(name)
        return name


def _find_outer_fields(fields: Sequence[Path], scope: Path) -> tuple[Path, ...]:
    """Return the fields of the items of a scope that contain other fields: whole lists for fields of their items."""
    return tuple(sorted({get_outer_field(path[len(scope) :]) for path in fields if path[: len(scope)] == scope}))
