"""Rules of one item of a list or one entry of a map, such as `spec.names[1]` and `spec.limits['cpu']`.

One step writes all items or entries of a list or map for which rules exist.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion.derivation.schema_compatibility import LIST, MAP, get_shape
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.container_steps import MapToList
from protoc_gen_crd.conversion.plan.copy_steps import Copy, Duplicate, Keep, ObjectStep
from protoc_gen_crd.conversion.plan.paths import BRACKETS, ITEM, VALUE, Path
from protoc_gen_crd.conversion.plan.step_base import Step
from protoc_gen_crd.conversion.rule_files.api_conversion import ConversionRule
from protoc_gen_crd.schema.schema import Schema

FIRST_INDEX = "[0]"
_INDEX = re.compile(r"\[(\d+)\]")


class ItemPath(Record):
    """One item or entry: the path of the list or map, its index or key, and the path below it."""

    container: Path
    place: int | str
    rest: Path

    @property
    def path(self) -> Path:
        """The path with a bracket in place of the index or key."""
        return (*self.container, ITEM if isinstance(self.place, int) else VALUE, *self.rest)


class ItemRule(Record):
    """A rule that reads or writes one item or entry."""

    rule: ConversionRule
    source: ItemPath | None
    target: ItemPath | None

    def find_error(self) -> str:
        """Return why the rule is invalid; empty if it is valid."""
        ends = [end for end in (self.source, self.target) if end is not None]
        rule = self.rule
        if not rule.field or not _is_copy(rule):
            return "can only copy it"
        if len(ends) > 1:
            return "cannot both read and write one"
        if any(set(end.container).intersection(BRACKETS) for end in ends):
            return "cannot be inside another list or map"
        if self.target is not None and self.target.rest:
            return "cannot write only a part of it"
        return ""

    def is_same_item(self, other: ItemRule) -> bool:
        """Return True if both rules write fields of the same item or entry."""
        ends = [rule.target for rule in (self, other)]
        written_items = [(end.container, end.place) for end in ends if end is not None and end.rest]
        return len(written_items) == len(ends) and written_items[0] == written_items[1]

    def suggest_expression(self, together: Sequence[ItemRule] = ()) -> str:
        """Suggest an expression in place of rules that write parts of an item or entry; empty for none."""
        end = self.target
        if end is None or not end.rest or self.source is not None:
            return ""
        if len(together) > 1:
            return _suggest_joint_expression(end, together)
        expression = _format_placed(end, _format_nested(end.rest, "self"))
        return (
            f"compute all of it with an expression: destination: {paths.format_path(end.container)}, transformation: "
            f'"{expression}"'
        )


def _suggest_joint_expression(end: ItemPath, together: Sequence[ItemRule]) -> str:
    """Suggest an expression that writes several fields of one item or entry."""
    fields = [rule.rule.field for rule in together]
    parent = fields[0][:-1]
    for field in fields:
        parent = paths.get_common_prefix(parent, field[:-1])
    rests = [rule.target.rest for rule in together if rule.target is not None]
    if not parent or any(len(rest) > 1 for rest in rests) or any(step in BRACKETS for step in parent):
        return f'compute all of "{paths.format_path(end.container)}" with one expression'
    reads = [".".join(("self", *(f"?{name}" for name in field[len(parent) :]))) for field in fields]
    entries = ", ".join(f"?'{rest[0]}': dyn({read})" for rest, read in zip(rests, reads, strict=True))
    any_present = " || ".join(f"{read}.hasValue()" for read in reads)
    rule_paths = f"field: {paths.format_path(parent)}, destination: {paths.format_path(end.container)}"
    expression = f"{any_present} ? dyn({_format_placed(end, f'{{{entries}}}')}) : dyn(null)"
    return f'compute all of it with one expression: {rule_paths}, transformation: "{expression}"'


def _format_nested(names: Path, expression: str) -> str:
    for name in reversed(names):
        expression = f"{{'{name}': {expression}}}"
    return expression


def _format_placed(end: ItemPath, expression: str) -> str:
    return f"[{expression}]" if isinstance(end.place, int) else f"{{'{end.place}': {expression}}}"


def _is_copy(rule: ConversionRule) -> bool:
    return rule.transformation is None and rule.default is None and not (rule.function or rule.key)


def find_item_path(root: Schema, path: Path) -> ItemPath | None:
    """Return the first single item or entry on a path; None if there is none."""
    schema: Schema | None = root
    for depth, step in enumerate(path if path[:1] != paths.METADATA_PATH else ()):
        index_match = _INDEX.fullmatch(step)
        if index_match is not None and schema is not None and get_shape(schema) == LIST:
            return ItemPath(path[:depth], int(index_match[1]), path[depth + 1 :])
        if schema is not None and get_shape(schema) == MAP and step not in BRACKETS and index_match is None:
            return ItemPath(path[:depth], step, path[depth + 1 :])
        schema = paths.get_child(schema, step) if schema is not None else None
    return None


def is_entry_path(root: Schema, path: Path) -> bool:
    """Return True for the path of one entry of a map that is in no list and no other map."""
    item_path = find_item_path(root, path)
    return (
        item_path is not None and isinstance(item_path.place, str) and not item_path.rest and not {*path} & {*BRACKETS}
    )


def find_entry_counterparts(path: Path, steps: Sequence[Step]) -> tuple[Path, ...] | None:
    """Return the copies of a map entry that steps make; None if they give the map another form."""
    readers = [step for step in steps if any(path[: len(read)] == read for read in step.get_reads())]
    converting = [step for step in readers if not isinstance(step, Keep) and type(step) is not ObjectStep]
    if any(not isinstance(step, Copy | Duplicate) or isinstance(step, MapToList) for step in converting):
        return None
    return tuple(
        [(*step.target, *path[len(step.source) :]) for step in converting if isinstance(step, Copy | Duplicate)]
    )


def find_item_rules(rules: Sequence[ConversionRule], roots: tuple[Schema, Schema]) -> tuple[ItemRule, ...]:
    """Return the rules of a direction that read or write a single item or entry, except lists with one item."""
    item_rules = [
        ItemRule(rule, find_item_path(roots[0], rule.field), find_item_path(roots[1], rule.destination))
        for rule in rules
    ]
    written_lists = [rule.target.container for rule in item_rules if rule.target is not None]
    return tuple([rule for rule in item_rules if not _is_plain(rule, written_lists)])


def _is_plain(rule: ItemRule, written_lists: Sequence[Path]) -> bool:
    """Return True if a rule names no single item or entry, or the first item of a list with one item."""
    if rule.target is not None:
        return (
            rule.source is None
            and rule.rule.destination[-1] == FIRST_INDEX
            and written_lists.count(rule.target.container) == 1
        )
    return rule.source is None or rule.rule.field[-1] == FIRST_INDEX
