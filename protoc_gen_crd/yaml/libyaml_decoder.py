"""Decoding of YAML documents by libyaml, where its result is certainly Go's.

This is the only module that imports a YAML library.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import yaml

from protoc_gen_crd.yaml.go_yaml.aliases_and_merge_keys import expand
from protoc_gen_crd.yaml.go_yaml.decoder import DecodedDocument, build_value
from protoc_gen_crd.yaml.go_yaml.events import (
    ALIAS,
    END,
    LINE,
    MAPPING,
    MERGE,
    SCALAR,
    SEQUENCE,
    Event,
    Events,
    ReadError,
    encode_mark,
)
from protoc_gen_crd.yaml.go_yaml.scalar_resolver import resolve_plain

_BOM = b"\xef\xbb\xbf"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_MAX_FAST_DEPTH = 100
_MERGE = MERGE.encode()


class _DoubtError(Exception):
    """libyaml and Go may have different results here."""


class _AliasError(Exception):
    """The document has an alias."""


def decode_plain(data: bytes) -> DecodedDocument | None:
    """Return the value by libyaml; None if it is invalid, has aliases or tags, or if Go's value may differ."""
    if _MERGE in data:
        return None
    try:
        return build_value(_LibYamlReader(data).read_events(), resolve_plain)
    except (_AliasError, _DoubtError, ReadError, yaml.YAMLError, UnicodeDecodeError):
        return None


def decode_by_libyaml(data: bytes) -> DecodedDocument | None:
    """Return the value by libyaml; None if it is invalid, or if Go's value may differ."""
    try:
        if _MERGE not in data:
            with suppress(_AliasError):
                return build_value(_LibYamlReader(data).read_events(), resolve_plain)
        return build_value(expand(list(_LibYamlReader(data, aliases=True).read_events())), resolve_plain)
    except (_DoubtError, ReadError, yaml.YAMLError, UnicodeDecodeError):  # UnicodeDecodeError: invalid escapes in a tag
        return None


class _LibYamlReader:
    """A reader of libyaml's events, converted to `Event`. Raises _DoubtError if Go's events may differ.

    They may differ if there are tags or directives, a "?" in a plain scalar of a flow collection, an escaped slash, a
    byte order mark after the start, or anything after the document. Deep nesting is rejected too, since libyaml visits
    all open flow collections for every token.
    """

    def __init__(self, data: bytes, *, aliases: bool = False) -> None:
        if not yaml.__with_libyaml__ or _BOM in data[1:] or data[:2] in _UTF16_MARKS:
            raise _DoubtError
        self._take: Callable[[], Any] = yaml.cyaml.CParser(data).get_event  # type: ignore[attr-defined]
        self._slashes = b"\\/" in data
        self._aliases = aliases
        self._anchors: set[str] = set()
        self._depth = self._flow = 0

    def read_events(self) -> Events:
        """Yield the events of the first document. Raises _DoubtError, _AliasError and the errors of libyaml."""
        take = self._take
        take()
        start = take()
        if type(start) is yaml.StreamEndEvent:
            return
        if start.version or start.tags:
            raise _DoubtError
        handlers: dict[type[yaml.Event], Callable[[Any], Event]] = {
            yaml.ScalarEvent: self._convert_scalar,
            yaml.MappingStartEvent: self._convert_mapping,
            yaml.SequenceStartEvent: self._convert_sequence,
            yaml.MappingEndEvent: self._convert_end,
            yaml.SequenceEndEvent: self._convert_end,
            yaml.AliasEvent: self._reject_alias,
        }
        while True:
            event = take()
            yield handlers[type(event)](event)
            if not self._depth:
                break
        take()
        if type(take()) is not yaml.StreamEndEvent:
            raise _DoubtError

    def _convert_scalar(self, event: Any) -> Event:
        value, plain, mark = event.value, event.implicit[0], event.start_mark
        if event.tag is not None or (self._flow and plain and "?" in value):
            raise _DoubtError
        if self._slashes and "/" in value and event.style == '"':
            raise _DoubtError
        if event.anchor:
            self._anchors.add(event.anchor)
        return SCALAR, value, None, plain, event.anchor, mark.line * LINE + mark.column

    def _convert_mapping(self, event: Any) -> Event:
        return self._convert_start(event, MAPPING)

    def _convert_sequence(self, event: Any) -> Event:
        return self._convert_start(event, SEQUENCE)

    def _convert_start(self, event: Any, kind: int) -> Event:
        self._depth += 1
        if event.tag is not None or self._depth > _MAX_FAST_DEPTH:
            raise _DoubtError
        if self._flow or event.flow_style:
            self._flow += 1
        if event.anchor:
            self._anchors.add(event.anchor)
        return kind, "", None, False, event.anchor, encode_mark(event.start_mark.line, event.start_mark.column)

    def _convert_end(self, event: Any) -> Event:
        self._depth -= 1
        self._flow -= self._flow > 0
        return END, "", None, False, None, encode_mark(event.start_mark.line, event.start_mark.column)

    def _reject_alias(self, event: Any) -> Event:
        if not self._aliases:
            raise _AliasError
        if event.anchor not in self._anchors:
            raise _DoubtError
        return ALIAS, "", None, False, event.anchor, encode_mark(event.start_mark.line, event.start_mark.column)
