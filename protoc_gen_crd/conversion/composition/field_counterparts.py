"""Counterparts of fields in other versions, described with the members of the option `Conversion`.

Members are derived from steps, so that options and rules are treated alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.conversion.derivation.cel_rendering import render_step
from protoc_gen_crd.conversion.plan import paths
from protoc_gen_crd.conversion.plan.container_steps import (
    ContainerStep,
    EachEntry,
    EachItem,
    Fill,
    Gather,
    HandwrittenField,
    HandwrittenObject,
    MapToList,
    Pick,
    Spread,
    UnwrapObject,
    WrapObject,
)
from protoc_gen_crd.conversion.plan.copy_steps import Copy, CopyWithDefault, Default, Drop, Duplicate, Keep, ObjectStep
from protoc_gen_crd.conversion.plan.paths import ITEM, Path
from protoc_gen_crd.conversion.plan.plan import Direction, VersionPair
from protoc_gen_crd.conversion.plan.step_base import Step
from protoc_gen_crd.conversion.plan.value_steps import (
    CelExpression,
    Divide,
    First,
    FunctionCall,
    Join,
    Multiply,
    Split,
    ValueTable,
    Wrap,
)
from protoc_gen_crd.findings.finding import Place
from protoc_gen_crd.schema.schema import Schema

OptionMembers = Mapping[str, Any]
SchemaLookup = Callable[[str, Path], Schema | None]  # the schema at a path of a version
NOT_COMPOSABLE: OptionMembers = {"another change": True}
OTHER_DEFAULT = "another default"  # a default of the other end
ABSENT_DEFAULT = "a default"  # of what the other version has no place for
OBJECT_NAME_COPY = "a copy of the object name"  # of the name of the object, which is read-only
VALUE_COPIES = (Copy, Wrap, First)  # steps that copy a value with all its parts


class FieldLink(Record):
    """The counterparts of a field in a neighboring version, if any, and the option members between them."""

    targets: tuple[Path, ...]
    members: OptionMembers
    origins: tuple[Place, ...] = ()  # of declarations
    by_parts: bool = False  # it is converted part by part


def find_link(pair: VersionPair, version: str, path: Path, at: SchemaLookup) -> FieldLink | None:
    """Return the counterpart of a field in the other version of a pair; None if there is none."""
    forward, reverse = next(ways for ways in pair.get_directions() if ways[0].source == version)
    for step in reverse.steps:
        if isinstance(step, HandwrittenField | Default):
            continue
        source, target = paths.strip_object_scopes(step.source), paths.strip_object_scopes(step.target)
        if target == path:
            targets = tuple([paths.strip_object_scopes(read) for read in _get_sources(step)])
            inverse = next(
                (other for other in forward.steps if (other.source, other.target) == (step.target, step.source)), None
            )
            return FieldLink(
                targets,
                _describe_step((step, inverse), forward, reverse, at),
                _collect_origins(step, inverse),
                isinstance(step, ObjectStep),
            )
        if target == path[: len(target)] and type(step) in VALUE_COPIES:
            source, target = get_value_paths(step)
            if target == path[: len(target)]:
                return FieldLink(((*source, *path[len(target) :]),), {}, _collect_origins(step))
    for step in forward.steps:
        if isinstance(step, CelExpression | FunctionCall) and step.source == path:
            kind = "cel" if isinstance(step, CelExpression) else "function"
            return FieldLink((step.target,), {kind: {"to": step.expression}}, _collect_origins(step))
    if path[:1] == paths.METADATA_PATH:  # all versions have it
        return FieldLink((path,), {})
    return _find_absence(path, forward, reverse)


def get_value_paths(step: Step) -> tuple[Path, Path]:
    """Return the paths of the value that a step copies; of a list or map, those of its items or entries."""
    if isinstance(step, ContainerStep):
        return paths.strip_object_scopes(step.source_scope), paths.strip_object_scopes(step.target_scope)
    source, target = paths.strip_object_scopes(step.source), paths.strip_object_scopes(step.target)
    return (
        (*source, ITEM) if isinstance(step, First) else source,
        (*target, ITEM) if isinstance(step, Wrap) else target,
    )


def _collect_origins(*steps: Step | None) -> tuple[Place, ...]:
    return tuple([step.origin for step in steps if step is not None and step.declared and step.origin is not None])


def _get_sources(step: Step) -> Sequence[Path]:
    return step.get_reads() if isinstance(step, Join) else (step.source,)


def _find_absence(path: Path, forward: Direction, reverse: Direction) -> FieldLink | None:
    """Return the link of a field without counterpart in the other version; None if it has one."""
    for step in forward.steps:
        if isinstance(step, Keep) and step.source == path:
            default = next(
                (other for other in reverse.steps if isinstance(other, Default) and other.target == path), None
            )
            members: OptionMembers = (
                {ABSENT_DEFAULT: default.value} if default is not None else {_get_absence_member(step): True}
            )
            return FieldLink((), members, _collect_origins(step, default))
    return None


def _get_absence_member(step: Keep) -> str:
    return "dropped" if isinstance(step, Drop) else "preserved"


def _describe_step(
    steps: tuple[Step, Step | None], forward: Direction, reverse: Direction, at: SchemaLookup
) -> OptionMembers:
    """Describe a step and its inverse with option members of the field that they write."""
    step, inverse = steps
    if isinstance(inverse, CopyWithDefault) and isinstance(step, Copy):
        return {OTHER_DEFAULT: inverse.value, **({"default": step.value} if isinstance(step, CopyWithDefault) else {})}
    kind_of_expression = next(
        (kind for kind in (CelExpression, FunctionCall) if isinstance(step, kind) or isinstance(inverse, kind)), None
    )
    if kind_of_expression is not None:
        directions = ("from", step, at(reverse.source, step.source)), ("to", inverse, at(forward.source, step.target))
        return _describe_computed(kind_of_expression, directions)
    if isinstance(step, EachItem | EachEntry) and (field := _find_wrapping_field(step, reverse)):
        return {"value": field}
    if isinstance(step, ValueTable | Duplicate):
        return (
            _describe_value_table(step, inverse)
            if isinstance(step, ValueTable)
            else _describe_object_name_copy(step, forward)
        )
    for kind, describe in _DESCRIBERS:
        if isinstance(step, kind):
            return describe(step, reverse)
    return NOT_COMPOSABLE


def _describe_computed(
    kind: type[CelExpression | FunctionCall], directions: Sequence[tuple[str, Step | None, Schema | None]]
) -> OptionMembers:
    """Describe a value that an expression or function computes in at least one direction."""
    expressions = {}
    for name, step, read in directions:
        expression = (
            step.expression
            if isinstance(step, kind)
            else ""
            if step is None or kind is FunctionCall
            else _render_step(step, read)
        )
        if expression:
            expressions[name] = expression
        elif step is not None:
            return NOT_COMPOSABLE
    return {"cel" if kind is CelExpression else "function": expressions}


def _render_step(step: Step, read: Schema | None) -> str:
    """Render a step as an expression; empty if that is impossible."""
    return "self" if type(step) is Copy else render_step(step, read)


def _describe_object_name_copy(step: Duplicate, forward: Direction) -> OptionMembers:
    """Describe a copy of the object name to a field that the other version keeps or drops."""
    kept = (
        _get_absence_member(other) for other in forward.steps if isinstance(other, Keep) and other.source == step.target
    )
    return {OBJECT_NAME_COPY: next(kept, "preserved")} if step.source in paths.NAME_PATHS else NOT_COMPOSABLE


def _describe_value_table(step: ValueTable, inverse: Step | None) -> OptionMembers:
    """Describe a table of both directions; rules have one for each direction."""
    inverse_pairs = [(target, source) for source, target in inverse.pairs] if isinstance(inverse, ValueTable) else []
    pairs = [*step.pairs, *inverse_pairs]
    table = ValueTable(
        (), (), pairs=tuple([pair for at, pair in enumerate(pairs) if not is_redundant_pair(pair, pairs[:at])])
    )
    (inverted,) = table.invert()
    is_consistent = table.build_table() == step.build_table() and (
        inverse is None or get_table(inverted) == get_table(inverse)
    )
    return {"values": table.pairs} if is_consistent else NOT_COMPOSABLE


def is_redundant_pair(pair: tuple[str, str], earlier: Sequence[tuple[str, str]]) -> bool:
    """Return True if earlier pairs of a table already map both values."""
    return any(pair[0] == source for source, _ in earlier) and any(pair[1] == target for _, target in earlier)


def get_table(step: Step | None) -> dict[str, str]:
    """Return the table of a step; empty for other steps."""
    return step.build_table() if isinstance(step, ValueTable) else {}


def _find_wrapping_field(step: ContainerStep, direction: Direction) -> str:
    """Return the field of wrapping objects that contains a scalar of a list or map; empty for none."""
    wraps = {
        (step_of_item.source, step_of_item.target[:-1]): step_of_item.target[-1]
        for step_of_item in direction.steps
        if type(step_of_item) is Copy
    }
    unwraps = {
        (step_of_item.source[:-1], step_of_item.target): step_of_item.source[-1]
        for step_of_item in direction.steps
        if type(step_of_item) is Copy and step_of_item.source
    }
    scopes = step.source_scope, step.target_scope
    return wraps.get(scopes, "") or unwraps.get(scopes, "")


def _describe_keyed(step: MapToList, direction: Direction) -> OptionMembers:
    value = _find_wrapping_field(step, direction)
    return {"key": step.key, **({"value": value} if value else {})}


_DESCRIBERS: tuple[tuple[Any, Callable[[Any, Direction], OptionMembers]], ...] = (
    ((Pick, Fill), lambda *_: NOT_COMPOSABLE),
    (CopyWithDefault, lambda step, _: {"default": step.value}),
    (Divide, lambda step, _: {"factor": 1 / Fraction(step.factor)}),
    (Multiply, lambda step, _: {"factor": Fraction(step.factor)}),
    ((Wrap, First, WrapObject, UnwrapObject), lambda *_: {"one_item": True}),
    (MapToList, _describe_keyed),
    (HandwrittenObject, lambda step, _: {"function": {"from": step.function, "to": step.inverse_function}}),
    (Join, lambda step, _: {"join": {"separator": step.separator}}),
    (Split, lambda step, _: {"part": {"separator": step.separator, "index": step.index}}),
    ((Copy, Gather, Spread), lambda *_: {}),
)


class FieldTrace(Record):
    """The trace of a field to another version: the versions between, and the field in each."""

    versions: tuple[str, ...]
    links: tuple[FieldLink, ...]
    path: Path

    def simplify_split(self) -> FieldTrace:
        """Simplify a part of a string that is joined and split again to that part."""
        part, join = self.links[0].members.get("part"), self.links[-1].members.get("join")
        plain = all(not link.members for link in self.links[1:-1])
        if part is None or join is None or not plain or part["separator"] != join["separator"]:
            return self
        targets = self.links[-1].targets[part["index"] : part["index"] + 1]
        places = tuple([place for link in self.links for place in link.origins])
        return FieldTrace((self.versions[0], self.versions[-1]), (FieldLink(targets, {}, places),), self.path)
