"""Text to documents as Kubernetes reads them: what kubectl sends of a YAML or JSON file, with the place of everything.

Two parsers stand behind this. libyaml, in C, reads nearly every text; where it fails, or could read a text other than
Go does, the text is read again by our own, whose rules and error texts are Go's. This is the only importer of a YAML
library. It may be given hostile texts: nothing recurses, and aliases are bounded.

Source: Kubernetes 1.37 (apimachinery v0.37.2, sigs.k8s.io/yaml v1.6.0, go.yaml.in/yaml/v2 v2.4.4).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import Any

import yaml

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Location
from protoc_gen_crd.kubernetes.versions import NEWEST, Switch
from protoc_gen_crd.yaml.document_stream import can_be_json, find_yaml_start, split_documents
from protoc_gen_crd.yaml.go_yaml.alias_expansion import MERGE, expand
from protoc_gen_crd.yaml.go_yaml.constructor import DecodedDocument, Place, build_value, convert_to_json, get_mark
from protoc_gen_crd.yaml.go_yaml.events import (
    ALIAS,
    END,
    LINE,
    MAPPING,
    SCALAR,
    SEQUENCE,
    Event,
    Events,
    ReadError,
    decode_mark,
    encode_mark,
)
from protoc_gen_crd.yaml.go_yaml.resolver import resolve_plain
from protoc_gen_crd.yaml.json_stream import JsonError, JsonStream, parse_literal

_BOM = b"\xef\xbb\xbf"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
_MAX_FAST_DEPTH = 100
_MERGE = MERGE.encode()
_MAY_NEED_EXPANSION = (b"*", b"!")  # signs of an alias, and of a tag that turns a quoted text into a merge key

_MIXED = Switch("mixed-streams", 33, "k8s.io/apimachinery pkg/util/yaml decoder.go: YAML may follow or look like JSON")
_LOWER_CASE = Switch("lower-case-key-errors", 31, "sigs.k8s.io/yaml v1.4: errors of keys start in lower case")
_KEY_ERRORS = "unsupported map key", "Unsupported map key"

_CONVERTING = "error converting YAML to JSON: "
_DECODING = "error unmarshaling JSON: while decoding JSON: "


class Document(Record):
    """One document of a stream: plain JSON data, or why there is none.

    `line` is the first line of its text, from 1, and `column` the characters before it on that line. `error` is what
    kubectl prints. `duplicates` holds what the strict reader refuses; the lines that they name, as those in `error`,
    count from the start of the document; `overrides` are the indices of those that give a merged key another value. A
    whole number of 64 bits is an int, any other a float; so is 1.0 in JSON, whereas YAML's 1.0 is 1.
    """

    value: Any
    file: str
    line: int
    column: int = 0
    error: str | None = None
    error_at: Location | None = None
    duplicates: tuple[str, ...] = ()
    places: Place = 0
    overrides: tuple[int, ...] = ()

    def get_place(self, path: Sequence[str | int], *, key: bool = False) -> Location:
        """Where the value at a path stands, or its key; for a path that is not there, the nearest thing above it."""
        here = self.places
        key_at = None
        moved = 0
        for step in path:
            inside = None if isinstance(here, int) else here[1]
            if isinstance(inside, dict) and step in inside:
                key_at, here = inside[step]
                key_at += moved
            elif isinstance(inside, list) and isinstance(step, int) and -len(inside) <= step < len(inside):
                here, key_at = inside[step], None
            else:
                return self.locate(get_mark(here) + moved)
            if isinstance(here, tuple) and len(here) == 3:
                moved += here[2] * LINE
        return self.locate(key_at if key and key_at is not None else get_mark(here) + moved)

    def find_duplicates(self) -> Iterator[tuple[Location, str]]:
        """The lines of keys that stand twice in a mapping, and what is said of each."""
        for each in self.duplicates:
            line, _, what = each.removeprefix("line ").partition(": ")
            yield Location(self.file, self.line + int(line) - 1, 1), what

    def locate(self, mark: int) -> Location:
        """A place of the document in its file."""
        line, column = decode_mark(mark)
        return Location(self.file, self.line + line, column + 1 + (0 if line else self.column))


def read(
    text: str | bytes, file: str = "<stdin>", *, past_errors: bool = False, repeated: str = "", minor: int = NEWEST
) -> list[Document]:
    """The documents of a stream, as `kubectl create -f` of Kubernetes 1.`minor` reads them.

    An error ends the stream, as it does for kubectl, unless the YAML documents behind it are wanted too. A JSON number
    that no float holds spoils its document alone. `find_duplicates` is a key below which there may be the same
    several times in a document: it is read once then, and the values are one object.
    """
    return list(_read_stream(_encode(text), file, _ReadOptions(past_errors, repeated, minor)))


def read_document(text: str | bytes, file: str = "<stdin>", *, minor: int = NEWEST) -> Document:
    """The whole text as one YAML document, as a server reads a body of type application/yaml."""
    return _read_yaml_document(_encode(text), _ReadOptions(minor=minor), Document(None, file, 1))


def _encode(text: str | bytes) -> bytes:
    return text.encode(errors="surrogatepass") if isinstance(text, str) else text


class _ReadOptions(Record):
    """How a stream is read."""

    past_errors: bool = False
    repeated: str = ""
    minor: int = NEWEST


def _read_stream(data: bytes, file: str, way: _ReadOptions) -> Iterator[Document]:
    """JSON if a brace comes first, and YAML from the first thing on that is none, unless two values were JSON.

    For old versions, what begins with a brace is JSON to its end.
    """
    if not can_be_json(data):
        yield from _read_yaml_stream(data, file, way)
        return
    values = JsonStream(data)
    count = 0
    try:
        while (events := values.read_value()) is not None:
            yield _make_json_document(events, values.too_large, file, values.line + 1)
            count += 1
    except JsonError as error:
        placed = error.offset and (count <= 1 or not _MIXED.is_on(way.minor))
        text = f"json: offset {error.offset}: {error.text}" if placed else error.text
        refused = _make_error_document(text, error.mark, Document(None, file, values.line + 1))
    else:
        return
    mixed = count <= 1 and _MIXED.is_on(way.minor)
    start = find_yaml_start(data, values.offset) if mixed else None
    yield from [refused] if start is None else _read_rest(data, start, refused, way)


def _read_rest(data: bytes, start: int, refused: Document, way: _ReadOptions) -> Iterator[Document]:
    """What follows JSON, as YAML; if its first document is none, the JSON is at fault."""
    line = data.count(b"\n", 0, start)
    column = len(data[data.rfind(b"\n", 0, start) + 1 : start].decode(errors="replace"))
    rest = _read_yaml_stream(data[start:], refused.file, way, line + 1, column)
    for index, document in enumerate(rest):
        yield refused if document.error and not index else document


def _read_yaml_stream(data: bytes, file: str, way: _ReadOptions, first: int = 1, column: int = 0) -> Iterator[Document]:
    try:
        for line, chunk in split_documents(data):
            document = _read_yaml_document(chunk, way, Document(None, file, first + line, 0 if line else column))
            yield document
            if document.error and not way.past_errors:
                return
    except ReadError as error:
        yield _make_error_document(error.text, error.mark, Document(None, file, first))


def _make_json_document(events: Sequence[Event], too_large: ReadError | None, file: str, line: int) -> Document:
    if too_large:
        return _make_error_document(too_large.text, too_large.mark, Document(None, file, line))
    built = build_value(iter(events), parse_literal)
    return _make_document(built, built.value, file, line)


def _read_yaml_document(data: bytes, way: _ReadOptions, blank: Document) -> Document:
    try:
        built = (_decode_without_copies(data, way.repeated) if way.repeated else None) or _decode_document(data)
        value = convert_to_json(built)
    except ReadError as error:
        text = error.text if _LOWER_CASE.is_on(way.minor) else error.text.replace(*_KEY_ERRORS)
        return _make_error_document(_CONVERTING + text, error.mark, blank)
    if built.deepest:
        bracket, mark = built.deepest
        text = f"{_DECODING}invalid character '{bracket}' exceeded max depth"
        return _make_error_document(text, mark, blank)
    return _make_document(built, value, blank.file, blank.line, blank.column)


def _make_document(built: DecodedDocument, value: Any, file: str, line: int, column: int = 0) -> Document:
    seen = tuple(built.duplicates), built.place, tuple(built.overrides)
    return Document(value, file, line, column, None, None, *seen)


def _make_error_document(text: str, mark: int | None, blank: Document) -> Document:
    return blank.replace(error=text, error_at=blank.locate(mark or 0))


class _DoubtError(Exception):
    """libyaml may have read something else here than Go does."""


class _AliasError(Exception):
    """The document has an alias."""


def _decode_document(data: bytes) -> DecodedDocument:
    """The value of a document, by the fastest way that is sure to be Go's. Raises ReadError."""
    return _decode_by_libyaml(data) or _decode_by_go_rules(data)


def _decode_without_copies(data: bytes, repeated: str) -> DecodedDocument | None:
    """The value by libyaml with copies read once; None where there are none, or where it may not be Go's."""
    from protoc_gen_crd.yaml.go_yaml.shared_blocks import RepeatedBlocks  # noqa: PLC0415 - CRDs alone hold such

    repeats = RepeatedBlocks(data, repeated)
    if not repeats or _MERGE in data:
        return None
    try:
        built = build_value(_LibYamlReader(repeats.text).read_events(), resolve_plain)
    except (_AliasError, _DoubtError, ReadError, yaml.YAMLError, UnicodeDecodeError):
        return None
    return built if repeats.restore(built) else None


def _decode_by_libyaml(data: bytes) -> DecodedDocument | None:
    """The value by libyaml; None where it may not be Go's, and for what cannot be read."""
    try:
        if _MERGE not in data:
            with suppress(_AliasError):
                return build_value(_LibYamlReader(data).read_events(), resolve_plain)
        return build_value(expand(list(_LibYamlReader(data, aliases=True).read_events())), resolve_plain)
    except (_DoubtError, ReadError, yaml.YAMLError, UnicodeDecodeError):  # the last one for the octets of a tag
        return None


def _decode_by_go_rules(data: bytes) -> DecodedDocument:
    """The value by our own parser. Raises ReadError."""
    from protoc_gen_crd.yaml.go_yaml.event_parser import parse_events  # noqa: PLC0415 - few texts are worth its many patterns

    events = parse_events(data)
    if any(sign in data for sign in _MAY_NEED_EXPANSION) or _MERGE in data.replace(b"\0", b""):
        return build_value(expand(list(events)), resolve_plain)
    try:
        return build_value(events, resolve_plain)
    except ReadError:
        deque(events, maxlen=0)  # wherever it is, a mistake in the syntax comes first
        raise


class _LibYamlReader:
    """libyaml's events in our form, as long as Go would read the same.

    It would not if there are tags or directives, a "?" in a plain scalar of a flow collection, an escaped slash, a byte
    order mark inside, or anything behind the document. Deep nesting is left to our parser too, since libyaml looks at
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
        """The events of the first document. Raises _DoubtError, _AliasError and libyaml's own errors."""
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
