"""A reader of YAML and JSON files with the results of kubectl, and with the locations of all values.

There are three parsers. `line_decoder` reads documents in the form that most tools write, without the import of a YAML
library. libyaml, in C, reads nearly all others. Where it fails, or might have another result than Go, the file is read
again by `go_yaml`, which has Go's rules and error messages. It alone reads the short files of plugin runs. Input may be
hostile: nothing recurses, and aliases are limited.

Source: Kubernetes 1.37 (apimachinery v0.37.2, sigs.k8s.io/yaml v1.6.0, go.yaml.in/yaml/v2 v2.4.4).
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Location
from protoc_gen_crd.kubernetes.supported_versions import NEWEST, Switch
from protoc_gen_crd.yaml.document_stream import can_be_json, find_yaml_start, split_documents
from protoc_gen_crd.yaml.go_yaml.decoder import DecodedDocument, Place, build_value, get_mark
from protoc_gen_crd.yaml.go_yaml.events import LINE, MERGE, Event, ReadError, decode_mark
from protoc_gen_crd.yaml.go_yaml.scalar_resolver import resolve_plain

if TYPE_CHECKING:
    from protoc_gen_crd.yaml.go_yaml.similar_documents import SimilarDocuments

_MERGE = MERGE.encode()
_MAY_NEED_EXPANSION = (b"*", b"!")  # of an alias, and of a tag that turns a quoted string into a merge key

_MIXED = Switch("mixed-streams", 33, "k8s.io/apimachinery pkg/util/yaml decoder.go: YAML may follow or look like JSON")
_LOWER_CASE = Switch("lower-case-key-errors", 31, "sigs.k8s.io/yaml v1.4: errors of keys start in lower case")
_KEY_ERRORS = "unsupported map key", "Unsupported map key"

_CONVERTING = "error converting YAML to JSON: "
_KUBECTL_PREFIX = f"^{_CONVERTING}yaml: (?:line [0-9]+: )?"
_ALIAS_HINT = 'quote a value that starts with "*" or "&"'
_UNKNOWN_ALIAS = "unknown anchor '"
# Error of the scanner -> a hint.
_HINTS = {
    "found character that cannot start any token": (
        "indent with spaces instead of tabs, and quote a value that starts with a special character"
    ),
    "control characters are not allowed": (
        'remove the character, or write it as an escape in double quotes, such as "\\x07"'
    ),
    "found a tab character that violates indentation": "indent with spaces instead of tabs",
    "did not find expected key": "check the indentation and the quotes",
    "did not find expected alphabetic or numeric character": _ALIAS_HINT,
    "found unknown escape character": r"use single quotes, or write \\ for a backslash in double quotes",
    "mapping values are not allowed in this context": 'check the indentation, or quote a value that contains ": "',
}
_ENCODING = r"(invalid|incomplete) [a-z ]*UTF-(8|16) "
_ENCODING_HINT = "save the file as UTF-8"
_NOT_FINITE = "json: unsupported value: "
_DECODING = "error unmarshaling JSON: while decoding JSON: "


class Duplicate(Record):
    """A duplicate key of a mapping, the equal key before it, and the message of the strict reader."""

    at: Location
    first_at: Location
    message: str


class Document(Record):
    """One document of a stream: plain JSON data, or an error.

    `line` is its first line, from 1, and `column` the number of characters before it on that line. `error` is the
    message of kubectl. `duplicates` are the errors of the strict reader. The lines in them, as those in `error`, count
    from the start of the document. `overrides` are the indexes of duplicates that give a merged key another value, and
    `duplicate_marks` the marks of the key of each duplicate and of the equal key before it.
    Integers of 64 bits are int, other numbers float. 1.0 is a float in JSON, and 1 in YAML.
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
    duplicate_marks: tuple[tuple[int, int], ...] = ()

    @property
    def problem(self) -> str:
        """The error without the line that kubectl counts, for a message with `error_at`."""
        return re.sub(_KUBECTL_PREFIX, "", self.error or "")

    @property
    def hint(self) -> str:
        """A hint for the error, empty if there is none."""
        if _NOT_FINITE in self.problem:
            from protoc_gen_crd.base.bounded_json import NOT_FINITE_HINT  # noqa: PLC0415 - only an error pays for it

            return NOT_FINITE_HINT
        if self.problem.startswith(_UNKNOWN_ALIAS):
            return _ALIAS_HINT
        return _ENCODING_HINT if re.match(_ENCODING, self.problem) else _HINTS.get(self.problem, "")

    def get_place(self, path: Sequence[str | int], *, key: bool = False) -> Location:
        """Return the location of the value at a path, or of its key; for a missing path, of its nearest parent."""
        place = self.places
        key_at = None
        line_offset = 0
        for step in path:
            children = None if isinstance(place, int) else place[1]
            if isinstance(children, dict) and step in children:
                key_at, place = children[step]
                key_at += line_offset
            elif isinstance(children, list) and isinstance(step, int) and -len(children) <= step < len(children):
                place, key_at = children[step], None
            else:
                return self.locate(get_mark(place) + line_offset)
            if isinstance(place, tuple) and len(place) == 3:
                line_offset += place[2] * LINE
        return self.locate(key_at if key and key_at is not None else get_mark(place) + line_offset)

    def find_duplicates(self) -> Iterator[Duplicate]:
        """Yield the duplicate keys of mappings."""
        for duplicate, (mark, first_mark) in zip(self.duplicates, self.duplicate_marks, strict=True):
            message = duplicate.partition(": ")[2]
            yield Duplicate(self.locate(mark), self.locate(first_mark), message)

    def locate(self, mark: int) -> Location:
        """Return the location in the file of a mark of the document."""
        line, column = decode_mark(mark)
        return Location(self.file, self.line + line, column + 1 + (0 if line else self.column))


def read(
    stream: str | bytes,
    file: str = "<stdin>",
    *,
    past_errors: bool = False,
    repeated: str = "",
    minor: int = NEWEST,
    short: bool = False,
    similar: SimilarDocuments | None = None,
) -> list[Document]:
    """Return the documents of a stream, as `kubectl create -f` reads them.

    Args:
        stream: The content.
        file: The name of the file in locations.
        past_errors: Whether to continue after an error, which ends the stream for kubectl. A JSON number that exceeds a
            float is an error of its document only.
        repeated: A key whose value may occur several times in a document: equal values are read once, and are the same
            object.
        minor: The version of Kubernetes, 1.`minor`.
        short: Whether the import of a YAML library would take more time than reading.
        similar: Receives the documents. Blocks of documents that it already has are not read again.
    """
    options = _ReadOptions(past_errors, repeated, minor, short, similar)
    return list(_read_stream(_encode(stream), file, options))


def read_document(stream: str | bytes, file: str = "<stdin>", *, minor: int = NEWEST) -> Document:
    """Read the whole input as one YAML document, as a server reads a body of type application/yaml."""
    return _read_yaml_document(_encode(stream), _ReadOptions(minor=minor), Document(None, file, 1))


def _encode(stream: str | bytes) -> bytes:
    return stream.encode(errors="surrogatepass") if isinstance(stream, str) else stream


class _ReadOptions(Record):
    """Options of reading a stream; see `read`."""

    past_errors: bool = False
    repeated: str = ""
    minor: int = NEWEST
    short: bool = False
    similar: SimilarDocuments | None = None


def _read_stream(data: bytes, file: str, options: _ReadOptions) -> Iterator[Document]:
    """Read JSON if the first character is a brace."""
    return (_read_json_stream if can_be_json(data) else _read_yaml_stream)(data, file, options)


def _read_json_stream(data: bytes, file: str, options: _ReadOptions) -> Iterator[Document]:
    """Read JSON, and YAML after the first value that is not JSON.

    After two JSON values, and in old versions, the rest is JSON.
    """
    from protoc_gen_crd.yaml.json_stream import JsonError, JsonStream  # noqa: PLC0415 - plugin runs read YAML

    values = JsonStream(data)
    value_count = 0
    try:
        while (events := values.read_value()) is not None:
            yield _make_json_document(events, values.too_large, file, values.line + 1)
            value_count += 1
    except JsonError as error:
        has_offset = error.offset and (value_count <= 1 or not _MIXED.is_on(options.minor))
        message = f"json: offset {error.offset}: {error.text}" if has_offset else error.text
        invalid = _make_error_document(message, error.mark, Document(None, file, values.line + 1))
    else:
        return
    mixed = value_count <= 1 and _MIXED.is_on(options.minor)
    start = find_yaml_start(data, values.offset) if mixed else None
    yield from [invalid] if start is None else _read_rest(data, start, invalid, options)


def _read_rest(data: bytes, start: int, invalid: Document, options: _ReadOptions) -> Iterator[Document]:
    """Read the YAML after JSON. If its first document is invalid, yield the error of the JSON instead."""
    line = data.count(b"\n", 0, start)
    column = len(data[data.rfind(b"\n", 0, start) + 1 : start].decode(errors="replace"))
    rest = _read_yaml_stream(data[start:], invalid.file, options, line + 1, column)
    for index, document in enumerate(rest):
        yield invalid if document.error and not index else document


def _read_yaml_stream(
    data: bytes, file: str, options: _ReadOptions, first: int = 1, column: int = 0
) -> Iterator[Document]:
    try:
        for line, chunk in split_documents(data):
            document = _read_yaml_document(chunk, options, Document(None, file, first + line, 0 if line else column))
            yield document
            if document.error and not options.past_errors:
                return
    except ReadError as error:
        yield _make_error_document(error.text, error.mark, Document(None, file, first))


def _make_json_document(events: Sequence[Event], too_large: ReadError | None, file: str, line: int) -> Document:
    if too_large:
        return _make_error_document(too_large.text, too_large.mark, Document(None, file, line))
    from protoc_gen_crd.yaml.json_stream import parse_literal  # noqa: PLC0415 - plugin runs read YAML

    decoded = build_value(iter(events), parse_literal)
    return _make_document(decoded, decoded.value, file, line)


def _read_yaml_document(data: bytes, options: _ReadOptions, blank: Document) -> Document:
    try:
        decoded = _decode_document(data, options)
        value = _convert_to_json(decoded) if decoded.changes else decoded.value
    except ReadError as error:
        message = error.text if _LOWER_CASE.is_on(options.minor) else error.text.replace(*_KEY_ERRORS)
        return _make_error_document(_CONVERTING + message, error.mark, blank)
    if decoded.deepest:
        bracket, mark = decoded.deepest
        message = f"{_DECODING}invalid character '{bracket}' exceeded max depth"
        return _make_error_document(message, mark, blank)
    return _make_document(decoded, value, blank.file, blank.line, blank.column)


def _convert_to_json(decoded: DecodedDocument) -> Any:
    from protoc_gen_crd.yaml.go_yaml.json_values import convert_to_json  # noqa: PLC0415 - JSON changes few documents

    return convert_to_json(decoded)


def _make_document(decoded: DecodedDocument, value: Any, file: str, line: int, column: int = 0) -> Document:
    lists = tuple(decoded.overrides), tuple(decoded.duplicate_marks)
    return Document(value, file, line, column, None, None, tuple(decoded.duplicates), decoded.place, *lists)


def _make_error_document(message: str, mark: int | None, blank: Document) -> Document:
    return blank.replace(error=message, error_at=blank.locate(mark or 0))


def _decode_document(data: bytes, options: _ReadOptions) -> DecodedDocument:
    """Return the value of a document by the fastest parser that certainly has Go's result. Raises ReadError."""
    if options.short:
        return _decode_by_go_rules(data)
    from protoc_gen_crd.yaml.fast_decoder import decode_fast  # noqa: PLC0415 - plugin runs read short files

    return decode_fast(data, options.repeated, options.similar) or _decode_by_go_rules(data)


def _decode_by_go_rules(data: bytes) -> DecodedDocument:
    """Return the value by the parser of `go_yaml`. Raises ReadError."""
    from protoc_gen_crd.yaml.go_yaml.event_parser import parse_events  # noqa: PLC0415 - few inputs need its many patterns

    events = parse_events(data)
    if any(sign in data for sign in _MAY_NEED_EXPANSION) or _MERGE in data.replace(b"\0", b""):
        from protoc_gen_crd.yaml.go_yaml.aliases_and_merge_keys import expand  # noqa: PLC0415 - few inputs have aliases

        return build_value(expand(list(events)), resolve_plain)
    try:
        return build_value(events, resolve_plain)
    except ReadError:
        deque(events, maxlen=0)  # Go reports syntax errors first, wherever they are
        raise
