"""Moves of versions, fields, and enum values to other release channels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from protoc_gen_crd.comparison.change import Change, ChangeClass, Difference
from protoc_gen_crd.comparison.schemas.node_pair import PROPERTY, ROOT, NodePair
from protoc_gen_crd.schema.schema import CHANNEL, CHANNEL_VALUES, FIELD, TYPE, Schema

MOVED = "change-channel"


def get_channels(schema: Schema) -> tuple[Any, Any]:
    """Return the channel of a node and the channels of its enum values, None if absent."""
    facts = schema.facts or {}
    return facts.get(CHANNEL), facts.get(CHANNEL_VALUES)


def list_channels(schema: Schema) -> Iterator[str]:
    """Yield the channels of a field: its own, and those of the type of its items or values."""
    yield from filter(None, get_channels(schema)[:1])
    for child in (schema.items, schema.additional):
        if isinstance(child, Schema):
            yield from list_channels(child)


def compare_channels(pair: NodePair) -> Iterator[Difference]:
    """Yield the moves of a field and of values of its enum.

    Only nodes that are generated from protos have channels, and those of recorded releases with protos.
    """
    generated = FIELD if pair.position == PROPERTY else TYPE
    before, after = pair.old.facts or {}, pair.new.facts or {}
    if pair.position == ROOT or generated not in after or not {generated, CHANNEL} & before.keys():
        return
    (old, old_values), (new, new_values) = get_channels(pair.old), get_channels(pair.new)
    if old != new:
        yield Difference(MOVED, CHANNEL, old, new)
    before, after = old_values or {}, new_values or {}
    for name in pair.new.get("enum") or ():
        if name in (pair.old.get("enum") or ()) and before.get(name) != after.get(name):
            moves = [{name: values[name]} if name in values else None for values in (before, after)]
            yield Difference(MOVED, CHANNEL_VALUES, moves[0], moves[1])


def classify_moves(changes: Iterable[Change], channels: Sequence[str]) -> Iterator[Change]:
    """Yield changes with the classes of moves: an element that moves to a more stable channel is added there.

    `channels` are all channels, the most stable one first, which is also that of elements without a channel.
    """
    for change in changes:
        if change.rule != MOVED:
            yield change
            continue
        old, new = (_rank(value, channels) for value in (change.old, change.new))
        if old != new or old == len(channels):
            yield change.replace(change_class=ChangeClass.ADDITIVE) if new < old else change


def _rank(value: Any, channels: Sequence[str]) -> int:
    name = next(iter(value.values())) if isinstance(value, dict) else value
    if not name:
        return 0
    return channels.index(name) if name in channels else len(channels)
