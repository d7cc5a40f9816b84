"""The statements of one function of a generated module: for a whole object, or for each item of a list or map."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeGuard

from protoc_gen_crd.conversion.check.around import of_object
from protoc_gen_crd.conversion.code.helpers import RESERVED
from protoc_gen_crd.conversion.code.kinds import kinds
from protoc_gen_crd.conversion.code.naming import inner, names, origin, outside, table, tupled
from protoc_gen_crd.conversion.code.writer import Writer
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.alternatives import alternatives
from protoc_gen_crd.conversion.plan.bound import KEY, THING, of_ends
from protoc_gen_crd.conversion.plan.changing import Cel, Computed, First, Multiply, Values, Wrap
from protoc_gen_crd.conversion.plan.containers import (
    ByHand,
    Each,
    FirstOf,
    Gather,
    Items,
    ListOf,
    Own,
    Spread,
    ToList,
)
from protoc_gen_crd.conversion.plan.entries import Entry, reads_alone, unmade
from protoc_gen_crd.conversion.plan.paths import Path
from protoc_gen_crd.conversion.plan.python import literal, quoted, variable
from protoc_gen_crd.conversion.plan.steps import Copy, Default, Defaulted, Drop, Duplicate, Fields, Namesake, Step
from protoc_gen_crd.schema.types import Schema

_NONE = Schema({})
_ITSELF = ("[]",)  # what is put aside of a list in a list


class Scope:
    """One function. `source` and `target` are the paths of what it converts, empty for the whole object."""

    def __init__(self, writer: Writer, source: Path, target: Path) -> None:
        self._writer, self._source, self._target = writer, source, target
        self.uses_was = False
        self.lines: list[str] = []
        self._locals: dict[tuple[str, Path], str] = {}
        self._names: set[str] = set()
        self._limits: list[str] = []

    def write(self) -> None:
        """Write the statements in order: values, what comes back of the stash, what goes into it."""
        if not self._target:
            self._metadata()
        for step in self._writer.way.steps:
            if isinstance(step, Own):
                continue  # written by the function
            if step.writes() and paths.scope(step.writes()[0]) == self._target:
                self._step(step)
        if restored := self._restored():
            self.uses_was = True
            self.lines.append("if was is not None:")
            self.lines += [f"    {self._restore(entry)}" for entry in restored]
            self.lines += [
                f"    unmade(result, {tupled(inner(target))}, {self._taken(source, 'None')})"
                for target, source in unmade(self._writer.way, restored)
            ]
        self.lines += self._limits
        for entry in self._writer.aside:
            if paths.scope(entry.path) == self._source:
                self.lines.append(self._aside(entry))

    def _restored(self) -> Sequence[Entry]:
        return [entry for entry in self._writer.restored if paths.scope(entry.path) == self._target]

    def _metadata(self) -> None:
        """Labels and annotations that are moved."""
        for step in self._writer.way.steps:
            away = () if isinstance(step, Duplicate) else step.reads()
            self.lines += [f"move(result, {tupled(path)})" for path in away if paths.is_metadata(path)]
        for step in self._writer.way.steps:
            self.lines += [f"own(result, {tupled(path)})" for path in step.writes() if paths.is_metadata(path)]

    def _step(self, step: Step) -> None:
        target = step.writes()[0]
        if isinstance(step, Each) and step.made in self._writer.rich:
            self._items(step)
        elif not self._writer.tabled(step):
            change = self._writer.change(step) if isinstance(step, Copy) else None
            reads = [self._read(path, change) for path in step.reads()]
            if step.declared:
                self.lines.append(f"# {origin(step)}")
            if target == self._target:
                self.lines.append(f"result = needed({self._forth(step, reads)}, at)")
                return
            made = f"result, {tupled(inner(target))}"
            if not isinstance(step, Default):
                value = self._carried(step, reads[0]) if isinstance(step, Defaulted) else self._forth(step, reads)
                around = f", {held}" if reads_alone(step) and (held := self._writer.held(target)) else ""
                self.lines.append(f"put({made}, {value}{around})")
            if isinstance(step, Default | Defaulted):
                self.lines.append(f"fill({made}, {literal(step.value)}, {self._writer.held(target)})")

    def _carried(self, step: Step, read: str) -> str:
        """A value that a default may take the place of: null is none."""
        return f"present({read})" if self._schema(step.source).get("nullable") else read

    def _forth(self, step: Step, reads: Sequence[str]) -> str:
        """The expression of a step; what looks around and is restored is held by a variable, for its witness."""
        if not self._looks_around(step, back=False) or all(step.target != one.path for one in self._writer.restored):
            return self._emitted(step, reads)
        name = self._locals["made", step.target] = self._name(step.target, "made_")
        self.lines.append(f"{name} = {self._computed(step, reads, 'root' if self._source else 'source', back=False)}")
        return self._held(step, name)

    def _looks_around(self, step: Step | None, *, back: bool) -> TypeGuard[Computed]:
        return isinstance(step, Computed) and self._writer.looks_around(step, back=back)

    def _is_of_object(self, step: Step | None, *, back: bool) -> bool:
        """Whether an expression makes a value of an object as a whole: what it makes is the witness alone."""
        return isinstance(step, Cel) and of_object(step, self._writer.target if back else self._writer.source)

    def _emitted(self, step: Step, reads: Sequence[str], *, back: bool = False) -> str:
        """The expression of a step, on the way back with the result as the object."""
        if not isinstance(step, Computed):
            emitted = self._without_null(step, reads, back=back)
            return emitted if back else self._held(step, emitted)
        root = "result" if back and not self._source else "root" if self._source else "source"
        made = self._computed(step, reads, root, back=back)
        return made if back else self._held(step, made)

    def _computed(self, step: Computed, reads: Sequence[str], root: str, *, back: bool) -> str:
        name = self._writer.expression(step, back=back)
        around = f", {root}" if isinstance(step, Cel) else ""
        made = step.emit(reads).replace("{expression}", name).replace("{root}", around)
        more = [f", {each}={self._bound(each, back=back)}" for each in self._writer.looks_at(step, back=back)
                if each != "root"]  # fmt: skip
        return made.replace("{at}", self._at(step, back=back) + "".join(more))

    def _bound(self, name: str, *, back: bool) -> str:
        """The variable that holds what an expression is given of where it stands."""
        if name == THING:
            return self._shown(self._target) if back else self._read(self._source)
        known = self._locals.get((name, ()))
        if known is None:
            known = self._locals[name, ()] = self._name((name,))
            further = ".further" * of_ends(self._source, self._target).names[name]
            self.lines.append(f"{known} = place{further}.{'key' if name == KEY else 'index'}")
        return known

    def _without_null(self, step: Step, reads: Sequence[str], *, back: bool) -> str:
        """The expression of a step; null, where it may be read and its field does not take it, is no value."""
        if not isinstance(step, Defaulted | Duplicate | First | Gather | Multiply | Spread | Values | Wrap):
            return step.emit(reads)
        roots = (self._writer.target, self._writer.source) if back else (self._writer.source, self._writer.target)
        ends = zip(roots, (step.source, step.target), strict=True)
        read, made = (paths.at(root, path) or _NONE for root, path in ends)
        read = (read.items or _NONE) if isinstance(step, First) else read
        made = (made.items or _NONE) if isinstance(step, Wrap) else made
        if not read.get("nullable") or (made.get("nullable") and not isinstance(step, Defaulted)):
            return step.emit(reads)
        late = isinstance(step, First | Gather)
        return f"present({step.emit(reads)})" if late else step.emit([f"present({each})" for each in reads])

    def _held(self, step: Step, made: str) -> str:
        """A value that is worked out, refused where its field cannot hold it, as Python.

        Where another may come back for it, that is what must fit.
        """
        target, tables = paths.at(self._writer.target, step.target) or _NONE, self._writer.tables
        if isinstance(step, Values) and target.get("enum"):
            change = tables.values(target)
        elif isinstance(step, Duplicate):
            change = self._writer.change(step) or "None"
        elif isinstance(step, Multiply | Computed):
            change = (tables.made if isinstance(step, Multiply) else tables.bounded)(target, table(step.target))
        else:
            return made
        known = f"{kinds(target)}, {change}, {self._at(step)}"
        comes = isinstance(step, Multiply | Computed) and any(step.target == one.path for one in self._restored())
        if step.target == self._target or not comes:
            return f"made({made}, {known})"
        self._limits.append(f"hold(result, {tupled(inner(step.target))}, {known})")
        return made

    def _at(self, step: Step, *, back: bool = False) -> str:
        """The path of what a step makes, for messages, as Python; of what it reads where that is wrong, or is named."""
        reads = isinstance(step, Values)
        if not self._source:
            return literal(paths.shown(step.source if reads else step.target))
        named = reads or self._source != self._target  # the items around are told of as they were read
        read = named and not back and paths.scope(step.source) == self._source
        below = ".".join(("", *inner(step.source if read else step.target)))
        return f"at + {quoted(below)}" if below else "at"

    def _items(self, step: Each) -> None:
        source, target = step.source, step.target
        function = self._writer.item(step)
        value = self._read(source, "None")
        root = "root" if self._source else "source"
        below = quoted(".".join(("", *inner(source))))
        at = below if not self._source else f"at + {below}" if inner(source) else "at"
        self.uses_was = True
        around = f"{root}, {at}, below(was, {tupled(inner(target) or _ITSELF)})"
        place = f"Place({around}, lost, {tupled(inner(source) or _ITSELF)}"
        new = self._name(target, "new_")
        if self._writer.tells(step.made):
            here = self._name(target, "place_of_")
            further = ", place" if self._source else ""
            self.lines.append(f"{here} = {place}{further})")
            function, place = f"partial({function}, {here})", here
        else:
            place += ")"
        if step.declared:
            self.lines.append(f"# {origin(step)}")
        call = step.emit_each(value, function, place)
        known = kinds(self._schema(step.inside))
        if isinstance(step, ByHand):
            call = call.replace("{expression}", self._writer.caller(step, back=False))
        elif known != "OBJECT":
            call += f", {known}"
        dropped = self._dropped(step)
        call += f", dropped={literal(dropped)}" if dropped else ""
        self.lines.append(f"{new} = {call})")
        held = self._writer.held(target) if isinstance(step, ListOf) else 0
        put = f"put(result, {tupled(inner(target))}, {new}{f', {held}' if held else ''})"
        self.lines.append(put if inner(target) else f"result = needed({new}, at)")

    def _dropped(self, step: Each) -> tuple[Path, ...]:
        """What is lost on purpose of items that are known by what they are; whole lists where it is in such."""
        known = isinstance(step, FirstOf) or (isinstance(step, Items) and not step.keys)
        sources = [each.source for each in self._writer.way.steps if isinstance(each, Drop)] if known else []
        below = [path[len(step.inside) :] for path in sources if path[: len(step.inside)] == step.inside]
        return tuple(sorted({outside(path) for path in below}))

    def _undone(self, own: Own) -> str:
        """A field of what the function of the way back makes of the object that a function has made, as Python."""
        hands = [one for one in self._writer.way.steps if isinstance(one, ByHand)]
        step = next(one for one in hands if one.source == own.target[: len(one.source)])
        name = self._locals.get(("undone", step.source))
        if name is None:
            name = self._call_back(step)
            if not self._source:
                name, call = self._name(step.source, "again_"), name
                self.lines.append(f"{name} = {call}")
            self._locals["undone", step.source] = name
        return f"taken({{{quoted(step.source[-1])}: {name}}}, {tupled(own.target[len(step.source) - 1 :])}, ANYTHING)"

    def _call_back(self, step: ByHand) -> str:
        """What the function of the way back makes of an object; for an item as soon as the whole object is there."""
        at = quoted(".".join(("", *inner(step.source))))
        around = f"whole, at + {at}" if self._source else f"result, {at}"
        call = f"{self._writer.caller(step, back=True)}({self._shown(step.target)}, {self._writer.derives_back(step)}"
        return f"{call}, Place({around}, None, {{}}, ()))"

    def _restore(self, entry: Entry) -> str:
        beside = ", ".join(tupled(inner(path)) for path in alternatives(self._writer.target, entry.path))
        known = f"result, {f'alone(was, result, {beside})' if beside else 'was'}, {tupled(inner(entry.path))}"
        telling = () if self._is_of_object(entry.back, back=False) else entry.counterparts()
        shown = [self._known(path) for path in telling]
        if entry.made:
            others = f", {literal(entry.others)}" if entry.others else ""
            return f"restore_none({', '.join([known, *shown])}{others})"
        held = self._writer.held(entry.path)
        if entry.empty:
            return f"restore_empty({known}, {held})"
        target = paths.at(self._writer.target, entry.path) or _NONE
        change = self._writer.tables.bounded(target, table(entry.path))
        shown = self._showing(entry, shown, back=False)
        shown += [self._locals["made", entry.path]] if ("made", entry.path) in self._locals else []
        shown += [f"taken(result, {tupled(inner(entry.path))}, ANYTHING)"] if isinstance(entry.back, Own) else []
        return f"restore({', '.join([known, str(held), kinds(target), change, *shown])})"

    def _aside(self, entry: Entry) -> str:
        path, made = tupled(inner(entry.path)), self._writer.made_back(entry.path)
        if entry.empty or entry.made:  # only whether it is there, or has anything in it
            value = self._locals.get(("source", entry.path)) or self._taken(entry.path, "None")
            shown = [self._shown(path) for path in entry.counterparts()]
            shown += [str(made)] if made and entry.empty else []
            return f"aside_{'empty' if entry.empty else 'none'}({', '.join(['lost', path, value, *shown])})"
        kept = f"lost, {path}, {self._read(entry.path)}"
        if isinstance(entry.back, Namesake):
            return f"aside({kept}, {self._shown(entry.back.source)})"
        around = [f"made={made}"] if made else []
        if self._waits(entry.back):
            self._writer.late = True
            whole = f"taken(whole, {tupled(entry.back.source)}, ANYTHING)"
            again = self._emitted(entry.back, [whole], back=True)
            return f"aside_late({', '.join([kept, f'lambda whole: {again}', *around])})"
        shown = self._showing(entry, [self._shown(path) for path in entry.counterparts()], back=True)
        if isinstance(entry.back, Own) or self._looks_around(entry.back, back=True):
            return self._aside_around(entry.back, kept, shown, around)
        reads = [self._shown(path) for path in entry.counterparts()]
        back = self._emitted(entry.back, reads, back=True) if entry.back else "MISSING"
        carrying = self._carrying(entry.path)
        if carrying and (isinstance(entry.back, Default | Defaulted) or reads_alone(entry.back)):
            back = f"beside({self._given()}, {tupled(carrying)}, {back})"
        return f"aside({', '.join([kept, back, *shown, *around])})"

    def _showing(self, entry: Entry, known: Sequence[str], *, back: bool) -> list[str]:
        """What is shown for a value; of one that is in every item of a list, a list without it shows nothing."""
        step = entry.back
        if isinstance(step, Spread):
            return [self._emitted(step, known, back=back)]
        if isinstance(step, Gather) and entry.spread:
            return [f"showing({known[0]}, {step.emit(known)})"]
        return list(known)

    def _waits(self, step: Step | None) -> TypeGuard[Spread]:
        """Whether a value of items is made of one of the whole object that may come back, which is not there yet."""
        known = isinstance(step, Spread) and bool(self._source)
        return known and any(step is not None and step.source == entry.path for entry in self._writer.restored)

    def _aside_around(self, back: Computed | Own, kept: str, shown: Sequence[str], around: Sequence[str]) -> str:
        """What keeps a value that the way back makes with a look at a whole object: what it makes is a witness."""
        late = self._source and (isinstance(back, Own) or "root" in self._writer.looks_at(back, back=True))
        root = "whole" if late else "root" if self._source else "result"
        made = self._undone(back) if isinstance(back, Own) else self._computed(back, shown, root, back=True)
        shown = [] if self._is_of_object(back, back=True) else shown
        if late:
            self._writer.late = True
            return f"aside_late({', '.join([kept, f'lambda whole: {made}', *shown, *around])})"
        name = self._name(back.target, "again_")
        self.lines.append(f"{name} = {made}")
        return f"aside({', '.join([kept, name, *shown, name, *around])})"

    def _carrying(self, path: Path) -> Path:
        """The objects around a path that the way back has only if they are there: it makes others for a default."""
        held = {step.source for step in self._writer.way.steps if isinstance(step, Fields)}
        start = depth = len(paths.scope(path))
        while depth < len(path) - 1 and path[: depth + 1] in held:
            depth += 1
        return path[start:depth]

    def _read(self, path: Path, change: str | None = None) -> str:
        """The variable that holds a value of what is converted; it is read once."""
        name = self._locals.get(("source", path))
        if name is None:
            name = self._locals["source", path] = self._name(path)
            self.lines.append(f"{name} = {self._taken(path, change)}")
        return name

    def _known(self, path: Path) -> str:
        """The same where it has been read, else what reads it, in a place that is not always passed."""
        return self._locals.get(("source", path)) or self._taken(path, None)

    def _taken(self, path: Path, change: str | None) -> str:
        schema = self._schema(path)
        if change is None:
            kept = any(entry.path == path for entry in self._writer.aside)
            tables = self._writer.tables
            change = (tables.made if kept else tables.whole)(schema, table(path))
        where = self._given() if paths.scope(path) == self._source else "root"
        at = ["at"] if where == "item" else []
        changes = [change] if at or change != "None" else []
        return f"taken({', '.join([where, tupled(inner(path)), kinds(schema), *changes, *at])})"

    def _given(self) -> str:
        return "item" if self._source else "source"

    def _schema(self, path: Path) -> Schema:
        return paths.at(self._writer.source, path) or _NONE

    def _shown(self, path: Path) -> str:
        """The variable that holds a value of the result."""
        name = self._locals.get(("result", path))
        if name is None:
            name = self._locals["result", path] = self._name(path, "new_")
            value = f"taken(result, {tupled(inner(path))}, ANYTHING)"
            if path == self._target and (key := self._key_of_item()):
                value = f"{{{quoted(key)}: {self._bound(KEY, back=True)}, **result}}"
            elif paths.scope(path) != self._target:
                value = self._known(path) if path in paths.NAMES else self._remade(path)
            self.lines.append(f"{name} = {value}")
        return name

    def _key_of_item(self) -> str:
        """The field that an entry gets its key in when it is in its list; empty for anything else."""
        keys = (one.key for one in self._writer.way.steps if type(one) is ToList and one.made == self._target)
        return next(keys, "")

    def _remade(self, path: Path) -> str:
        """A value of the result outside this scope, which is not there yet, as Python."""
        step = next((one for one in self._writer.way.steps if path in one.writes()), None)
        return self._emitted(step, [self._known(read) for read in step.reads()]) if step else "MISSING"

    def _name(self, path: Path, prefix: str = "") -> str:
        base = prefix + variable(names(path)[-1])
        name, number = base, 2
        while name in self._names or name in RESERVED:
            name, number = f"{base}_{number}", number + 1
        self._names.add(name)
        return name
