"""ANTLR's handling of syntax errors: messages, dropped or inserted tokens, and recovery.

A port of the default error strategy of antlr4-go v4.13 with the limits of cel-go v0.29, so that the messages equal
those of servers. It handles states and tokens, not rules.
"""

from __future__ import annotations

import re

from .antlr_grammar import RULE_END, SHOWN, GrammarState
from .issues import Issue
from .lexer import TokenStream

_MAX_ISSUES = 100
_MAX_RECOVERY_ATTEMPTS = 30
_MAX_SKIPPED_TOKENS = 256
_ORDER = list(SHOWN)
_KEYWORD_FIELD = re.compile(r"no viable alternative at input '.(true|false|null)'", re.DOTALL)


class TerminalNode:
    """A token as part of a node; a missing token is placed where it was expected."""

    __slots__ = ("at", "kind", "text")

    def __init__(self, kind: str, text: str, at: int) -> None:
        self.kind, self.text, self.at = kind, text, at


class RecognitionError(Exception):
    """A rule cannot continue: the message, and the index of the token that it refers to."""

    def __init__(self, message: str, token: int) -> None:
        super().__init__(message)
        self.token = token


class RecoveryLimitError(Exception):
    """Recovery stopped; the argument, if any, is the reason."""


class ErrorStrategy:
    """The tokens of an expression and the syntax errors in them.

    `pos` is the index of the next token, `state` the place in the grammar, `frames` what follows each open rule and its
    level.
    """

    def __init__(self, source: str, tokens: TokenStream) -> None:
        self.source, self.tokens = source, tokens
        self.kinds, self.texts = tokens.kinds, tokens.texts
        self.starts = tokens.starts if source else [-1]  # ANTLR places the end of an empty expression before it
        self.issues: list[Issue] = []
        self.unread = list(tokens.errors)
        self.frames: list[tuple[GrammarState, int]] = []
        self.state = GrammarState()
        self.pos = self.attempts = 0
        self.failed_at, self.failed_in = -1, set[GrammarState]()
        self.recovering = False

    # tokens

    def peek_kind(self, ahead: int = 0) -> str:
        """Return the kind of a coming token. Invalid input before it is reported."""
        index = min(self.pos + ahead, len(self.kinds) - 1)
        while self.unread and self.unread[0][0] < self.starts[index]:
            start, end = self.unread.pop(0)
            self.add_issue(f"token recognition error at: '{self.source[start:end]}'", start)
        return self.kinds[index]

    def consume(self) -> TerminalNode:
        """Consume the next token and return it."""
        leaf = TerminalNode(self.kinds[self.pos], self.texts[self.pos], self.starts[self.pos])
        self.pos = min(self.pos + 1, len(self.kinds) - 1)
        self.peek_kind()
        return leaf

    def get_text(self, first: int, last: int) -> str:
        """Return the source from one token to another, without invalid input."""
        start, end = self.starts[first], self.starts[last] + len(self.texts[last])
        pieces = []
        for from_, to in [error for error in self.tokens.errors if start <= error[0] < end]:
            pieces.append(self.source[start:from_])
            start = to
        return "".join([*pieces, self.source[start:end]])

    # messages

    def add_issue(self, message: str, at: int) -> None:
        """Add a syntax error. Raises RecoveryLimitError if there are too many."""
        if len(self.issues) == _MAX_ISSUES:
            self.issues.append(Issue(f"Syntax error: More than {_MAX_ISSUES} syntax errors", at))
            raise RecoveryLimitError
        message = _KEYWORD_FIELD.sub(r"mismatched input '\1' expecting IDENTIFIER", message)
        self.issues.append(Issue(f"Syntax error: {message}", at))

    def report_error(self, message: str, token: int) -> None:
        """Report a syntax error, unless the parser still recovers from the previous one."""
        if not self.recovering:
            self.recovering = True
            self.add_issue(message, self.starts[token])

    def format_token(self, token: int) -> str:
        """Return a token as it appears in messages."""
        return _escape_white_space("<EOF>" if self.kinds[token] == "end" else self.texts[token])

    def make_mismatch(self) -> RecognitionError:
        """Return the error that the next token does not match."""
        message = f"mismatched input {self.format_token(self.pos)} expecting "
        message += f"{_format_set(self.get_expected_tokens(self.state))}"
        return RecognitionError(message, self.pos)

    def make_no_viable_alternative(self, first: int, last: int) -> RecognitionError:
        """Return the error that no alternative matches the tokens from `first` to `last`."""
        last = min(last, len(self.kinds) - 1)
        source = "<EOF>" if self.kinds[first] == "end" else self.get_text(first, last)
        return RecognitionError(f"no viable alternative at input {_escape_white_space(source)}", last)

    # what may follow

    def get_expected_tokens(self, state: GrammarState) -> set[str]:
        """Return the kinds of tokens that may follow a state, given all open rules."""
        following = state.next_tokens()
        expected = set(following)
        for behind, _ in reversed(self.frames):
            if RULE_END not in following:
                break
            following = behind.next_tokens()
            expected |= following
        expected.discard(RULE_END)
        return expected | {"end"} if RULE_END in following else expected

    def get_recovery_set(self) -> set[str]:
        """Return the kinds of tokens that may follow any of the open rules."""
        return set().union(*[behind.next_tokens() for behind, _ in self.frames]) - {RULE_END}

    # recovery

    def end_error_condition(self) -> None:
        """Leave recovery mode after a token matched: later errors are new."""
        self.recovering = False
        self.failed_at, self.failed_in = -1, set()

    def delete_single_token(self) -> bool:
        """Drop a token if the one behind it matches, and return whether it does."""
        if self.peek_kind(1) not in self.get_expected_tokens(self.state):
            return False
        self.report_unwanted_token()
        self.consume()
        self.end_error_condition()
        return True

    def report_unwanted_token(self) -> None:
        """Report that the next token is superfluous."""
        message = f"extraneous input {self.format_token(self.pos)} expecting "
        message += f"{_format_set(self.get_expected_tokens(self.state))}"
        self.report_error(message, self.pos)

    def insert_single_token(self) -> TerminalNode | None:
        """Return a token in place of the missing one if the next token may follow it, else None."""
        expected, behind = self.get_expected_tokens(self.state), self.state.way
        if self.peek_kind() not in self.get_expected_tokens(behind):
            return None
        self.report_error(f"missing {_format_set(expected)} at {self.format_token(self.pos)}", self.pos)
        place = self.pos - 1 if self.peek_kind() == "end" and self.pos else self.pos
        return TerminalNode(min(expected, key=_ORDER.index), "<missing>", self.starts[place])

    def count_recovery_attempt(self) -> None:
        """Count a recovery. Raises RecoveryLimitError if there were too many."""
        if self.attempts == _MAX_RECOVERY_ATTEMPTS:
            self.add_issue(f"error recovery attempt limit exceeded: {_MAX_RECOVERY_ATTEMPTS}", self.starts[self.pos])
            raise RecoveryLimitError
        self.attempts += 1

    def recover(self) -> None:
        """Skip to a token that may follow the failed rule, at least one token if recovery failed here before."""
        self.count_recovery_attempt()
        start = self.pos
        if self.failed_at == self.pos and self.state in self.failed_in:
            self.consume()
        self.failed_at = self.pos
        self.failed_in.add(self.state)
        self.consume_until(self.get_recovery_set(), start + _MAX_SKIPPED_TOKENS)

    def consume_until(self, kinds: set[str], limit: int) -> None:
        """Skip to a token of these kinds. Raises RecoveryLimitError at the limit."""
        while self.peek_kind() != "end" and self.peek_kind() not in kinds:
            if self.pos >= limit:
                raise RecoveryLimitError(f"error recovery token lookahead limit exceeded: {_MAX_SKIPPED_TOKENS}")
            self.consume()

    def sync(self, state: GrammarState, *, back: bool = False) -> None:
        """Before a decision, drop a token that does not match, or fail; after a loop iteration, skip tokens."""
        self.state = state
        if self.recovering:
            return
        following = state.next_tokens()
        if RULE_END in following or self.peek_kind() in following:
            return
        if back:
            self.report_unwanted_token()
            self.consume_until(self.get_expected_tokens(state) | self.get_recovery_set(), len(self.kinds))
        elif not self.delete_single_token():
            raise self.make_mismatch()

    def recover_inline(self) -> TerminalNode:
        """Recover in the middle of a rule: return the token after the next one, or an inserted one."""
        self.count_recovery_attempt()
        if self.delete_single_token():
            return self.consume()
        token = self.insert_single_token()
        if token is None:
            raise self.make_mismatch()
        return token


def _escape_white_space(string: str) -> str:
    for char, escaped in (("\t", r"\t"), ("\n", r"\n"), ("\r", r"\r")):
        string = string.replace(char, escaped)
    return f"'{string}'"


def _format_set(kinds: set[str]) -> str:
    names = [SHOWN[kind] for kind in _ORDER if kind in kinds]
    return names[0] if len(names) == 1 else f"{{{', '.join(names)}}}"
