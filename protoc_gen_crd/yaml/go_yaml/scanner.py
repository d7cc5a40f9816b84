"""A scanner from characters to tokens with the rules of go-yaml.

The rules are neither those of YAML 1.1 nor 1.2: where simple keys are allowed, which characters end a plain scalar in a
flow collection, how deep collections may nest.

Source: go.yaml.in/yaml/v2 v2.4.4, scannerc.go.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final

from protoc_gen_crd.yaml.go_yaml import token_kinds
from protoc_gen_crd.yaml.go_yaml.events import MAX_DEPTH, decode_mark
from protoc_gen_crd.yaml.go_yaml.scalar_scanner import read_block, read_plain, read_quoted
from protoc_gen_crd.yaml.go_yaml.scanner_cursor import BLANKZ, BREAK, Cursor
from protoc_gen_crd.yaml.go_yaml.utf_decoder import BOM, NUL, Characters

_SPACES = " *"
_SPACES_AND_TABS = "[ \t]*"
_NO_PLAIN_START = frozenset(BLANKZ + ",[]{}#&*!|>'\"%@`")
_NO_TOKEN_START = frozenset(f" \t#{BREAK}")
_KEY_REACH: Final = 1024


class _SimpleKey:
    """A token that is the key of a mapping if a ":" follows it soon enough."""

    __slots__ = ("mark", "number", "position", "possible", "required")

    def __init__(self, number: int, position: int = 0, mark: int = 0, *, possible: bool = False) -> None:
        self.number, self.position, self.mark, self.possible = number, position, mark, possible
        self.required = False


class Scanner(Cursor):
    """The tokens of one document; `peek` returns the next, `read` consumes it."""

    def __init__(self, characters: Characters) -> None:
        super().__init__(characters)
        self._flow = 0
        self._key_allowed = True
        self._indents: list[int] = []
        self._keys = [_SimpleKey(0)]
        self._key_levels: dict[int, int] = {}  # by the number of a token that may be a key: index into _keys
        self._queue: deque[token_kinds.Token] = deque()
        self._consumed = 0
        self._ready = False

    def peek(self) -> token_kinds.Token:
        """Return the next token. Raises ReadError for invalid input."""
        if not self._ready:
            while not self._queue or self._can_be_simple_key():
                self._fetch()
            self._ready = True
        return self._queue[0]

    def read(self) -> token_kinds.Token:
        """Consume and return the next token, after `peek`."""
        self._ready = False
        self._consumed += 1
        return self._queue.popleft()

    def _fetch(self) -> None:
        self._skip_to_token()
        column = self.position - self.line_start
        if self.indent > column:
            self._unroll_indent(column)
        self.load(4)
        char = self.text[self.position]
        if not column and (char == "%" or self.is_at_document_marker()):
            self._fetch_line_token(char)
        elif fetch := self._FETCHERS.get(char):
            fetch(self)
        else:
            self._fetch_by_context(char, self.text[self.position + 1])

    def _fetch_by_context(self, char: str, after: str) -> None:
        if char == "-" and after in BLANKZ:
            self._fetch_block_entry()
        elif char == "?" and (self._flow or after in BLANKZ):
            self._fetch_key()
        elif char == ":" and (self._flow or after in BLANKZ):
            self._fetch_value()
        elif char in "|>" and not self._flow:
            self._fetch_block_scalar()
        elif char not in _NO_PLAIN_START:
            self._fetch_plain_scalar()
        else:
            self.fail("found character that cannot start any token")

    def _skip_to_token(self) -> None:
        """Skip blanks, comments and line breaks. A tab is not a blank where a block collection could start."""
        while True:
            self.load(1)
            if self.characters.marked:
                self._skip_byte_order_mark()
            elif self.text[self.position] not in _NO_TOKEN_START:
                return
            self.skip(_SPACES_AND_TABS if self._flow or not self._key_allowed else _SPACES)
            self.skip_comment()
            if self.char not in BREAK:
                return
            self.load(2)
            self.read_break()
            self._key_allowed = self._key_allowed or not self._flow

    def _skip_byte_order_mark(self) -> None:
        """Skip a byte order mark at the start of a line; Go checks the start of its buffer instead."""
        if not self.column and self.text[self.characters.base] == BOM:
            self.position += 1
        self.load(1)

    def _append_token(self, kind: str, mark: int, value: str = "", detail: str = "", *, end: int | None = None) -> None:
        self._queue.append((kind, mark, self.mark if end is None else end, value, detail))

    def _insert_token(self, kind: str, mark: int, number: int) -> None:
        """Insert a token before the one of this number; at the end if that is consumed already."""
        at = number - self._consumed
        self._queue.insert(at if at >= 0 else len(self._queue), (kind, mark, mark, "", ""))

    def _add_indicator(self, kind: str, width: int = 1) -> None:
        mark = self.mark
        self.position += width
        self._append_token(kind, mark)

    # Simple keys.

    def _can_be_simple_key(self) -> bool:
        """Return whether the next token can still be a key."""
        level = self._key_levels.get(self._consumed)
        return level is not None and level < len(self._keys) and self._is_simple_key_valid(self._keys[level])

    def _is_simple_key_valid(self, key: _SimpleKey) -> bool:
        """Return whether the token is a key if a ":" follows here."""
        if not key.possible:
            return False
        if decode_mark(key.mark)[0] == self.line and key.position + _KEY_REACH >= self.position:
            return True
        self._reject_required_key(key)
        key.possible = False
        return False

    def _reject_required_key(self, key: _SimpleKey) -> None:
        if key.required:
            self.fail("could not find expected ':'")

    def _save_simple_key(self) -> None:
        """Record the token that starts here as a possible key, if keys are allowed here."""
        if self._key_allowed:
            key = _SimpleKey(self._consumed + len(self._queue), self.position, self.mark, possible=True)
            key.required = not self._flow and self.indent == self.column
            self._remove_simple_key()
            self._keys[-1] = key
            self._key_levels[key.number] = len(self._keys) - 1

    def _remove_simple_key(self) -> None:
        key = self._keys[-1]
        if key.possible:
            self._reject_required_key(key)
            key.possible = False
            self._key_levels.pop(key.number, None)

    # Indentation.

    def _roll_indent(self, column: int, kind: str, mark: int, number: int | None = None) -> None:
        """Start a block collection if the column is right of the innermost one."""
        if self._flow or self.indent >= column:
            return
        self._indents.append(self.indent)
        self.indent = column
        if len(self._indents) > MAX_DEPTH:
            self.fail(f"exceeded max depth of {MAX_DEPTH}")
        if number is None:
            self._append_token(kind, mark, end=mark)
        else:
            self._insert_token(kind, mark, number)

    def _unroll_indent(self, column: int) -> None:
        """End the block collections that are right of the column."""
        while not self._flow and self.indent > column:
            self._append_token(token_kinds.BLOCK_END, self.mark)
            self.indent = self._indents.pop()

    # One function for each kind of token.

    def _fetch_stream_end(self) -> None:
        if self.column:
            self.line += 1
            self.line_start = self.position
        self._reset_line()
        self._append_token(token_kinds.STREAM_END, self.mark)

    def _fetch_line_token(self, char: str) -> None:
        self._reset_line()
        if char == "%":
            from protoc_gen_crd.yaml.go_yaml.anchor_tag_and_directive_scanner import read_directive  # noqa: PLC0415 - few documents have any

            mark = self.mark
            kind, first, second = read_directive(self)
            self._append_token(kind, mark, first, second)
        else:
            self._add_indicator(char * 3, 3)

    def _reset_line(self) -> None:
        self._unroll_indent(-1)
        self._remove_simple_key()
        self._key_allowed = False

    def _fetch_flow_start(self) -> None:
        self._save_simple_key()
        self._keys.append(_SimpleKey(self._consumed + len(self._queue)))
        self._flow += 1
        if self._flow > MAX_DEPTH:
            self.fail(f"exceeded max depth of {MAX_DEPTH}")
        self._key_allowed = True
        self._add_indicator(self.char)

    def _fetch_flow_end(self) -> None:
        self._remove_simple_key()
        if self._flow:
            self._flow -= 1
            # Without a key on this level, the collection itself is removed as a possible key: `{}: x` is rejected.
            self._key_levels.pop(self._keys.pop().number, None)
        self._key_allowed = False
        self._add_indicator(self.char)

    def _fetch_flow_entry(self) -> None:
        self._remove_simple_key()
        self._key_allowed = True
        self._add_indicator(token_kinds.FLOW_ENTRY)

    def _fetch_block_entry(self) -> None:
        if not self._flow:
            if not self._key_allowed:
                self.fail("block sequence entries are not allowed in this context")
            self._roll_indent(self.column, token_kinds.BLOCK_SEQUENCE, self.mark)
        self._remove_simple_key()
        self._key_allowed = True
        self._add_indicator(token_kinds.BLOCK_ENTRY)

    def _fetch_key(self) -> None:
        if not self._flow:
            if not self._key_allowed:
                self.fail("mapping keys are not allowed in this context")
            self._roll_indent(self.column, token_kinds.BLOCK_MAPPING, self.mark)
        self._remove_simple_key()
        self._key_allowed = not self._flow
        self._add_indicator(token_kinds.KEY)

    def _fetch_value(self) -> None:
        key = self._keys[-1]
        if self._is_simple_key_valid(key):
            self._insert_token(token_kinds.KEY, key.mark, key.number)
            self._roll_indent(decode_mark(key.mark)[1], token_kinds.BLOCK_MAPPING, key.mark, key.number)
            key.possible = False
            self._key_levels.pop(key.number, None)
            self._key_allowed = False
        else:
            if not self._flow:
                if not self._key_allowed:
                    self.fail("mapping values are not allowed in this context")
                self._roll_indent(self.column, token_kinds.BLOCK_MAPPING, self.mark)
            self._key_allowed = not self._flow
        self._add_indicator(token_kinds.VALUE)

    def _fetch_anchor(self) -> None:
        from protoc_gen_crd.yaml.go_yaml.anchor_tag_and_directive_scanner import read_anchor  # noqa: PLC0415 - few documents have any

        self._save_simple_key()
        self._key_allowed = False
        kind, mark = self.char, self.mark
        self._append_token(kind, mark, read_anchor(self))

    def _fetch_tag(self) -> None:
        from protoc_gen_crd.yaml.go_yaml.anchor_tag_and_directive_scanner import read_tag  # noqa: PLC0415 - few documents have any

        self._save_simple_key()
        self._key_allowed = False
        mark = self.mark
        handle, suffix = read_tag(self)
        self._append_token(token_kinds.TAG, mark, handle, suffix)

    def _fetch_quoted_scalar(self) -> None:
        self._save_simple_key()
        self._key_allowed = False
        mark = self.mark
        self._append_token(token_kinds.QUOTED, mark, read_quoted(self))

    def _fetch_plain_scalar(self) -> None:
        self._save_simple_key()
        self._key_allowed = False
        mark = self.mark
        value, end, broken = read_plain(self, in_flow=self._flow > 0)
        self._append_token(token_kinds.PLAIN, mark, value, end=end)
        self._key_allowed = self._key_allowed or broken

    def _fetch_block_scalar(self) -> None:
        self._remove_simple_key()
        self._key_allowed = True
        mark = self.mark
        value, end = read_block(self)
        self._append_token(token_kinds.QUOTED, mark, value, end=end)

    _FETCHERS: Final[dict[str, Callable[[Scanner], None]]] = {
        NUL: _fetch_stream_end,
        token_kinds.FLOW_SEQUENCE: _fetch_flow_start,
        token_kinds.FLOW_MAPPING: _fetch_flow_start,
        token_kinds.FLOW_SEQUENCE_END: _fetch_flow_end,
        token_kinds.FLOW_MAPPING_END: _fetch_flow_end,
        token_kinds.FLOW_ENTRY: _fetch_flow_entry,
        token_kinds.ALIAS: _fetch_anchor,
        token_kinds.ANCHOR: _fetch_anchor,
        token_kinds.TAG: _fetch_tag,
        "'": _fetch_quoted_scalar,
        '"': _fetch_quoted_scalar,
    }
