"""The sources of an API: its .proto files, and its kinds with the messages that define their versions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.generation.resource_messages import ResourceSource
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.generate_inputs import GenerateInputs
from protoc_gen_crd.proto.request import Request
from protoc_gen_crd.proto.source_elements import SourceFile


class KindSource(Record):
    """A kind: its messages, the versions that each defines, and the names of all messages and enums that they use."""

    group: str
    kind: str
    sources: tuple[ResourceSource, ...]
    elements: frozenset[str]

    @property
    def name(self) -> str:
        """The kind and its group, as in `Widget.example.com`."""
        return f"{self.kind}.{self.group}"

    @property
    def versions(self) -> tuple[str, ...]:
        """All versions of the kind."""
        return tuple(dict.fromkeys(name for source in self.sources for name in source.versions))

    def find_source(self, version: str) -> ResourceSource | None:
        """Return the message that defines a version."""
        return next((source for source in self.sources if version in source.versions), None)


class ApiSources:
    """The kinds of an API, and its files on disk by name."""

    def __init__(
        self, inputs: GenerateInputs, request: Request, api: ApiSet, sources: Sequence[ResourceSource]
    ) -> None:
        self.api = api
        self.targets = frozenset(request.targets)
        self.paths: Mapping[str, str] = inputs.paths
        self._request = request
        self._files: dict[str, SourceFile] = {}
        by_kind: dict[tuple[str, str], list[ResourceSource]] = {}
        for source in sources:
            by_kind.setdefault((source.group, source.kind), []).append(source)
        self.kinds = tuple(
            KindSource(group, kind, tuple(messages), frozenset(self._find_elements(messages)))
            for (group, kind), messages in sorted(by_kind.items())
        )

    def get_file(self, name: str) -> SourceFile:
        """Return a file by the name of its import. Raises OSError if it cannot be read."""
        file = self._files.get(name)
        if file is None:
            path = self.paths.get(name, name)
            file = self._files[name] = SourceFile(self._request.files[name], path, Path(path).read_bytes())
        return file

    def list_files(self) -> Iterator[SourceFile]:
        """Yield the files that can be edited: the files to generate, and what they import from the same folders."""
        for name in self._request.files:
            if self.is_editable(name):
                yield self.get_file(name)

    def is_editable(self, name: str) -> bool:
        """Return whether a file is on disk and is not one that this tool provides."""
        return name in self.paths and not name.startswith(("google/protobuf/", "protoc_gen_crd/", "k8s.io/"))

    def get_message_file(self, source: ResourceSource) -> SourceFile:
        """Return the file of a message."""
        return self.get_file(source.message.file)

    def list_package_files(self, package: str) -> list[SourceFile]:
        """Return the files of a package and of the packages below it."""
        return [file for file in self.list_files() if f"{file.package}.".startswith(f"{package}.")]

    def list_importers(self, names: set[str]) -> Iterator[SourceFile]:
        """Yield the other files that import one of the files."""
        for file in self.list_files():
            if file.name not in names and names.intersection(file.imports):
                yield file

    def _find_elements(self, sources: Sequence[ResourceSource]) -> Iterator[str]:
        """Yield the full names of the messages and enums of a kind."""
        waiting = [source.message.full_name for source in sources]
        waiting += [str(status) for source in sources if (status := source.declared.get("status"))]
        names: set[str] = set()
        while waiting:
            name = waiting.pop()
            if name in names:
                continue
            names.add(name)
            yield name
            message = self.api.find_message(name)
            if message is not None:
                waiting += [field.type_name for field in message.fields if field.type_name]


def list_element_names(file: SourceFile, owners: frozenset[str]) -> set[str]:
    """Return the names of the elements of a file that are among the owners or are parts of them."""
    names: set[str] = set()
    for name, element in file.elements.items():
        if name in owners or element.parent in owners:
            names.add(name)
    return names


def is_package_of_version(source: ResourceSource, package: str, version: str) -> bool:
    """Return whether a message defines a version alone, in a package that is named after it."""
    return source.versions == (version,) and package.rpartition(".")[2] == version
