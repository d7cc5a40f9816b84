"""Go's parse tree of a pattern, as far as the limits on its size and depth depend on it.

Building the tree is slow in comparison with parsing and seldom
needed: the length of most patterns excludes that a limit is exceeded (`syntax_check`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import ClassVar

from protoc_gen_crd.regex import pattern_tokens
from protoc_gen_crd.regex.character_classes import get_fold_orbit, resolve_class
from protoc_gen_crd.regex.factoring import clean_class, collapse, is_class, make_alternation, merge_class
from protoc_gen_crd.regex.parse_tree import (
    ANY,
    ANY_BUT_NEWLINE,
    ASSERTION,
    CAPTURE,
    CLASS,
    CONCAT,
    COUNTED,
    EMPTY,
    LITERAL,
    PAREN,
    PLUS,
    QUEST,
    STAR,
    VERTICAL_BAR,
    RegexNode,
)
from protoc_gen_crd.regex.pattern_tokens import DOT_NL, FOLD, Member, Token
from protoc_gen_crd.regex.size_and_depth_limits import LimitExceededError, NodeAllocator

_REPETITIONS = {"*": STAR, "+": PLUS, "?": QUEST, "{": COUNTED}


def find_exceeded_limit(tokens: Iterable[Token]) -> str | None:
    """Return Go's message if these tokens exceed a limit."""
    tree = _NodeStack()
    try:
        for token in tokens:
            tree.add(token)
    except LimitExceededError as error:
        return str(error)
    return None


class _NodeStack:
    """Go's stack of nodes that are not yet part of others."""

    def __init__(self) -> None:
        self.ledger = NodeAllocator()
        self.stack = self.ledger.stack
        self.flags = 0  # in force at the latest token

    def add(self, token: Token) -> None:
        self.flags = token.flags
        self._HANDLERS[token.kind](self, token)

    def add_literal(self, token: Token) -> None:
        for char in token.text:
            first = get_fold_orbit(ord(char))[0] if self.flags & FOLD else ord(char)
            self.push(self.make_node(LITERAL, [first]))

    def add_class(self, token: Token) -> None:
        self.push(
            self.make_node(CLASS, _get_bounds(token.members, negated=token.negated, fold=bool(self.flags & FOLD)))
        )

    def add_dot(self, _: Token) -> None:
        self.push(self.make_node(ANY if self.flags & DOT_NL else ANY_BUT_NEWLINE))

    def add_assertion(self, _: Token) -> None:
        self.push(self.make_node(ASSERTION))

    def open_group(self, token: Token) -> None:
        node = self.make_node(PAREN)
        node.captures = token.captures
        self.push(node)

    def add_alternative(self, _: Token) -> None:
        self.concatenate()
        if not self.collapse_alternative():
            self.push(self.make_node(VERTICAL_BAR))

    def close_group(self, token: Token) -> None:
        self.finish(token)
        if len(self.stack) < 2:
            return
        paren, inner = self.stack[-2:]
        del self.stack[-2:]
        self.flags = paren.flags
        if paren.captures:
            paren.op, paren.subs = CAPTURE, [inner]
            inner = paren
        self.push(inner)

    def finish(self, _: Token) -> None:
        self.concatenate()
        if self.collapse_alternative():
            self.stack.pop()
        alternatives = self.pop_nodes()
        clean_class(alternatives[-1])
        self.push(make_alternation(self.ledger, alternatives))

    def repeat(self, token: Token) -> None:
        node = self.make_node(_REPETITIONS[token.text])
        node.low, node.high, node.subs = token.low, token.high, [self.stack[-1]]
        self.stack[-1] = node
        self.ledger.check(node)

    _HANDLERS: ClassVar[dict[int, Callable[[_NodeStack, Token], None]]] = {
        pattern_tokens.LITERAL: add_literal,
        pattern_tokens.CLASS: add_class,
        pattern_tokens.DOT: add_dot,
        pattern_tokens.ASSERTION: add_assertion,
        pattern_tokens.OPEN: open_group,
        pattern_tokens.BAR: add_alternative,
        pattern_tokens.CLOSE: close_group,
        pattern_tokens.REPEAT: repeat,
        pattern_tokens.END: finish,
    }

    def make_node(self, op: int, runes: list[int] | None = None) -> RegexNode:
        node = self.ledger.new(op, self.flags)
        node.runes = runes or []
        return node

    def push(self, node: RegexNode) -> None:
        self.ledger.runes += len(node.runes)
        case = _find_single_literal(node, self.flags) if node.op == CLASS else None
        if self.concatenate_literals(case):
            return
        if case:
            node.op, (node.flags, *node.runes) = LITERAL, case
        self.stack.append(node)
        self.ledger.check(node)

    def concatenate_literals(self, case: tuple[int, int] | None = None) -> bool:
        """Join the two literals on top of the stack. The freed node takes the literal of `case`, if there is one."""
        if len(self.stack) < 2:
            return False
        before, last = self.stack[-2:]
        if not before.op == last.op == LITERAL or (before.flags ^ last.flags) & FOLD:
            return False
        before.runes += last.runes
        if case:
            last.flags, *last.runes = case
            return True
        self.ledger.reuse(self.stack.pop())
        return False

    def pop_nodes(self) -> list[RegexNode]:
        """Remove and return the nodes above the latest parenthesis or bar."""
        at = len(self.stack)
        while at and self.stack[at - 1].op < PAREN:
            at -= 1
        nodes = self.stack[at:]
        del self.stack[at:]
        return nodes

    def concatenate(self) -> None:
        self.concatenate_literals()
        parts = self.pop_nodes()
        if len(parts) > 1:
            self.push(collapse(self.ledger, CONCAT, parts))
        else:
            self.push(parts[0] if parts else self.ledger.new(EMPTY))

    def collapse_alternative(self) -> bool:
        """Swap the alternative on top with the bar below it, or merge it into a class below that."""
        if len(self.stack) < 2 or self.stack[-2].op != VERTICAL_BAR:
            return False
        if len(self.stack) > 2 and is_class(self.stack[-1]) and is_class(self.stack[-3]):
            last, before = self.stack.pop(), self.stack[-2]
            if last.op > before.op:
                last, before = before, last
                self.stack[-2] = before
            merge_class(before, last)
            self.ledger.reuse(last)
            return True
        if len(self.stack) > 2:
            clean_class(self.stack[-3])
        self.stack[-2:] = reversed(self.stack[-2:])
        return True


@lru_cache(maxsize=64)
def _get_bounds(members: tuple[Member, ...], *, negated: bool, fold: bool) -> list[int]:
    """Return the bounds of the ranges of a class. The nodes of equal classes share them."""
    return [bound for pair in resolve_class(members, negated=negated, fold=fold) for bound in pair]


def _find_single_literal(node: RegexNode, flags: int) -> tuple[int, int] | None:
    """Return the flags and the character of the literal that is equal to a class, in one case or in both."""
    chars = node.runes if len(node.runes) < 5 else []
    match chars:
        case [char, same] if char == same:
            return flags & ~FOLD, char
        case [char, other] if other == char + 1 and get_fold_orbit(char) == (char, other):
            return flags | FOLD, char
        case [char, same, other, again] if char == same and other == again and get_fold_orbit(char) == (char, other):
            return flags | FOLD, char
    return None
