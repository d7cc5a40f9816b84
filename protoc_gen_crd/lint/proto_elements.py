"""The elements of protos that rules check, each with the file that declares it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile
from typing import cast

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.lint.lint_rule import ENUM, ENUM_VALUE, FIELD, FILE, MESSAGE, METHOD, ONEOF, SERVICE
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.element_model import Element, Enum, Field, File, Message, Service
from protoc_gen_crd.proto.source_locations import PACKAGE_PATH, SYNTAX_PATH, ElementPlace

_GENERATED = re.compile(r"generated\b.*\bdo not (edit|modify)\b", re.IGNORECASE | re.DOTALL)
_MARKERS = ("+", "$", "<!--", "buf:lint:", "@")


class ProtoElement(Record):
    """An element of a file. `parent` is the message of a field or oneof, or the enum of a value.

    `resources` are the full names of the messages that define one version of a kind.
    """

    kind: str
    element: Element
    file: File
    api: ApiSet
    resources: frozenset[str]
    parent: Message | Enum | Service | None = None

    @property
    def name(self) -> str:
        """The name that settings use for the element."""
        return self.element.full_name

    @property
    def declared_name(self) -> str:
        """The name in the source."""
        return self.name

    @property
    def names(self) -> tuple[str, ...]:
        """The names that identify the element in an older API."""
        return (self.name,)

    @property
    def at(self) -> ElementPlace:
        """The place of the element."""
        return self.element.at

    @property
    def field(self) -> Field:
        """The element as a field."""
        return cast(Field, self.element)

    @property
    def enum(self) -> Enum:
        """The element as an enum."""
        return cast(Enum, self.element)


def iterate_elements(api: ApiSet, resources: frozenset[str]) -> Iterator[ProtoElement]:
    """Yield the elements of the files to generate, in the order of the files, without those of generated files."""
    for file in api.list_targets():
        if not _is_generated(file):
            yield from _FileWalker(api, file, resources).walk()


def _is_generated(file: File) -> bool:
    """Return whether a comment at the start of a file states that a tool wrote it and that nobody may edit it."""
    first_line, _ = file.source.find_extent()
    comments = takewhile(lambda comment: comment[0] <= first_line, file.source.list_comments())
    return any(_GENERATED.search(text) for _, text in comments)


class _FileWalker:
    """Yields the elements of one file."""

    def __init__(self, api: ApiSet, file: File, resources: frozenset[str]) -> None:
        self._api = api
        self._file = file
        self._resources = resources

    def walk(self) -> Iterator[ProtoElement]:
        file = self._file
        at = ElementPlace(file.source, PACKAGE_PATH if file.package else SYNTAX_PATH)
        yield self._make(FILE, Element(file.name, file.package or file.name, "", file.options, at, file.deprecated))
        for name in file.enums:
            yield from self._walk_enum(name)
        for name in file.messages:
            yield from self._walk_message(name)
        for service in self._api.list_services(file):
            yield self._make(SERVICE, service)
            for method in service.methods:
                yield self._make(METHOD, method, service)

    def _walk_message(self, name: str) -> Iterator[ProtoElement]:
        names = [name]
        while names:
            message = self._api.find_message(names.pop())
            if message is None or message.is_map_entry:
                continue
            yield self._make(MESSAGE, message)
            for field in message.fields:
                yield self._make(FIELD, field, message)
            for oneof in message.oneofs:
                yield self._make(ONEOF, oneof, message)
            for enum in message.enums:
                yield from self._walk_enum(enum)
            names += reversed(message.messages)

    def _walk_enum(self, name: str) -> Iterator[ProtoElement]:
        enum = self._api.find_enum(name)
        if enum is not None:
            yield self._make(ENUM, enum)
            for value in enum.values:
                yield self._make(ENUM_VALUE, value, enum)

    def _make(self, kind: str, element: Element, parent: Message | Enum | Service | None = None) -> ProtoElement:
        return ProtoElement(kind, element, self._file, self._api, self._resources, parent)


def read_prose(comment: str) -> str:
    """Return the lines of a comment that are no markers and no annotations of other tools, on one line."""
    lines = (line.strip() for line in comment.splitlines())
    return " ".join([line for line in lines if line and not line.startswith(_MARKERS)])
