"""Tokens to events, by the grammar of the parser that Kubernetes reads YAML with, mistakes in it included.

Only the first document of a text is read: what follows it is not looked at, as in Go.

Source: go.yaml.in/yaml/v2 v2.4.4, parserc.go.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from protoc_gen_crd.base.goyaml import tokens
from protoc_gen_crd.base.goyaml.events import ALIAS, END, MAPPING, SCALAR, SEQUENCE, Event, Events, ReadError, place_of
from protoc_gen_crd.base.goyaml.scan import Scanner
from protoc_gen_crd.base.goyaml.text import Characters

State = Callable[[], Event]

_TAG_PREFIXES = {"!": "!", "!!": "tag:yaml.org,2002:"}
_DIRECTIVES = (tokens.VERSION, tokens.TAG_PREFIX)
_NO_CONTENT = (*_DIRECTIVES, tokens.DOCUMENT_START, tokens.DOCUMENT_END, tokens.STREAM_END)
_MAPPING_PARTS = (tokens.KEY, tokens.VALUE, tokens.BLOCK_END)


def parse(data: bytes) -> Events:
    """The events of the first document in a text; none for an empty one. Raises ReadError."""
    return _Parser(Scanner(Characters(data or b"\n"))).events()


class _Parser:
    """A state machine, since documents may nest deeper than Python recurses."""

    def __init__(self, scanner: Scanner) -> None:
        self._peek = scanner.peek
        self._take = scanner.take
        self._prefixes: dict[str, str] = {}
        self._anchors: set[str] = set()
        self._states: list[State | None] = [None]
        self._state: State | None = None

    def events(self) -> Events:
        kind = self._peek()[0]
        if kind == tokens.STREAM_END:
            return
        self._directives()
        if kind in _NO_CONTENT[:3]:
            if self._peek()[0] != tokens.DOCUMENT_START:
                self._fail("did not find expected <document start>")
            self._take()
            yield self._document_content()
        else:
            yield self._node(in_block=True)
        while self._state is not None:
            yield self._state()
        self._peek()  # a mistake in the next token is found before the document is closed

    def _fail(self, problem: str, mark: int | None = None) -> NoReturn:
        """Refuse the next token. The line that Go names is the one before it."""
        mark = self._peek()[1] if mark is None else mark
        line = place_of(mark)[0]
        raise ReadError(f"yaml: line {line}: {problem}" if line else f"yaml: {problem}", mark)

    def _directives(self) -> None:
        versioned = False
        while self._peek()[0] in _DIRECTIVES:
            kind, _, _, first, second = self._peek()
            if kind == tokens.TAG_PREFIX:
                if first in self._prefixes:
                    self._fail("found duplicate %TAG directive")
                self._prefixes[first] = second
            elif versioned:
                self._fail("found duplicate %YAML directive")
            elif (int(first), int(second)) != (1, 1):
                self._fail("found incompatible YAML document")
            versioned = versioned or kind == tokens.VERSION
            self._take()
        self._prefixes = _TAG_PREFIXES | self._prefixes

    def _document_content(self) -> Event:
        if self._peek()[0] in _NO_CONTENT:
            return self._empty(self._peek()[1], self._states.pop())
        return self._node(in_block=True)

    # Nodes.

    def _empty(self, mark: int, state: State | None) -> Event:
        """The value that is not written."""
        self._state = state
        return SCALAR, "", None, True, None, mark

    def _child(self, then: State, *, in_block: bool, indentless: bool = False) -> Event:
        self._states.append(then)
        return self._node(in_block=in_block, indentless=indentless)

    def _node(self, *, in_block: bool, indentless: bool = False) -> Event:
        kind, mark, _, value, _ = self._peek()
        if kind == tokens.ALIAS:
            return self._alias(value, mark)
        anchor = tag = None
        at = mark
        if kind in (tokens.ANCHOR, tokens.TAG):
            anchor, tag = self._properties()
            kind, at, _, value, _ = self._peek()
        if kind in (tokens.PLAIN, tokens.QUOTED):
            self._state = self._states.pop()
            self._take()
            return SCALAR, value, tag, tag == "!" or (tag is None and kind == tokens.PLAIN), anchor, mark
        collection, first, is_taken = self._collection(kind, in_block=in_block, indentless=indentless)
        if first:
            self._state = first
            if is_taken:
                self._take()
            return collection, "", None, False, anchor, mark
        if anchor is None and tag is None:
            self._fail("did not find expected node content", at)
        self._state = self._states.pop()
        return SCALAR, "", tag, tag is None, anchor, mark

    def _collection(self, kind: str, *, in_block: bool, indentless: bool) -> tuple[int, State | None, bool]:
        """What kind of collection the token starts, its first state, and whether the token is used up by this."""
        if indentless and kind == tokens.BLOCK_ENTRY:
            return SEQUENCE, self._indentless_entry, False
        if kind == tokens.FLOW_SEQUENCE:
            return SEQUENCE, self._flow_sequence_first, True
        if kind == tokens.FLOW_MAPPING:
            return MAPPING, self._flow_mapping_first, True
        if in_block and kind == tokens.BLOCK_SEQUENCE:
            return SEQUENCE, self._block_entry, True
        if in_block and kind == tokens.BLOCK_MAPPING:
            return MAPPING, self._block_key, True
        return SCALAR, None, False

    def _alias(self, name: str, mark: int) -> Event:
        self._state = self._states.pop()
        self._take()
        if name not in self._anchors:
            raise ReadError(f"yaml: unknown anchor '{name}' referenced", mark)
        return ALIAS, "", None, False, name, mark

    def _properties(self) -> tuple[str | None, str | None]:
        """The anchor and the tag of a node, in either order."""
        anchor = tag = None
        for _ in range(2):
            kind, mark, _, value, suffix = self._peek()
            if kind == tokens.ANCHOR and anchor is None:
                anchor = value
            elif kind == tokens.TAG and tag is None:
                tag, tag_mark = (value, suffix), mark
            else:
                break
            self._take()
        self._peek()
        if anchor is not None:
            self._anchors.add(anchor)
        return anchor, None if tag is None else self._full_tag(*tag, tag_mark)

    def _full_tag(self, handle: str, suffix: str, mark: int) -> str:
        if not handle:
            return suffix
        if handle not in self._prefixes:
            self._fail("found undefined tag handle", mark)
        return self._prefixes[handle] + suffix

    def _end(self) -> Event:
        """The end of a collection, of which the next token is the sign."""
        self._state = self._states.pop()
        return END, "", None, False, None, self._peek()[1]

    def _taken_end(self) -> Event:
        event = self._end()
        self._take()
        return event

    # Block collections.

    def _block_entry(self) -> Event:
        kind, _, end, _, _ = self._peek()
        if kind == tokens.BLOCK_ENTRY:
            self._take()
            if self._peek()[0] in (tokens.BLOCK_ENTRY, tokens.BLOCK_END):
                return self._empty(end, self._block_entry)
            return self._child(self._block_entry, in_block=True)
        if kind != tokens.BLOCK_END:
            self._fail("did not find expected '-' indicator")
        return self._taken_end()

    def _indentless_entry(self) -> Event:
        """An entry of a sequence that is no further right than the key before it."""
        kind, _, end, _, _ = self._peek()
        if kind != tokens.BLOCK_ENTRY:
            return self._end()
        self._take()
        if self._peek()[0] in (tokens.BLOCK_ENTRY, *_MAPPING_PARTS):
            return self._empty(end, self._indentless_entry)
        return self._child(self._indentless_entry, in_block=True)

    def _block_key(self) -> Event:
        kind, _, end, _, _ = self._peek()
        if kind == tokens.KEY:
            self._take()
            if self._peek()[0] in _MAPPING_PARTS:
                return self._empty(end, self._block_value)
            return self._child(self._block_value, in_block=True, indentless=True)
        if kind != tokens.BLOCK_END:
            self._fail("did not find expected key")
        return self._taken_end()

    def _block_value(self) -> Event:
        kind, mark, end, _, _ = self._peek()
        if kind != tokens.VALUE:
            return self._empty(mark, self._block_key)
        self._take()
        if self._peek()[0] in _MAPPING_PARTS:
            return self._empty(end, self._block_key)
        return self._child(self._block_key, in_block=True, indentless=True)

    # Flow collections.

    def _flow_sequence_first(self) -> Event:
        kind, mark, _, _, _ = self._peek()
        if kind == tokens.FLOW_SEQUENCE_END:
            return self._taken_end()
        if kind != tokens.KEY:
            return self._child(self._flow_sequence_entry, in_block=False)
        self._take()
        self._state = self._flow_pair_key
        return MAPPING, "", None, False, None, mark

    def _flow_sequence_entry(self) -> Event:
        kind = self._peek()[0]
        if kind == tokens.FLOW_ENTRY:
            self._take()
        elif kind != tokens.FLOW_SEQUENCE_END:
            self._fail("did not find expected ',' or ']'")
        return self._flow_sequence_first()

    def _flow_pair_key(self) -> Event:
        """The key of a mapping that is a sequence's entry, `[a: b]`."""
        kind, _, end, _, _ = self._peek()
        if kind not in (tokens.VALUE, tokens.FLOW_ENTRY, tokens.FLOW_SEQUENCE_END):
            return self._child(self._flow_pair_value, in_block=False)
        self._take()  # Go goes past what it should only have looked at: `[? : x]` is refused
        return self._empty(end, self._flow_pair_value)

    def _flow_pair_value(self) -> Event:
        kind, mark, _, _, _ = self._peek()
        if kind == tokens.VALUE:
            self._take()
            kind, mark, _, _, _ = self._peek()
            if kind not in (tokens.FLOW_ENTRY, tokens.FLOW_SEQUENCE_END):
                return self._child(self._flow_pair_end, in_block=False)
        return self._empty(mark, self._flow_pair_end)

    def _flow_pair_end(self) -> Event:
        self._state = self._flow_sequence_entry
        return END, "", None, False, None, self._peek()[1]

    def _flow_mapping_first(self) -> Event:
        kind = self._peek()[0]
        if kind == tokens.FLOW_MAPPING_END:
            return self._taken_end()
        if kind != tokens.KEY:
            return self._child(self._flow_no_value, in_block=False)
        self._take()
        kind, mark, _, _, _ = self._peek()
        if kind in (tokens.VALUE, tokens.FLOW_ENTRY, tokens.FLOW_MAPPING_END):
            return self._empty(mark, self._flow_value)
        return self._child(self._flow_value, in_block=False)

    def _flow_mapping_key(self) -> Event:
        kind = self._peek()[0]
        if kind == tokens.FLOW_ENTRY:
            self._take()
        elif kind != tokens.FLOW_MAPPING_END:
            self._fail("did not find expected ',' or '}'")
        return self._flow_mapping_first()

    def _flow_no_value(self) -> Event:
        return self._empty(self._peek()[1], self._flow_mapping_key)

    def _flow_value(self) -> Event:
        kind, mark, _, _, _ = self._peek()
        if kind == tokens.VALUE:
            self._take()
            kind, mark, _, _, _ = self._peek()
            if kind not in (tokens.FLOW_ENTRY, tokens.FLOW_MAPPING_END):
                return self._child(self._flow_mapping_key, in_block=False)
        return self._empty(mark, self._flow_mapping_key)
