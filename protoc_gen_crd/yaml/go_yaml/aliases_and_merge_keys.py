"""Expansion of aliases and merge keys in a stream of events.

The expansion is limited as in Go: a document that consists nearly entirely of aliases is rejected. The entries of a
merged mapping take the place of its `<<`, so that the last of equal keys wins, again as in Go.

Source: go.yaml.in/yaml/v2 v2.4.4, decode.go.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from protoc_gen_crd.yaml.go_yaml.events import ALIAS, END, MAPPING, MERGE, SCALAR, SEQUENCE, Event, Events, ReadError

_MERGE_TAG = "tag:yaml.org,2002:merge"
_SMALL, _LARGE = (
    400_000,
    4_000_000,
)  # nodes: up to the first 99 % of them may be aliased, from the second on 10 %
_NODES, _MERGED, _LEAVE = range(3)

_Step = tuple[int, int, int, int | None]  # the operation, the range of events, and the mark of the first


def expand(events: Sequence[Event]) -> Events:
    """Yield the events of a document with all aliases and merge keys expanded. Raises ReadError."""
    return _AliasExpander(events).expand()


def _is_merge(event: Event) -> bool:
    return event[0] == SCALAR and event[1] == MERGE and (event[3] or event[2] == _MERGE_TAG)


def _compute_allowed_ratio(nodes: int) -> float:
    part = (min(max(nodes, _SMALL), _LARGE) - _SMALL) / (_LARGE - _SMALL)
    return 0.99 - 0.89 * part


class _AliasExpander:
    def __init__(self, events: Sequence[Event]) -> None:
        self._events = events
        self._targets: dict[int, int] = {}
        self._ends = [0] * len(events)
        self._work: list[_Step] = [(_NODES, 0, len(events), None)]
        self._open: set[int] = set()  # aliases being expanded
        self._nodes = 1  # the document counts as one
        self._aliased = 0
        self._bind()

    def _bind(self) -> None:
        """Find the target of each alias and the end of each node."""
        anchors: dict[str | None, int] = {}
        starts: list[int] = []
        for index, (kind, _, _, _, anchor, _) in enumerate(self._events):
            if kind == ALIAS:
                self._targets[index] = anchors[anchor]
            elif anchor is not None:
                anchors[anchor] = index
            if kind in (MAPPING, SEQUENCE):
                starts.append(index)
            else:
                self._ends[starts.pop() if kind == END else index] = index + 1

    def expand(self) -> Events:
        """Process the steps. A step may push others before the remaining ones."""
        keys: list[bool | None] = [None]  # for each open collection: True before a key; None in a sequence
        while self._work:
            step, at, end, mark = self._work.pop()
            if step == _LEAVE:
                self._open.remove(at)
            elif step == _MERGED:
                self._merge_mapping(at)
            else:
                yield from self._copy_events(at, end, mark, keys)

    def _copy_events(self, at: int, end: int, mark: int | None, keys: list[bool | None]) -> Events:
        """Yield the events up to an alias or a merge key, which is pushed as the next step."""
        while at < end:
            event = self._events[at]
            kind = event[0]
            if mark is not None:  # the target of an alias, which is never a merge key
                event, mark = (*event[:5], mark), None
            elif keys[-1] and _is_merge(event):
                self._work.append((_NODES, self._ends[at + 1], end, None))
                self._merge(at + 1)
                return
            if kind == ALIAS:
                self._count_event(event)
                self._work.append((_NODES, at + 1, end, None))
                self._enter_alias(at, self._targets[at], self._ends[self._targets[at]], event[5])
                return
            if kind == END:
                keys.pop()
            else:
                self._count_event(event)
            yield event
            if kind in (MAPPING, SEQUENCE):
                keys.append(True if kind == MAPPING else None)
            elif keys[-1] is not None:
                keys[-1] = not keys[-1]
            at += 1

    def _count_event(self, event: Event) -> None:
        self._nodes += 1
        if self._open:
            self._aliased += 1
            if (
                self._aliased > 100
                and self._nodes > 1000
                and self._aliased / self._nodes > _compute_allowed_ratio(self._nodes)
            ):
                raise ReadError("yaml: document contains excessive aliasing", event[5])

    def _enter_alias(self, alias: int, start: int, end: int, mark: int | None) -> None:
        if alias in self._open:
            event = self._events[alias]
            raise ReadError(f"yaml: anchor '{event[4]}' value contains itself", event[5])
        self._open.add(alias)
        self._work += (_LEAVE, alias, 0, None), (_NODES, start, end, mark)

    def _merge(self, at: int) -> None:
        """Push the entries of a merge key's value: a mapping, or mappings of which the first wins."""
        if self._events[at][0] != SEQUENCE:
            self._merge_mapping(at)
            return
        child = at + 1
        while self._events[child][0] != END:
            self._work.append((_MERGED, child, 0, None))
            child = self._ends[child]

    def _merge_mapping(self, at: int) -> None:
        event = self._events[at]
        if event[0] == MAPPING:
            self._count_event(event)
            self._work.append((_NODES, at + 1, self._ends[at] - 1, None))
        elif event[0] == ALIAS and self._events[self._targets[at]][0] == MAPPING:
            self._count_event(event)
            self._enter_alias(at, self._targets[at] + 1, self._ends[self._targets[at]] - 1, None)
            self._count_event(event)
        else:
            self._reject_merge(event)

    def _reject_merge(self, event: Event) -> NoReturn:
        raise ReadError("yaml: map merge requires map or sequence of maps as the value", event[5])
