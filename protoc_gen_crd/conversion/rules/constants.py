"""Rules of one item of a list or one entry of a map, `spec.names[1]` and `spec.limits['cpu']`: where they lead.

What is written into a list or map is written by one step, of all rules that lead there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion.derive.fits import LIST, MAP, shape
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.paths import BRACKETS, ITEM, VALUE, Path
from protoc_gen_crd.conversion.rules.rules import Rule
from protoc_gen_crd.schema.types import Schema

FIRST = "[0]"
_INDEX = re.compile(r"\[(\d+)\]")


class Constant(Record):
    """One item or entry: the path of the list or map, its index or key, and what the path names below it."""

    around: Path
    place: int | str
    rest: Path

    @property
    def path(self) -> Path:
        """The path with a bracket, as of any item or entry."""
        return (*self.around, ITEM if isinstance(self.place, int) else VALUE, *self.rest)


class Fixed(Record):
    """A rule that leads from or to one item or entry."""

    rule: Rule
    source: Constant | None
    target: Constant | None

    def fault(self) -> str:
        """Why it cannot be, empty where it can."""
        ends = [end for end in (self.source, self.target) if end is not None]
        rule = self.rule
        if not rule.field or not _is_copy(rule):
            return "copy it"
        if len(ends) > 1:
            return "lead from or to one, not both"
        if any(set(end.around).intersection(BRACKETS) for end in ends):
            return "stand outside of other lists and maps"
        if self.target is not None and self.target.rest:
            return "write it as a whole"
        return ""

    def meets(self, other: Fixed) -> bool:
        """Whether both write fields of the same item or entry."""
        ends = [one.target for one in (self, other)]
        known = [(end.around, end.place) for end in ends if end is not None and end.rest]
        return len(known) == len(ends) and known[0] == known[1]

    def hint(self, together: Sequence[Fixed] = ()) -> str:
        """How what is below one item or entry is written all the same, by all such rules; empty where nothing is."""
        end = self.target
        if end is None or not end.rest or self.source is not None:
            return ""
        if len(together) > 1:
            return _joint(end, together)
        made = _placed(end, _nested(end.rest, "self"))
        return f'make all of it by an expression: destination: {paths.shown(end.around)}, transformation: "{made}"'


def _joint(end: Constant, together: Sequence[Fixed]) -> str:
    """How several fields come into one item or entry."""
    fields = [one.rule.field for one in together]
    around = fields[0][:-1]
    for field in fields:
        around = paths.common(around, field[:-1])
    rests = [one.target.rest for one in together if one.target is not None]
    if not around or any(len(rest) > 1 for rest in rests) or any(step in BRACKETS for step in around):
        return f"make all of {paths.shown(end.around)} by one expression"
    known = [".".join(("self", *(f"?{name}" for name in field[len(around) :]))) for field in fields]
    inside = ", ".join(f"?'{rest[0]}': dyn({text})" for rest, text in zip(rests, known, strict=True))
    there = " || ".join(f"{text}.hasValue()" for text in known)
    ends = f"field: {paths.shown(around)}, destination: {paths.shown(end.around)}"
    made = f"{there} ? dyn({_placed(end, f'{{{inside}}}')}) : dyn(null)"
    return f'make all of it by one expression: {ends}, transformation: "{made}"'


def _nested(names: Path, made: str) -> str:
    for name in reversed(names):
        made = f"{{'{name}': {made}}}"
    return made


def _placed(end: Constant, made: str) -> str:
    return f"[{made}]" if isinstance(end.place, int) else f"{{'{end.place}': {made}}}"


def _is_copy(rule: Rule) -> bool:
    return rule.transformation is None and rule.default is None and not (rule.function or rule.key)


def constant(root: Schema, path: Path) -> Constant | None:
    """The one item or entry that a path leads through, if any."""
    schema: Schema | None = root
    for depth, step in enumerate(path if path[:1] != paths.METADATA else ()):
        found = _INDEX.fullmatch(step)
        if found is not None and schema is not None and shape(schema) == LIST:
            return Constant(path[:depth], int(found[1]), path[depth + 1 :])
        if schema is not None and shape(schema) == MAP and step not in BRACKETS and found is None:
            return Constant(path[:depth], step, path[depth + 1 :])
        schema = paths.child(schema, step) if schema is not None else None
    return None


def fixed(rules: Sequence[Rule], roots: tuple[Schema, Schema]) -> tuple[Fixed, ...]:
    """The rules of one way that lead from or to one item or entry; a list of one value alone is another matter."""
    found = [Fixed(rule, constant(roots[0], rule.field), constant(roots[1], rule.destination)) for rule in rules]
    into = [one.target.around for one in found if one.target is not None]
    return tuple([one for one in found if not _plain(one, into)])


def _plain(one: Fixed, into: Sequence[Path]) -> bool:
    """Whether a rule names no item or entry, or the first item alone, which may be any list of one."""
    if one.target is not None:
        return one.source is None and one.rule.destination[-1] == FIRST and into.count(one.target.around) == 1
    return one.source is None or one.rule.field[-1] == FIRST
