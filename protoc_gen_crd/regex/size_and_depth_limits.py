"""Go's limits on the size and depth of a pattern, counted as Go's parser counts.

A limit is not a property of the pattern alone. Go starts to measure only when a pattern may be too large, and keeps
measurements by node although literals grow and freed nodes are reused. This module does the same. Go's limits
correspond to 128 MiB of memory, at 40 bytes per instruction and 4 bytes per character.
"""

from __future__ import annotations

from collections.abc import Callable

from protoc_gen_crd.regex.parse_tree import ALTERNATE, CAPTURE, COUNTED, LITERAL, PLUS, QUEST, STAR, RegexNode

_OVERHEAD = {CAPTURE: 2, STAR: 2, PLUS: 1, QUEST: 1}
_MAX_SIZE = (128 << 20) // 40
_MAX_RUNES = (128 << 20) // 4
_MAX_HEIGHT = 1000


class LimitExceededError(Exception):
    """The limit that a pattern exceeds; the message is Go's."""


class NodeAllocator:
    """An allocator of nodes with a free list, which checks Go's limits on their number, size and depth."""

    def __init__(self) -> None:
        self.stack: list[RegexNode] = []
        self.runes = 0
        self._free: list[RegexNode] = []
        self._allocated = 0
        self._repeats = 1  # the product of all counts, by which Go multiplies nodes until it measures
        self._sizes: dict[RegexNode, int] | None = None
        self._heights: dict[RegexNode, int] | None = None

    def new(self, op: int, flags: int = 0) -> RegexNode:
        """Return a freed node, or a new one if there is none."""
        if self._free:
            node = self._free.pop()
        else:
            node = RegexNode()
            self._allocated += 1
        node.reset(op, flags)
        return node

    def reuse(self, node: RegexNode) -> None:
        """Free a node. Its size stays recorded, as in Go."""
        if self._heights is not None:
            self._heights.pop(node, None)
        self._free.append(node)

    def check(self, node: RegexNode) -> None:
        """Apply the limits to a new or changed node. Raises LimitExceededError."""
        if self.runes > _MAX_RUNES:
            raise LimitExceededError("expression too large")
        self._check_size(node)
        self._check_height(node)

    def _check_size(self, node: RegexNode) -> None:
        if self._sizes is None:
            if node.op == COUNTED:
                self._repeats = min(_MAX_SIZE, self._repeats * max(1, node.low if node.high < 0 else node.high))
            if self._allocated < _MAX_SIZE // self._repeats:
                return
            self._sizes = {}
            for other in self.stack:
                self._check_size(other)
        if _measure(node, self._sizes, _compute_size) > _MAX_SIZE:
            raise LimitExceededError("expression too large")

    def _check_height(self, node: RegexNode) -> None:
        if self._allocated < _MAX_HEIGHT:
            return
        if self._heights is None:
            self._heights = {}
            for other in self.stack:
                self._check_height(other)
        if _measure(node, self._heights, _compute_height) > _MAX_HEIGHT:
            raise LimitExceededError("expression nests too deeply")


def _measure(
    node: RegexNode, measurements: dict[RegexNode, int], measure: Callable[[RegexNode, dict[RegexNode, int]], int]
) -> int:
    """Measure a node again, with the recorded measurements of the nodes below it."""
    measurements.pop(node, None)
    pending = [node]
    while pending:
        missing = [sub for sub in pending[-1].subs if sub not in measurements]
        if missing:
            pending += missing
        else:
            latest = pending.pop()
            measurements[latest] = measure(latest, measurements)
    return measurements[node]


def _compute_height(node: RegexNode, heights: dict[RegexNode, int]) -> int:
    return 1 + max((heights[sub] for sub in node.subs), default=0)


def _compute_size(node: RegexNode, sizes: dict[RegexNode, int]) -> int:
    below = sum(sizes[sub] for sub in node.subs)
    if node.op == LITERAL:
        return max(1, len(node.runes))
    if node.op == ALTERNATE:
        return below + len(node.subs) - 1
    if node.op != COUNTED:
        return max(1, below + _OVERHEAD.get(node.op, 0))
    if node.high >= 0:
        return max(1, node.high * below + node.high - node.low)
    return 1 + node.low * below if node.low else 2 + below
