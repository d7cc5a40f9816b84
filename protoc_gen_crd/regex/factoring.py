"""How Go rearranges alternatives while it parses: `abc|abd` becomes `ab[cd]`. Only what its limits can tell is kept.

Factoring recurses as deep as prefixes nest, which Python must not; its rounds are generators, which yield the
alternatives of an inner alternation and are sent its node.
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
    NodeAllocator,
    RegexNode,
)
from protoc_gen_crd.regex.pattern_tokens import FOLD, LAZY

_Round = Generator[list[RegexNode], RegexNode, list[RegexNode]]


def make_alternation(ledger: NodeAllocator, subs: list[RegexNode]) -> RegexNode:
    """One node for one or more alternatives."""
    callers = [_factor(ledger, subs)]
    resume = callers[0].__next__
    while True:
        try:
            callers.append(_factor(ledger, resume()))
            resume = callers[-1].__next__
        except StopIteration as finished:
            node: RegexNode = finished.value
            callers.pop()
            if not callers:
                return node
            resume = partial(callers[-1].send, node)


def collapse(ledger: NodeAllocator, op: int, subs: list[RegexNode]) -> RegexNode:
    """A concatenation or alternation without another of its kind directly in it."""
    node = ledger.new(op)
    for sub in subs:
        if sub.op == op:
            node.subs += sub.subs
            ledger.reuse(sub)
        else:
            node.subs.append(sub)
    return node


def is_class(node: RegexNode) -> bool:
    """Whether the node matches any one of some characters."""
    return node.op in (CLASS, ANY_BUT_NEWLINE, ANY) or (node.op == LITERAL and len(node.runes) == 1)


def merge_class(into: RegexNode, other: RegexNode) -> None:
    """Let one class node match what another matches too; the other's op must not be the greater one."""
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
    """Order the ranges of a node that may have been merged, and name it simply if it can be."""
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
    """Draw out what neighbours begin with, where that is text."""
    out: list[RegexNode] = []
    text: list[int] = []
    start = fold = 0
    for index in range(len(subs) + 1):
        leading, leading_fold = _get_leading_string(subs[index]) if index < len(subs) else ([], 0)
        same = _count_common_prefix(text, leading) if leading_fold == fold else 0
        if same:
            text = text[:same]
            continue
        if index > start + 1:
            prefix = ledger.new(LITERAL, fold)
            prefix.runes = text
            for at in range(start, index):
                subs[at] = _remove_leading_string(ledger, subs[at], len(text))
                ledger.check(subs[at])
            out.append((yield from _factor_prefix(ledger, prefix, subs[start:index])))
        else:
            out += subs[start:index]
        start, text, fold = index, leading, leading_fold
    return out


def _factor_common_classes(ledger: NodeAllocator, subs: list[RegexNode]) -> _Round:
    """Draw out what neighbours begin with, where that is a class or a fixed number of one."""
    out: list[RegexNode] = []
    start, first = 0, None
    for index in range(len(subs) + 1):
        leading = _get_leading_regexp(subs[index]) if index < len(subs) else None
        if first and leading and _is_same_class(first, leading):
            continue
        if first and index > start + 1:
            for at in range(start, index):
                subs[at] = _remove_leading_regexp(ledger, subs[at], reuse=at != start)
                ledger.check(subs[at])
            out.append((yield from _factor_prefix(ledger, first, subs[start:index])))
        else:
            out += subs[start:index]
        start, first = index, leading
    return out


def _factor_prefix(
    ledger: NodeAllocator, prefix: RegexNode, subs: list[RegexNode]
) -> Generator[list[RegexNode], RegexNode, RegexNode]:
    rest = yield subs
    node = ledger.new(CONCAT)
    node.subs = [prefix, rest]
    return node


def _merge_classes(ledger: NodeAllocator, subs: list[RegexNode]) -> list[RegexNode]:
    """Make one class of neighbouring ones."""
    out: list[RegexNode] = []
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
        out += run
    return out


def _drop_repeated_empties(subs: list[RegexNode]) -> list[RegexNode]:
    return [sub for sub, after in zip_longest(subs, subs[1:]) if not (after and sub.op == after.op == EMPTY)]


def _get_leading_string(node: RegexNode) -> tuple[list[int], int]:
    if node.op == CONCAT:
        node = node.subs[0]
    return (node.runes, node.flags & FOLD) if node.op == LITERAL else ([], 0)


def _count_common_prefix(text: list[int], other: list[int]) -> int:
    """How many characters at their beginning are the same."""
    count = 0
    for one, two in zip(text, other, strict=False):
        if one != two:
            break
        count += 1
    return count


def _remove_leading_string(ledger: NodeAllocator, node: RegexNode, count: int) -> RegexNode:
    """The node less its first characters."""
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


def _is_same_class(one: RegexNode, other: RegexNode) -> bool:
    if one.op == COUNTED == other.op and one.low == one.high == other.low == other.high:
        if (one.flags ^ other.flags) & LAZY:
            return False
        one, other = one.subs[0], other.subs[0]
    if not is_class(one) or one.op != other.op:
        return False
    return one.op in (ANY, ANY_BUT_NEWLINE) or (one.runes == other.runes and not (one.flags ^ other.flags) & FOLD)


def _remove_leading_regexp(ledger: NodeAllocator, node: RegexNode, *, reuse: bool) -> RegexNode:
    """The node less its first part, which is free again if told so."""
    if node.op == CONCAT:
        first = node.subs.pop(0)
        if reuse:
            ledger.reuse(first)
        return _unwrap_single(ledger, node)
    if reuse:
        ledger.reuse(node)
    return ledger.new(EMPTY)


def _unwrap_single(ledger: NodeAllocator, node: RegexNode) -> RegexNode:
    """The single part of a concatenation that has but one left."""
    if len(node.subs) > 1:
        return node
    ledger.reuse(node)
    return node.subs[0]
