"""Plans to Python modules: a table for each object that is carried, a function for each way and for its lists."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion.check.around import given, looks_at, of_object
from protoc_gen_crd.conversion.check.unseen import covered
from protoc_gen_crd.conversion.code.helpers import imports
from protoc_gen_crd.conversion.code.kinds import Tables, kinds, others, row
from protoc_gen_crd.conversion.code.naming import names, origin
from protoc_gen_crd.conversion.code.scopes import Scope
from protoc_gen_crd.conversion.code.writer import telling
from protoc_gen_crd.conversion.derive.fits import OBJECT, shape
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.changing import Call, Cel, Computed
from protoc_gen_crd.conversion.plan.containers import ByHand, Each, FirstOf, Items, ListOf, ToList
from protoc_gen_crd.conversion.plan.entries import entries
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.plan import Plan, Way
from protoc_gen_crd.conversion.plan.python import WIDTH, constant, laid_out, literal, quoted, spoken, variable
from protoc_gen_crd.conversion.plan.steps import Copy, Fields, Loose, Step
from protoc_gen_crd.schema.types import Schema


class Function(Record):
    """A function of the module: its name and its lines."""

    name: str
    lines: tuple[str, ...]


class WayWriter:
    """Writes the functions of one way."""

    def __init__(self, plan: Plan, way: Way, back: Way, tables: Tables) -> None:
        self.plan, self.way, self.back, self.tables = plan, way, back, tables
        self.source, self.target = plan.schema(way.source), plan.schema(way.target)
        self.aside = entries(way, back, covered(way, self.source, self.target))
        self.restored = entries(back, way, covered(back, self.target, self.source))
        self.suffix = _suffix(way)
        self.functions: list[Function] = []
        self.late = False
        self._telling: set[Path] | None = None
        self._looking: dict[tuple[Path, Path, str, bool], tuple[str, ...]] = {}
        self._held, self._held_back = (
            {path for step in each.steps if isinstance(step, Fields) for path in (step.target, paths.bare(step.target))}
            | {()}
            for each in (way, back)
        )
        self.rich = self._scopes_with_work()

    @property
    def name(self) -> str:
        """The name of the function that converts an object."""
        return self.suffix

    def _scopes_with_work(self) -> set[Path]:
        """The scopes of the target whose items need more than a table."""
        busy = {self._target_scope(entry.path) for entry in self.aside}
        busy |= {paths.scope(entry.path) for entry in self.restored}
        busy |= {step.made for step in self.way.steps if isinstance(step, ToList | ByHand | ListOf | FirstOf)}
        busy |= {paths.scope(path) for step in self.way.steps if not self.tabled(step) for path in step.writes()}
        return {
            scope[:cut] for scope in busy for cut in range(len(scope) + 1) if paths.scope(scope[:cut]) == scope[:cut]
        }

    def _target_scope(self, path: Path) -> Path:
        """The scope of the target that stands for the scope of a path of the source."""
        wanted = paths.scope(path)
        for step in self.way.steps:
            if isinstance(step, Each) and step.inside == wanted:
                return step.made
        return paths.scope(wanted[:-1]) if wanted else ()

    def tabled(self, step: Step) -> bool:
        """Whether a row of a table does the step: it stays in an object that is carried field by field."""
        if not isinstance(step, Copy) or isinstance(step, Loose | ToList | ByHand | ListOf | FirstOf):
            return False
        above = self._source_of(step.target[:-1])
        return above is not None and above == step.source[:-1]

    def _source_of(self, container: Path) -> Path | None:
        """Where the counterpart of an object of the target stands; None for an object that is made."""
        if not container:
            return ()
        for step in self.way.steps:
            if isinstance(step, Each) and step.made == container:
                return step.inside
            if type(step) is Fields and step.target == container:
                return step.source
        return None

    def write(self) -> Sequence[Function]:
        """The functions, those that others call first."""
        self._root()
        return self.functions

    def _root(self) -> None:
        scope = Scope(self, (), ())
        scope.write()
        origins = [f"    - {spoken(origin(step))}" for step in self.way.steps if step.declared]
        about = f'    """Convert from {self.way.source} to {self.way.target}.'
        doc = [f"{about}\n", *origins, '    """'] if origins else [f'{about}"""']
        own, other = f"STASH + {quoted(self.way.source)}", f"STASH + {quoted(self.way.target)}"
        lines = [f"def {self.name}(source: Object) -> Object:", *doc]
        if scope.uses_was:
            lines.append(f"    was = stash_of(source, {other})")
        lines.append("    lost: Object = {}")
        lines.append(f"    result = begin(source, GROUP + {quoted('/' + self.way.target)}, {self._carried((), ())})")
        lines += [f"    {line}" for line in scope.lines]
        lost = "settled(lost, result)" if self.late else "lost"
        lines.append(f"    return finish(result, {other}, {own}, {lost})")
        self.functions.append(Function(self.name, tuple(lines)))

    def item(self, step: Each) -> str:
        """The name of the function for the items that a step goes through; it is written by the way."""
        source, target = step.inside, step.made
        scope = Scope(self, source, target)
        scope.write()
        name = self._function(self.way, target)
        ends = paths.at(self.source, source), paths.at(self.target, target)
        objects = [end is not None and shape(end) == OBJECT for end in ends]
        doc = _item_doc(spoken(paths.shown(source)), spoken(paths.shown(target)))
        lines = [f"    {line}" for line in scope.lines]
        if all(objects):
            table, _, held = self._carried(source, target).partition(", ")
            lines.insert(0, f"    result = fields(item, {table}, at{held and f', {held}'})")
        elif objects[1]:
            lines.insert(0, "    result: Object = {}")
        lines += _returned(lines)
        taken, made = ("Object" if each else "Any" for each in objects)
        used = _names("\n".join(("def function():", *lines)))
        takes = {"item": taken, "root": "Object", "at": "str", "was": "Any", "lost": "Object"}
        takes = {"place": "Place", **takes} if "place" in used else takes
        arguments = ", ".join(f"{'' if each in used else '_'}{each}: {kind}" for each, kind in takes.items())
        self.functions.append(Function(name, (*_signature(name, arguments, made), *doc, *lines)))
        return name

    def _carried(self, source: Path, target: Path) -> str:
        """The arguments for an object that is carried field by field: its table, and what it does not carry if open."""
        return self.table(target) + others(self.at(source), paths.at(self.target, target) or Schema({}))

    def table(self, target: Path) -> str:
        """The name of the table for an object that is carried field by field."""
        rows = {}
        for step in self.way.steps:
            if self.tabled(step) and step.writes()[0][:-1] == target:
                made = self._row(step)
                if made is not None:
                    rows[step.reads()[0][-1]] = made
        name = "_".join(constant(part) for part in names(target)) or "OBJECT"
        return self.tables.table(rows, f"_{name}_{self.suffix.upper()}", self.suffix)

    def _row(self, step: Step) -> tuple[str, str] | None:
        """The row of a step; None for what a function of its own does."""
        source, target = step.reads()[0], step.writes()[0]
        change = self.change(step)
        if change is None:
            return None
        return row(target[-1], kinds(self.at(source)), change, origin(step) if step.declared else "")

    def change(self, step: Step) -> str | None:
        """What becomes of the value that a step copies, as Python; None where items have work of their own."""
        source, target = step.reads()[0], step.writes()[0]
        if isinstance(step, Each):
            if step.made in self.rich:
                return None
            helper = "every" if isinstance(step, Items) else "entries"
            return f"{helper}({kinds(self.at(step.inside))}, within({self._carried(step.inside, step.made)}))"
        if isinstance(step, Fields):
            return f"within({self._carried(source, target)})"
        name = f"_{'_'.join(constant(part) for part in names(source))}"
        return self.tables.whole(self.at(source), name, paths.at(self.target, target))

    def _function(self, way: Way, target: Path) -> str:
        """The name of the function that makes objects at a path of the target of a way."""
        return self.tables.function(f"_{variable('_'.join(names(target)))}_{_suffix(way)}", (_suffix(way), target))

    def derives_back(self, step: ByHand) -> str:
        """See Writer."""
        return self._function(self.back, step.inside)

    def caller(self, step: ByHand, *, back: bool) -> str:
        """See Writer."""
        name = step.undo if back else step.function
        target = self.at(step.source) if back else paths.at(self.target, step.target)
        change = self.tables.made(target or Schema({}), f"_{constant(name)}")
        return self.tables.expression(f"object_by(functions, {literal(name)}, {change})", f"_{constant(name)}")

    def expression(self, step: Computed, *, back: bool) -> str:
        """The name of what makes the value of a step of this way, or of the way back."""
        schema = self.target if back else self.source
        if isinstance(step, Call):
            made = paths.at(self.source if back else self.target, step.target) or Schema({})
            arguments = literal(step.text) + (", INTEGER" if kinds(made) == "INTEGER" else "")
            return self.tables.expression(f"value_by(functions, {arguments})", f"_{constant(step.text)}")
        used = ("self", *self.looks_at(step, back=back))
        known = given(self.back if back else self.way, step, schema)
        arguments = "".join(f", {name}={literal(each)}" for name, each in known.items() if name in used)
        name = f"_{'_'.join(constant(part) for part in names(step.target))}"
        return self.tables.expression(f"expression({literal(step.text)}, MISSING, ConversionError{arguments})", name)

    def looks_at(self, step: Computed, *, back: bool) -> tuple[str, ...]:
        """See Writer."""
        if not isinstance(step, Cel):
            return ()
        key = step.source, step.target, step.text, back
        if key not in self._looking:
            ends = (self.back, self.target) if back else (self.way, self.source)
            self._looking[key] = looks_at(ends[0], step, ends[1])
        return self._looking[key]

    def looks_around(self, step: Computed, *, back: bool) -> bool:
        """See Writer."""
        whole = isinstance(step, Cel) and of_object(step, self.target if back else self.source)
        return whole or bool(self.looks_at(step, back=back))

    def tells(self, target: Path) -> bool:
        """See Writer."""
        if self._telling is None:
            self._telling = set(telling(self))
        return target in self._telling

    def at(self, path: Path) -> Schema:
        """The schema at a path of the source."""
        return paths.at(self.source, path) or Schema({})

    def held(self, path: Path) -> int:
        """How many objects around a path of the target are there only if they are carried."""
        return _carried(path, self._held)

    def made_back(self, path: Path) -> int:
        """See Writer."""
        return len(path) - len(paths.scope(path)) - 1 - _carried(path, self._held_back)


def _carried(path: Path, held: Collection[Path]) -> int:
    """How many objects around a path, below its scope, are carried without a gap."""
    scope = paths.scope(path)
    depth = len(scope)
    while depth < len(path) - 1 and path[: depth + 1] in held:
        depth += 1
    return depth - len(scope)


def _suffix(way: Way) -> str:
    return f"{variable(way.source)}_to_{variable(way.target)}"


def _signature(name: str, arguments: str, result: str) -> Sequence[str]:
    line = f"def {name}({arguments}) -> {result}:"
    return [line] if len(line) <= WIDTH else [f"def {name}(", f"    {arguments}", f") -> {result}:"]


def module(plan: Plan) -> str:
    """The text of the module that converts objects of a kind."""
    tables = Tables()
    functions: list[Function] = []
    ways: dict[tuple[str, str], str] = {}
    for pair in plan.pairs:
        for way, back in pair.ways():
            writer = WayWriter(plan, way, back, tables)
            functions += writer.write()
            ways[way.source, way.target] = writer.name
    body = "\n\n\n".join(
        "\n".join(each for line in function.lines for each in laid_out(line)) for function in functions
    )
    known = _fields(plan, tables)
    statements = "\n".join([*tables.texts, *known])
    rows = "".join(f"    ({quoted(pair[0])}, {quoted(pair[1])}): {name},\n" for pair, name in ways.items())
    table = f"WAYS = {{\n{rows}}}" if rows else "WAYS: dict[tuple[str, str], Callable[[Object], Object]] = {}"
    convert = _CONVERT % ("across", ", FIELDS") if known else _CONVERT % ("through", "")
    used = _imports(plan, f"{body}\n{statements}\n{table}\n{convert}")
    versions = ", ".join(map(quoted, [version.name for version in plan.crd.versions]))
    constants = [
        f"GROUP = {quoted(plan.crd.group)}",
        f"KIND = {quoted(plan.crd.names.kind)}",
        f"HUB = {quoted(plan.hub)}",
        f"VERSIONS = ({versions}{',' * (len(plan.crd.versions) == 1)})",
        'STASH = GROUP + "/conversion-stash."',
    ]
    about = f"{plan.crd.names.kind} of {plan.crd.group}: conversion between its versions, through {plan.hub}."
    title = f'"""{spoken(about)}"""'
    head = [f"# {HEADER}", title, "", "from __future__ import annotations", ""]
    parts = ["\n".join([*head, *used, "", *constants, *([statements] if statements else [])]), body, table + "\n\n"]
    return "\n\n\n".join(part for part in parts if part).rstrip() + "\n\n\n" + convert


HEADER = "Generated by protoc-gen-crd. Do not edit: change the API, and generate it again."
_CONVERT = '''def convert(source: Object, version: str) -> Object:
    """Convert an object to a version; raises ConversionError.

    What is returned shares parts with what is given.
    """
    return %s(source, version, GROUP, HUB, WAYS%s)
'''
MANY = 3  # versions: of two, the hub makes no difference


def _fields(plan: Plan, tables: Tables) -> Sequence[str]:
    """The statement that says what objects of each version may hold, for what other hubs have put aside."""
    versions = [version for version in plan.crd.versions if version.schema is not None]
    if not _has_hubs(plan):
        return []
    rows = [
        f"{quoted(each.name)}: {tables.held(plan.schema(each.name), f'_{constant(each.name)}')}" for each in versions
    ]
    return tuple(laid_out(f"FIELDS: dict[str, Change] = {{{', '.join(rows)}}}"))


def _has_hubs(plan: Plan) -> bool:
    """Whether a kind has so many versions that another one could have been the hub."""
    return len(plan.pairs) + 1 >= MANY


def module_name(plan: Plan) -> str:
    """The name of a kind's module."""
    name = re.sub(r"\W", "_", f"{plan.crd.group}_{plan.crd.names.plural}", flags=re.ASCII)
    return f"_{name}" if name[:1].isdigit() else name


def functions_name(plan: Plan) -> str:
    """The name of the module with the hand-written functions of a kind."""
    return f"{module_name(plan)}_functions"


def _imports(plan: Plan, text: str) -> list[str]:
    """The import statements for what a text uses of the helpers."""
    words = _names(text)
    known = {"partial": "functools", "Any": "typing"}
    lines = [f"from {module} import {name}" for name, module in known.items() if name in words]
    lines += [""] if lines else []
    if "expression" in words:
        lines += ["from protoc_gen_crd.conversion.expressions import expression", ""]
    if "functions" in words:
        lines.append(f"from . import {functions_name(plan)} as functions")
    return lines + imports(words)


def _item_doc(source: str, target: str) -> Sequence[str]:
    """The docstring of a function for items."""
    line = f'    """Convert one of {source}{"" if source == target else f" to {target}"}."""'
    return [line] if len(line) <= WIDTH else [f'    """Convert one of {source}.', "", f"    To {target}.", '    """']


def _returned(lines: list[str]) -> Sequence[str]:
    """What returns the result; a last line that only names it is taken away."""
    assigned = "    result = "
    return [
        f"    return {lines.pop().removeprefix(assigned)}" if lines[-1].startswith(assigned) else "    return result"
    ]


def _names(text: str) -> set[str]:
    """The names that a text of Python uses."""
    return {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
