"""Go's factoring of alternatives during parsing: `abc|abd` is changed to `ab[cd]`, as far as its limits depend on it.

Factoring recurses as deep as prefixes nest, deeper than Python's stack allows. Its rounds are generators: they yield
the alternatives of an inner alternation and are sent its node. `ledger` is the allocator of all nodes.
"""

from __future__ import annotations

from collections.abc import Generator
from functools import partial
from itertools import groupby, zip_longest

from protoc_gen_crd.regex.character_classes import get_fold_orbit, merge_ranges
from protoc_gen_crd.regex.parse_tree import (
    ALTERNATE,
    ANY,
    ANY_BUT_NEWLINE,
    CLASS,
    CONCAT,
    COUNTED,
    EMPTY,
    LITERAL,
    RegexNode,
)
from protoc_gen_crd.regex.pattern_tokens import FOLD, LAZY
from protoc_gen_crd.regex.size_and_depth_limits import NodeAllocator

_Round = Generator[list[RegexNode], RegexNode, list[RegexNode]]


def make_alternation(ledger: NodeAllocator, subs: list[RegexNode]) -> RegexNode:
    """Return one node for one or more alternatives."""
    generators = [_factor(ledger, subs)]
    resume = generators[0].__next__
    while True:
        try:
            generators.append(_factor(ledger, resume()))
            resume = generators[-1].__next__
        except StopIteration as finished:
            node: RegexNode = finished.value
            generators.pop()
            if not generators:
                return node
            resume = partial(generators[-1].send, node)


def collapse(ledger: NodeAllocator, op: int, subs: list[RegexNode]) -> RegexNode:
    """Return a concatenation or alternation that has no node of the same kind as a direct child."""
    node = ledger.new(op)
    for sub in subs:
        if sub.op == op:
            node.subs += sub.subs
            ledger.reuse(sub)
        else:
            node.subs.append(sub)
    return node


def is_class(node: RegexNode) -> bool:
    """Return whether the node matches a single character."""
    return node.op in (CLASS, ANY_BUT_NEWLINE, ANY) or (node.op == LITERAL and len(node.runes) == 1)


def merge_class(into: RegexNode, other: RegexNode) -> None:
    """Add the characters of another class node to a class node, whose op must not be less than the other's."""
    if into.op == ANY_BUT_NEWLINE and _matches_newline(other):
        into.op = ANY
    elif into.op == CLASS:
        into.runes = into.runes[:]
        if other.op == LITERAL:
            _append_cases(into.runes, other)
        else:
            for at in range(0, len(other.runes), 2):
                _append_range(into.runes, other.runes[at], other.runes[at + 1])
    elif into.op == LITERAL and (into.runes, into.flags) != (other.runes, other.flags):
        cases: list[int] = []
        _append_cases(cases, into)
        _append_cases(cases, other)
        into.op, into.runes = CLASS, cases


def clean_class(node: RegexNode) -> None:
    """Sort the ranges of a merged node, and replace it by a node without ranges if there is an equal one."""
    if node.op != CLASS:
        return
    ranges = merge_ranges(zip(node.runes[::2], node.runes[1::2], strict=True))
    node.runes = [bound for pair in ranges for bound in pair]
    if simple := _SIMPLE.get(ranges):
        node.op, node.runes = simple, []


_SIMPLE = {((0, 0x10FFFF),): ANY, ((0, 9), (11, 0x10FFFF)): ANY_BUT_NEWLINE}


def _matches_newline(node: RegexNode) -> bool:
    if node.op == CLASS:
        return any(low <= 10 <= high for low, high in zip(node.runes[::2], node.runes[1::2], strict=True))
    return node.op == ANY or node.runes == [10]


def _append_cases(runes: list[int], literal: RegexNode) -> None:
    char = literal.runes[0]
    cases = get_fold_orbit(char) if literal.flags & FOLD else (char,)
    at = cases.index(char)
    for case in cases[at:] + cases[:at]:
        _append_range(runes, case, case)


def _append_range(runes: list[int], low: int, high: int) -> None:
    """Add a range at the end, or widen one of the last two that it touches."""
    for at in (len(runes) - 2, len(runes) - 4):
        if at >= 0 and low <= runes[at + 1] + 1 and runes[at] <= high + 1:
            runes[at] = min(low, runes[at])
            runes[at + 1] = max(high, runes[at + 1])
            return
    runes += (low, high)


def _factor(ledger: NodeAllocator, subs: list[RegexNode]) -> Generator[list[RegexNode], RegexNode, RegexNode]:
    if len(subs) == 1:
        return subs[0]
    node = collapse(ledger, ALTERNATE, subs)
    factored = yield from _factor_common_literals(ledger, node.subs)
    factored = yield from _factor_common_classes(ledger, factored)
    node.subs = _drop_repeated_empties(_merge_classes(ledger, factored))
    if len(node.subs) == 1:
        ledger.reuse(node)
        return node.subs[0]
    return node


def _factor_common_literals(ledger: NodeAllocator, subs: list[RegexNode]) -> _Round:
    """Factor out the literal prefixes that adjacent alternatives share."""
    factored: list[RegexNode] = []
    literal: list[int] = []
    start = fold = 0
    for index in range(len(subs) + 1):
        leading, leading_fold = _get_leading_string(subs[index]) if index < len(subs) else ([], 0)
        common = _count_common_prefix(literal, leading) if leading_fold == fold else 0
        if common:
            literal = literal[:common]
            continue
        if index > start + 1:
            prefix = ledger.new(LITERAL, fold)
            prefix.runes = literal
            for at in range(start, index):
                subs[at] = _remove_leading_string(ledger, subs[at], len(literal))
                ledger.check(subs[at])
            factored.append((yield from _factor_prefix(ledger, prefix, subs[start:index])))
        else:
            factored += subs[start:index]
        start, literal, fold = index, leading, leading_fold
    return factored


def _factor_common_classes(ledger: NodeAllocator, subs: list[RegexNode]) -> _Round:
    """Factor out the prefixes that adjacent alternatives share, if these are a class or a fixed number of one."""
    factored: list[RegexNode] = []
    start, first = 0, None
    for index in range(len(subs) + 1):
        leading = _get_leading_regexp(subs[index]) if index < len(subs) else None
        if first and leading and _is_same_class(first, leading):
            continue
        if first and index > start + 1:
            for at in range(start, index):
                subs[at] = _remove_leading_regexp(ledger, subs[at], reuse=at != start)
                ledger.check(subs[at])
            factored.append((yield from _factor_prefix(ledger, first, subs[start:index])))
        else:
            factored += subs[start:index]
        start, first = index, leading
    return factored


def _factor_prefix(
    ledger: NodeAllocator, prefix: RegexNode, subs: list[RegexNode]
) -> Generator[list[RegexNode], RegexNode, RegexNode]:
    rest = yield subs
    node = ledger.new(CONCAT)
    node.subs = [prefix, rest]
    return node


def _merge_classes(ledger: NodeAllocator, subs: list[RegexNode]) -> list[RegexNode]:
    """Merge adjacent classes into one."""
    merged: list[RegexNode] = []
    for single, group in groupby(subs, is_class):
        run = list(group)
        if single and len(run) > 1:
            widest = max(range(len(run)), key=lambda at: (run[at].op, len(run[at].runes)))
            run[0], run[widest] = run[widest], run[0]
            for other in run[1:]:
                merge_class(run[0], other)
                ledger.reuse(other)
            clean_class(run[0])
            del run[1:]
        merged += run
    return merged


def _drop_repeated_empties(subs: list[RegexNode]) -> list[RegexNode]:
    return [sub for sub, after in zip_longest(subs, subs[1:]) if not (after and sub.op == after.op == EMPTY)]


def _get_leading_string(node: RegexNode) -> tuple[list[int], int]:
    if node.op == CONCAT:
        node = node.subs[0]
    return (node.runes, node.flags & FOLD) if node.op == LITERAL else ([], 0)


def _count_common_prefix(left: list[int], right: list[int]) -> int:
    """Return the length of the common prefix."""
    count = 0
    for left_char, right_char in zip(left, right, strict=False):
        if left_char != right_char:
            break
        count += 1
    return count


def _remove_leading_string(ledger: NodeAllocator, node: RegexNode, count: int) -> RegexNode:
    """Return the node without its first characters."""
    if node.op == CONCAT:
        node.subs[0] = _remove_leading_string(ledger, node.subs[0], count)
        if node.subs[0].op != EMPTY:
            return node
        ledger.reuse(node.subs.pop(0))
        return _unwrap_single(ledger, node)
    node.runes = node.runes[count:]
    if not node.runes:
        node.op = EMPTY
    return node


def _get_leading_regexp(node: RegexNode) -> RegexNode | None:
    if node.op == CONCAT:
        node = node.subs[0]
    return None if node.op == EMPTY else node


def _is_same_class(left: RegexNode, right: RegexNode) -> bool:
    if left.op == COUNTED == right.op and left.low == left.high == right.low == right.high:
        if (left.flags ^ right.flags) & LAZY:
            return False
        left, right = left.subs[0], right.subs[0]
    if not is_class(left) or left.op != right.op:
        return False
    return left.op in (ANY, ANY_BUT_NEWLINE) or (left.runes == right.runes and not (left.flags ^ right.flags) & FOLD)


def _remove_leading_regexp(ledger: NodeAllocator, node: RegexNode, *, reuse: bool) -> RegexNode:
    """Return the node without its first part, which is freed with `reuse`."""
    if node.op == CONCAT:
        first = node.subs.pop(0)
        if reuse:
            ledger.reuse(first)
        return _unwrap_single(ledger, node)
    if reuse:
        ledger.reuse(node)
    return ledger.new(EMPTY)


def _unwrap_single(ledger: NodeAllocator, node: RegexNode) -> RegexNode:
    """Return the only part of a concatenation that has one part left; otherwise the concatenation."""
    if len(node.subs) > 1:
        return node
    ledger.reuse(node)
    return node.subs[0]
