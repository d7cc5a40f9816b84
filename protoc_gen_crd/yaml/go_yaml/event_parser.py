"""A parser from tokens to events with the grammar of go-yaml, including its defects.

Only the first document is read; everything after it is ignored, as in Go.

Source: go.yaml.in/yaml/v2 v2.4.4, parserc.go.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NoReturn

from protoc_gen_crd.yaml.go_yaml import token_kinds
from protoc_gen_crd.yaml.go_yaml.events import (
    ALIAS,
    END,
    MAPPING,
    SCALAR,
    SEQUENCE,
    Event,
    Events,
    ReadError,
    decode_mark,
)
from protoc_gen_crd.yaml.go_yaml.scanner import Scanner
from protoc_gen_crd.yaml.go_yaml.utf_decoder import Characters

State = Callable[[], Event]

_TAG_PREFIXES = {"!": "!", "!!": "tag:yaml.org,2002:"}
_DIRECTIVES = (token_kinds.VERSION, token_kinds.TAG_PREFIX)
_NO_CONTENT = (*_DIRECTIVES, token_kinds.DOCUMENT_START, token_kinds.DOCUMENT_END, token_kinds.STREAM_END)
_MAPPING_PARTS = (token_kinds.KEY, token_kinds.VALUE, token_kinds.BLOCK_END)


def parse_events(data: bytes) -> Events:
    """Yield the events of the first document; none for empty input. Raises ReadError."""
    return _EventParser(Scanner(Characters(data or b"\n"))).parse()


class _EventParser:
    """A state machine, since documents may nest deeper than Python's stack allows."""

    def __init__(self, scanner: Scanner) -> None:
        self._peek = scanner.peek
        self._take = scanner.read
        self._prefixes: dict[str, str] = {}
        self._anchors: set[str] = set()
        self._states: list[State | None] = [None]
        self._state: State | None = None

    def parse(self) -> Events:
        kind = self._peek()[0]
        if kind == token_kinds.STREAM_END:
            return
        self._parse_directives()
        if kind in _NO_CONTENT[:3]:
            if self._peek()[0] != token_kinds.DOCUMENT_START:
                self._fail("did not find expected <document start>")
            self._take()
            yield self._parse_document_content()
        else:
            yield self._parse_node(in_block=True)
        while self._state is not None:
            yield self._state()
        self._peek()  # an error in the next token is reported before the end of the document

    def _fail(self, problem: str, mark: int | None = None) -> NoReturn:
        """Raise ReadError for the next token. Go reports the line before it."""
        mark = self._peek()[1] if mark is None else mark
        line = decode_mark(mark)[0]
        raise ReadError(f"yaml: line {line}: {problem}" if line else f"yaml: {problem}", mark)

    def _parse_directives(self) -> None:
        versioned = False
        while self._peek()[0] in _DIRECTIVES:
            kind, _, _, first, second = self._peek()
            if kind == token_kinds.TAG_PREFIX:
                if first in self._prefixes:
                    self._fail("found duplicate %TAG directive")
                self._prefixes[first] = second
            elif versioned:
                self._fail("found duplicate %YAML directive")
            elif (int(first), int(second)) != (1, 1):
                self._fail("found incompatible YAML document")
            versioned = versioned or kind == token_kinds.VERSION
            self._take()
        self._prefixes = _TAG_PREFIXES | self._prefixes

    def _parse_document_content(self) -> Event:
        if self._peek()[0] in _NO_CONTENT:
            return self._make_empty_scalar(self._peek()[1], self._states.pop())
        return self._parse_node(in_block=True)

    # Nodes.

    def _make_empty_scalar(self, mark: int, state: State | None) -> Event:
        """Return the event of an omitted value."""
        self._state = state
        return SCALAR, "", None, True, None, mark

    def _parse_child(self, then: State, *, in_block: bool, indentless: bool = False) -> Event:
        self._states.append(then)
        return self._parse_node(in_block=in_block, indentless=indentless)

    def _parse_node(self, *, in_block: bool, indentless: bool = False) -> Event:
        kind, mark, _, value, _ = self._peek()
        if kind == token_kinds.ALIAS:
            return self._make_alias(value, mark)
        anchor = tag = None
        at = mark
        if kind in (token_kinds.ANCHOR, token_kinds.TAG):
            anchor, tag = self._parse_properties()
            kind, at, _, value, _ = self._peek()
        if kind in (token_kinds.PLAIN, token_kinds.QUOTED):
            self._state = self._states.pop()
            self._take()
            return SCALAR, value, tag, tag == "!" or (tag is None and kind == token_kinds.PLAIN), anchor, mark
        collection, first, is_taken = self._choose_collection(kind, in_block=in_block, indentless=indentless)
        if first:
            self._state = first
            if is_taken:
                self._take()
            return collection, "", None, False, anchor, mark
        if anchor is None and tag is None:
            self._fail("did not find expected node content", at)
        self._state = self._states.pop()
        return SCALAR, "", tag, tag is None, anchor, mark

    def _choose_collection(self, kind: str, *, in_block: bool, indentless: bool) -> tuple[int, State | None, bool]:
        """Return the kind of the collection that a token starts, its first state, and whether to consume the token."""
        if indentless and kind == token_kinds.BLOCK_ENTRY:
            return SEQUENCE, self._parse_indentless_entry, False
        if kind == token_kinds.FLOW_SEQUENCE:
            return SEQUENCE, self._parse_flow_sequence_first_entry, True
        if kind == token_kinds.FLOW_MAPPING:
            return MAPPING, self._parse_flow_mapping_first_key, True
        if in_block and kind == token_kinds.BLOCK_SEQUENCE:
            return SEQUENCE, self._parse_block_entry, True
        if in_block and kind == token_kinds.BLOCK_MAPPING:
            return MAPPING, self._parse_block_mapping_key, True
        return SCALAR, None, False

    def _make_alias(self, name: str, mark: int) -> Event:
        self._state = self._states.pop()
        self._take()
        if name not in self._anchors:
            raise ReadError(f"yaml: unknown anchor '{name}' referenced", mark)
        return ALIAS, "", None, False, name, mark

    def _parse_properties(self) -> tuple[str | None, str | None]:
        """Parse the anchor and the tag of a node, in either order."""
        anchor = tag = None
        for _ in range(2):
            kind, mark, _, value, suffix = self._peek()
            if kind == token_kinds.ANCHOR and anchor is None:
                anchor = value
            elif kind == token_kinds.TAG and tag is None:
                tag, tag_mark = (value, suffix), mark
            else:
                break
            self._take()
        self._peek()
        if anchor is not None:
            self._anchors.add(anchor)
        return anchor, None if tag is None else self._resolve_tag(*tag, tag_mark)

    def _resolve_tag(self, handle: str, suffix: str, mark: int) -> str:
        if not handle:
            return suffix
        if handle not in self._prefixes:
            self._fail("found undefined tag handle", mark)
        return self._prefixes[handle] + suffix

    def _parse_collection_end(self) -> Event:
        """Return the end of a collection; the next token is not consumed."""
        self._state = self._states.pop()
        return END, "", None, False, None, self._peek()[1]

    def _parse_consumed_end(self) -> Event:
        event = self._parse_collection_end()
        self._take()
        return event

    # Block collections.

    def _parse_block_entry(self) -> Event:
        kind, _, end, _, _ = self._peek()
        if kind == token_kinds.BLOCK_ENTRY:
            self._take()
            if self._peek()[0] in (token_kinds.BLOCK_ENTRY, token_kinds.BLOCK_END):
                return self._make_empty_scalar(end, self._parse_block_entry)
            return self._parse_child(self._parse_block_entry, in_block=True)
        if kind != token_kinds.BLOCK_END:
            self._fail("did not find expected '-' indicator")
        return self._parse_consumed_end()

    def _parse_indentless_entry(self) -> Event:
        """Parse an entry of a sequence that is not indented relative to its key."""
        kind, _, end, _, _ = self._peek()
        if kind != token_kinds.BLOCK_ENTRY:
            return self._parse_collection_end()
        self._take()
        if self._peek()[0] in (token_kinds.BLOCK_ENTRY, *_MAPPING_PARTS):
            return self._make_empty_scalar(end, self._parse_indentless_entry)
        return self._parse_child(self._parse_indentless_entry, in_block=True)

    def _parse_block_mapping_key(self) -> Event:
        kind, _, end, _, _ = self._peek()
        if kind == token_kinds.KEY:
            self._take()
            if self._peek()[0] in _MAPPING_PARTS:
                return self._make_empty_scalar(end, self._parse_block_mapping_value)
            return self._parse_child(self._parse_block_mapping_value, in_block=True, indentless=True)
        if kind != token_kinds.BLOCK_END:
            self._fail("did not find expected key")
        return self._parse_consumed_end()

    def _parse_block_mapping_value(self) -> Event:
        kind, mark, end, _, _ = self._peek()
        if kind != token_kinds.VALUE:
            return self._make_empty_scalar(mark, self._parse_block_mapping_key)
        self._take()
        if self._peek()[0] in _MAPPING_PARTS:
            return self._make_empty_scalar(end, self._parse_block_mapping_key)
        return self._parse_child(self._parse_block_mapping_key, in_block=True, indentless=True)

    # Flow collections.

    def _parse_flow_sequence_first_entry(self) -> Event:
        kind, mark, _, _, _ = self._peek()
        if kind == token_kinds.FLOW_SEQUENCE_END:
            return self._parse_consumed_end()
        if kind != token_kinds.KEY:
            return self._parse_child(self._parse_flow_sequence_entry, in_block=False)
        self._take()
        self._state = self._parse_flow_pair_key
        return MAPPING, "", None, False, None, mark

    def _parse_flow_sequence_entry(self) -> Event:
        kind = self._peek()[0]
        if kind == token_kinds.FLOW_ENTRY:
            self._take()
        elif kind != token_kinds.FLOW_SEQUENCE_END:
            self._fail("did not find expected ',' or ']'")
        return self._parse_flow_sequence_first_entry()

    def _parse_flow_pair_key(self) -> Event:
        """Parse the key of a mapping that is an entry of a sequence, `[a: b]`."""
        kind, _, end, _, _ = self._peek()
        if kind not in (token_kinds.VALUE, token_kinds.FLOW_ENTRY, token_kinds.FLOW_SEQUENCE_END):
            return self._parse_child(self._parse_flow_pair_value, in_block=False)
        self._take()  # Go consumes the token, so that it rejects `[? : x]`
        return self._make_empty_scalar(end, self._parse_flow_pair_value)

    def _parse_flow_pair_value(self) -> Event:
        kind, mark, _, _, _ = self._peek()
        if kind == token_kinds.VALUE:
            self._take()
            kind, mark, _, _, _ = self._peek()
            if kind not in (token_kinds.FLOW_ENTRY, token_kinds.FLOW_SEQUENCE_END):
                return self._parse_child(self._parse_flow_pair_end, in_block=False)
        return self._make_empty_scalar(mark, self._parse_flow_pair_end)

    def _parse_flow_pair_end(self) -> Event:
        self._state = self._parse_flow_sequence_entry
        return END, "", None, False, None, self._peek()[1]

    def _parse_flow_mapping_first_key(self) -> Event:
        kind = self._peek()[0]
        if kind == token_kinds.FLOW_MAPPING_END:
            return self._parse_consumed_end()
        if kind != token_kinds.KEY:
            return self._parse_child(self._parse_flow_mapping_empty_value, in_block=False)
        self._take()
        kind, mark, _, _, _ = self._peek()
        if kind in (token_kinds.VALUE, token_kinds.FLOW_ENTRY, token_kinds.FLOW_MAPPING_END):
            return self._make_empty_scalar(mark, self._parse_flow_mapping_value)
        return self._parse_child(self._parse_flow_mapping_value, in_block=False)

    def _parse_flow_mapping_key(self) -> Event:
        kind = self._peek()[0]
        if kind == token_kinds.FLOW_ENTRY:
            self._take()
        elif kind != token_kinds.FLOW_MAPPING_END:
            self._fail("did not find expected ',' or '}'")
        return self._parse_flow_mapping_first_key()

    def _parse_flow_mapping_empty_value(self) -> Event:
        return self._make_empty_scalar(self._peek()[1], self._parse_flow_mapping_key)

    def _parse_flow_mapping_value(self) -> Event:
        kind, mark, _, _, _ = self._peek()
        if kind == token_kinds.VALUE:
            self._take()
            kind, mark, _, _, _ = self._peek()
            if kind not in (token_kinds.FLOW_ENTRY, token_kinds.FLOW_MAPPING_END):
                return self._parse_child(self._parse_flow_mapping_key, in_block=False)
        return self._make_empty_scalar(mark, self._parse_flow_mapping_key)
