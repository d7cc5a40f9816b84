"""How ANTLR takes a mistake: what it says, which tokens it drops or makes up, where it goes on.

A port of the default error strategy of antlr4-go v4.13 with the limits that cel-go v0.29 puts on it, so that messages
are the server's. Knows states and tokens, no rule.
"""

from __future__ import annotations

import re

from .grammar import RULE_END, SHOWN, State
from .issues import Issue
from .lexer import Tokens

_MOST_ISSUES = 100
_MOST_ATTEMPTS = 30
_MOST_SKIPPED = 256
_ORDER = list(SHOWN)
_KEYWORD_FIELD = re.compile(r"no viable alternative at input '.(true|false|null)'", re.DOTALL)


class Leaf:
    """A token as part of a node; one that was missing stands where it was missed."""

    __slots__ = ("at", "kind", "text")

    def __init__(self, kind: str, text: str, at: int) -> None:
        self.kind, self.text, self.at = kind, text, at


class FailureError(Exception):
    """A rule cannot go on: what is said, and of which token."""

    def __init__(self, message: str, token: int) -> None:
        super().__init__(message)
        self.token = token


class StopError(Exception):
    """Nothing more is tried; the argument, if any, says why."""


class Strategy:
    """The tokens of a text and what goes wrong with them.

    `pos` is the next token, `state` the place in the grammar, `frames` what follows each open rule and its level.
    """

    def __init__(self, text: str, tokens: Tokens) -> None:
        self.text, self.tokens = text, tokens
        self.kinds, self.texts = tokens.kinds, tokens.texts
        self.starts = tokens.starts if text else [-1]  # where ANTLR sees the end of nothing
        self.issues: list[Issue] = []
        self.unread = list(tokens.errors)
        self.frames: list[tuple[State, int]] = []
        self.state = State()
        self.pos = self.attempts = 0
        self.failed_at, self.failed_in = -1, set[State]()
        self.recovering = False

    # tokens

    def look(self, ahead: int = 0) -> str:
        """The kind of a token to come. What is no token is reported when it is read over."""
        index = min(self.pos + ahead, len(self.kinds) - 1)
        while self.unread and self.unread[0][0] < self.starts[index]:
            start, end = self.unread.pop(0)
            self.notify(f"token recognition error at: '{self.text[start:end]}'", start)
        return self.kinds[index]

    def consume(self) -> Leaf:
        """Go past a token."""
        leaf = Leaf(self.kinds[self.pos], self.texts[self.pos], self.starts[self.pos])
        self.pos = min(self.pos + 1, len(self.kinds) - 1)
        self.look()
        return leaf

    def source(self, first: int, last: int) -> str:
        """The text from one token to another, without what is no token."""
        start, end = self.starts[first], self.starts[last] + len(self.texts[last])
        pieces = []
        for from_, to in [error for error in self.tokens.errors if start <= error[0] < end]:
            pieces.append(self.text[start:from_])
            start = to
        return "".join([*pieces, self.text[start:end]])

    # messages

    def notify(self, message: str, at: int) -> None:
        """Say it. Raises StopError if enough was said."""
        if len(self.issues) == _MOST_ISSUES:
            self.issues.append(Issue(f"Syntax error: More than {_MOST_ISSUES} syntax errors", at))
            raise StopError
        message = _KEYWORD_FIELD.sub(r"mismatched input '\1' expecting IDENTIFIER", message)
        self.issues.append(Issue(f"Syntax error: {message}", at))

    def report(self, message: str, token: int) -> None:
        """Say it, unless this is still about the last failure."""
        if not self.recovering:
            self.recovering = True
            self.notify(message, self.starts[token])

    def shown(self, token: int) -> str:
        """A token in messages."""
        return _quoted("<EOF>" if self.kinds[token] == "end" else self.texts[token])

    def mismatch(self) -> FailureError:
        """The next token does not fit."""
        message = f"mismatched input {self.shown(self.pos)} expecting {_set(self.expected(self.state))}"
        return FailureError(message, self.pos)

    def no_way(self, first: int, last: int) -> FailureError:
        """No alternative fits the tokens from one to another."""
        last = min(last, len(self.kinds) - 1)
        found = "<EOF>" if self.kinds[first] == "end" else self.source(first, last)
        return FailureError(f"no viable alternative at input {_quoted(found)}", last)

    # what may follow

    def expected(self, state: State) -> set[str]:
        """What may stand at a place, given all open rules."""
        following = state.next_tokens()
        found = set(following)
        for behind, _ in reversed(self.frames):
            if RULE_END not in following:
                break
            following = behind.next_tokens()
            found |= following
        found.discard(RULE_END)
        return found | {"end"} if RULE_END in following else found

    def resumption(self) -> set[str]:
        """What may follow any of the open rules."""
        return set().union(*[behind.next_tokens() for behind, _ in self.frames]) - {RULE_END}

    # recovery

    def matched(self) -> None:
        """A token did fit: failures are new ones from here on."""
        self.recovering = False
        self.failed_at, self.failed_in = -1, set()

    def delete(self) -> bool:
        """Drop a token if the one behind it fits."""
        if self.look(1) not in self.expected(self.state):
            return False
        self.unwanted()
        self.consume()
        self.matched()
        return True

    def unwanted(self) -> None:
        """The next token is one too many."""
        message = f"extraneous input {self.shown(self.pos)} expecting {_set(self.expected(self.state))}"
        self.report(message, self.pos)

    def insert(self) -> Leaf | None:
        """Make up the token that is missed, if the next one fits behind it."""
        expected, behind = self.expected(self.state), self.state.way
        if self.look() not in self.expected(behind):
            return None
        self.report(f"missing {_set(expected)} at {self.shown(self.pos)}", self.pos)
        place = self.pos - 1 if self.look() == "end" and self.pos else self.pos
        return Leaf(min(expected, key=_ORDER.index), "<missing>", self.starts[place])

    def attempt(self) -> None:
        """Count a recovery. Raises StopError if there were enough."""
        if self.attempts == _MOST_ATTEMPTS:
            self.notify(f"error recovery attempt limit exceeded: {_MOST_ATTEMPTS}", self.starts[self.pos])
            raise StopError
        self.attempts += 1

    def recover(self) -> None:
        """Skip to what may follow the rule that failed; one token at least if that was tried here before."""
        self.attempt()
        start = self.pos
        if self.failed_at == self.pos and self.state in self.failed_in:
            self.consume()
        self.failed_at = self.pos
        self.failed_in.add(self.state)
        self.skip_to(self.resumption(), start + _MOST_SKIPPED)

    def skip_to(self, kinds: set[str], limit: int) -> None:
        """Skip to a token of these kinds. Raises StopError at the limit."""
        while self.look() != "end" and self.look() not in kinds:
            if self.pos >= limit:
                raise StopError(f"error recovery token lookahead limit exceeded: {_MOST_SKIPPED}")
            self.consume()

    def sync(self, state: State, *, back: bool = False) -> None:
        """Before a decision: drop a token that does not fit, or fail; after a round of a loop, skip."""
        self.state = state
        if self.recovering:
            return
        following = state.next_tokens()
        if RULE_END in following or self.look() in following:
            return
        if back:
            self.unwanted()
            self.skip_to(self.expected(state) | self.resumption(), len(self.kinds))
        elif not self.delete():
            raise self.mismatch()

    def go_on(self) -> Leaf:
        """In the middle of a rule: the token behind the next one, or one made up."""
        self.attempt()
        if self.delete():
            return self.consume()
        made = self.insert()
        if made is None:
            raise self.mismatch()
        return made


def _quoted(text: str) -> str:
    for char, shown in (("\t", r"\t"), ("\n", r"\n"), ("\r", r"\r")):
        text = text.replace(char, shown)
    return f"'{text}'"


def _set(kinds: set[str]) -> str:
    names = [SHOWN[kind] for kind in _ORDER if kind in kinds]
    return names[0] if len(names) == 1 else f"{{{', '.join(names)}}}"
