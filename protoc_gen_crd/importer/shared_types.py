"""Messages that several kinds of a package share, in a file of their own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from protoc_gen_crd.importer.identifiers import make_unique_type
from protoc_gen_crd.importer.proto_declarations import FileDeclaration, MessageDeclaration
from protoc_gen_crd.importer.structure_keys import StructureKeys

_FILE = "shared_types.proto"  # no kind has an underscore


class SharedFiles(NamedTuple):
    """The files of kinds without the messages that they share, and the files of these messages."""

    own: list[FileDeclaration]
    shared: list[FileDeclaration]


def share_types(files: Sequence[FileDeclaration]) -> SharedFiles:
    """Move equal messages of several kinds of a package to a file of the package.

    Messages are equal if they and all messages that they refer to have the same fields, options, and comments.
    """
    packages: dict[str, list[FileDeclaration]] = {}
    for file in files:
        packages.setdefault(file.package, []).append(file)
    keys = _MessageKeys()
    own: dict[str, FileDeclaration] = {}
    shared: list[FileDeclaration] = []
    for members in packages.values():
        sharing = _PackageSharing([_KindFile(file, keys) for file in members])
        shared += sharing.make_files()
        own.update((file.name, file) for file in sharing.make_kind_files())
    return SharedFiles([own[file.name] for file in files], shared)


class _MessageKeys:
    """Assigns a number to each different message."""

    def __init__(self) -> None:
        self._options = StructureKeys()
        self._numbers: dict[Hashable, int] = {}

    def get_key(self, message: MessageDeclaration, types: Mapping[str, int]) -> int:
        """Return the key of a message; `types` are the keys of the messages of its file by name."""
        get_key = self._options.get_key
        enums = {enum.name: at for at, enum in enumerate(message.enums)}
        fields = [
            (
                field.name,
                field.json_name,
                field.repeated,
                field.type if field.type == field.element else "map",
                types.get(field.element, field.element),
                enums.get(field.element),
                field.comment,
                get_key(field.options),
            )
            for field in message.fields
        ]
        values = [tuple((value.name, get_key(value.options)) for value in enum.values) for enum in message.enums]
        parts = (message.comment, get_key(message.options), tuple(fields), tuple(values))
        return self._numbers.setdefault(parts, len(self._numbers))


class _KindFile:
    """A file with the message of a kind. `keys` are those of the messages in it, by name."""

    def __init__(self, file: FileDeclaration, keys: _MessageKeys) -> None:
        self.file = file
        self.root = file.messages[0]
        self.messages = {message.name: message for message in self.root.messages}
        self.keys: dict[str, int] = {}
        self._keys = keys
        for name in self.messages:
            self._add_key(name)

    def list_names(self) -> Iterator[tuple[int, str]]:
        """Yield the keys of the messages with names: those of a spec or a status start with that of their kind."""
        in_root = {field.element for field in self.root.fields}
        for name, key in self.keys.items():
            yield key, f"{self.root.name}{name}" if name in in_root else name

    def _add_key(self, name: str) -> None:
        """Add the key of a message after those of the messages that it refers to."""
        if name not in self.keys:
            message = self.messages[name]
            for field in message.fields:
                if field.element in self.messages:
                    self._add_key(field.element)
            self.keys[name] = self._keys.get_key(message, self.keys)


class _PackageSharing:
    """The shared messages of a package, by key, and their names."""

    def __init__(self, kinds: Sequence[_KindFile]) -> None:
        self._kinds = kinds
        counts = Counter(key for kind in kinds for key in {*kind.keys.values()})
        self._messages: dict[int, tuple[_KindFile, MessageDeclaration]] = {}
        for kind in kinds:
            for name, key in kind.keys.items():
                if counts[key] > 1:
                    self._messages.setdefault(key, (kind, kind.messages[name]))
        self._names = self._choose_names()

    def make_files(self) -> Iterator[FileDeclaration]:
        """Yield the file with the shared messages, if there are any."""
        if self._messages:
            first = self._kinds[0].file
            messages = [
                _rename_types(message, self._map_names(kind)).replace(name=self._names[key])
                for key, (kind, message) in self._messages.items()
            ]
            yield FileDeclaration(self._path, first.package, first.prefix, sorted(messages, key=_get_name))

    def make_kind_files(self) -> Iterator[FileDeclaration]:
        """Yield the files of the kinds."""
        for kind in self._kinds:
            names = self._map_names(kind)
            if not names:
                yield kind.file
                continue
            own = [_rename_types(message, names) for name, message in kind.messages.items() if name not in names]
            root = _rename_types(kind.root, names).replace(messages=own)
            yield kind.file.replace(messages=(root,), imports=(self._path,))

    @property
    def _path(self) -> str:
        return f"{self._kinds[0].file.package.replace('.', '/')}/{_FILE}"

    def _choose_names(self) -> dict[int, str]:
        """Return the names of shared messages by key. No other message or enum of the package has one of them."""
        taken = {kind.root.name for kind in self._kinds}
        for kind in self._kinds:
            taken.update(name for name, key in kind.keys.items() if key not in self._messages)
            taken.update(_list_enums([kind.root, *kind.root.messages]))
        candidates: dict[int, Counter[str]] = {key: Counter() for key in self._messages}
        prefixes: dict[int, str] = {}  # the shortest kind
        for kind in sorted(self._kinds, key=lambda kind: (len(kind.root.name), kind.root.name)):
            for key, name in kind.list_names():
                if key in candidates:
                    candidates[key][name] += 1
                    prefixes.setdefault(key, kind.root.name)
        return {
            key: make_unique_type(_list_candidates(names, prefixes[key]), taken) for key, names in candidates.items()
        }

    def _map_names(self, kind: _KindFile) -> dict[str, str]:
        """Return the names of the shared messages of a file by their names in it."""
        return {name: self._names[key] for name, key in kind.keys.items() if key in self._names}


def _list_candidates(names: Counter[str], prefix: str) -> list[str]:
    """Return names with the most frequent first, then the shortest, and one with a prefix at the end."""
    ranked = sorted(names, key=lambda name: (-names[name], len(name), name))
    return [*ranked, f"{prefix}{ranked[0]}"]


def _list_enums(messages: Iterable[MessageDeclaration]) -> Iterator[str]:
    return (enum.name for message in messages for enum in message.enums)


def _rename_types(message: MessageDeclaration, names: Mapping[str, str]) -> MessageDeclaration:
    fields = [
        field.replace_element(names[field.element]) if field.element in names else field for field in message.fields
    ]
    return message.replace(fields=fields)


def _get_name(message: MessageDeclaration) -> str:
    return message.name
