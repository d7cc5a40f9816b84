"""One message for similar versions of a kind: elements that only some versions have get ranges.

The declarations of the versions are merged by name. A field has one range of versions, and options that differ become
options `during` a range. Versions are ordered by age, as in ranges.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.importer.identifiers import make_unique_type
from protoc_gen_crd.importer.proto_declarations import (
    EnumDeclaration,
    EnumValueDeclaration,
    FieldDeclaration,
    MessageDeclaration,
)
from protoc_gen_crd.importer.resource_merge import merge_resources
from protoc_gen_crd.importer.version_runs import RangeError, find_range, list_runs, merge_sequences
from protoc_gen_crd.kubernetes.api_version_order import get_age_key

Json = dict[str, Any]
ByVersion = Mapping[str, MessageDeclaration]
VersionedType = tuple[tuple[str, str], ...]  # version and name
Enums = Mapping[str, EnumDeclaration]
_MIN_SHARE = 2 / 3  # of elements that are equal in all versions


def merge_versions(messages: ByVersion) -> MessageDeclaration | None:
    """Return one message for the messages of versions; None if they are not alike, or if no ranges can express them."""
    ordered = {version: messages[version] for version in sorted(messages, key=get_age_key)}
    merger = _VersionMerger(ordered)
    try:
        merged = merger.merge()
    except RangeError:
        return None
    return merged if merger.equal >= _MIN_SHARE * merger.total else None


class _VersionMerger:
    """Merges declarations. It counts the fields and messages, and those that are equal in all versions.

    A type is a tuple with its name in each version: equal types have different names if one version shares them.
    """

    def __init__(self, roots: ByVersion) -> None:
        self.total = 0
        self.equal = 0
        self._roots = roots
        self._messages = {version: {item.name: item for item in root.messages} for version, root in roots.items()}
        self._types: dict[VersionedType, None] = {}  # ordered
        self._names: dict[VersionedType, str] = {}

    def merge(self) -> MessageDeclaration:
        """Return the message of the kind, with all messages that it contains. Raises RangeError."""
        self._collect(self._roots)
        wide = [
            item for item in self._types if len(item) == len(self._roots) or not self._find_wider(item, self._types)
        ]
        taken = {root.name for root in self._roots.values()}
        for versioned in wide:
            self._names[versioned] = make_unique_type([name for _, name in reversed(versioned)], taken)
        for versioned in self._types.keys() - self._names.keys():
            self._names[versioned] = self._names[self._find_wider(versioned, wide)]
        resources = {version: root.resource or {} for version, root in self._roots.items()}
        return self._merge_message(self._roots).replace(
            messages=[self._merge_message(self._find(item)).replace(name=self._names[item]) for item in wide],
            resource=merge_resources(resources),
        )

    def _find_wider(self, versioned: VersionedType, types: Iterable[VersionedType]) -> VersionedType:
        """Return the first type with the same names in more versions; empty if there is none."""
        return next((other for other in types if {*versioned} < {*other}), ())

    def _collect(self, messages: ByVersion) -> None:
        """Collect the types of the fields of a message and of the messages in it."""
        for fields in _list_fields(messages):
            versioned = self._get_type(fields)
            if versioned and versioned not in self._types:
                self._types[versioned] = None
                self._collect(self._find(versioned))

    def _get_type(self, fields: Mapping[str, FieldDeclaration]) -> VersionedType:
        """Return the message in each version; empty if the type is no message in all versions."""
        names = {version: field.element for version, field in fields.items()}
        is_message = all(name in self._messages[version] for version, name in names.items())
        return tuple(names.items()) if is_message else ()

    def _find(self, versioned: VersionedType) -> ByVersion:
        return {version: self._messages[version][name] for version, name in versioned}

    def _merge_message(self, messages: ByVersion) -> MessageDeclaration:
        versions = tuple(messages)
        options = {version: _Options(message.comment, message.options) for version, message in messages.items()}
        comment, merged = _merge_options(options, versions)
        self._count(not merged.get("during"))
        enums = {version: {enum.name: enum for enum in message.enums} for version, message in messages.items()}
        fields = [self._merge_field(field, versions, enums) for field in _list_fields(messages)]
        if len({field.name for field in fields}) < len(fields):
            raise RangeError
        used = {field.element for field in fields}
        return messages[versions[-1]].replace(
            comment=comment,
            options=merged,
            fields=fields,
            enums=[enum for enum in _merge_enums(enums) if enum.name in used],
        )

    def _merge_field(
        self, fields: Mapping[str, FieldDeclaration], versions: Sequence[str], enums: Mapping[str, Enums]
    ) -> FieldDeclaration:
        if versioned := self._get_type(fields):
            name = self._names[versioned]
            fields = {version: field.replace_element(name) for version, field in fields.items()}
        elif len({field.element for field in fields.values()}) > 1:
            fields = {version: _make_string(field, enums[version]) for version, field in fields.items()}
        newest = fields[max(fields, key=get_age_key)]
        if any((field.type, field.repeated) != (newest.type, newest.repeated) for field in fields.values()):
            raise RangeError
        present = find_range(tuple(fields), versions)
        options = {version: _Options(field.comment, field.options) for version, field in fields.items()}
        comment, merged = _merge_options(options, tuple(fields))
        self._count(not present and "during" not in merged)
        return newest.replace(comment=comment, options={**present, **merged})

    def _count(self, is_equal: bool) -> None:  # noqa: FBT001 - the only argument
        self.total += 1
        self.equal += is_equal


class _Options(Record):
    """The comment and the options of an element in a version."""

    comment: tuple[str, ...]
    options: Mapping[str, Any]


def _merge_options(by_version: Mapping[str, _Options], versions: Sequence[str]) -> tuple[tuple[str, ...], Json]:
    """Return the comment and the options of an element: those of all versions, and the others `during` ranges.

    The comment is that of the newest version if all versions have one; the option `description` replaces it.
    """
    comments = {version: entry.comment for version, entry in by_version.items()}
    comment = comments[versions[-1]] if all(comments.values()) else ()
    options = {version: dict(entry.options) for version, entry in by_version.items()}
    for version, own in comments.items():
        if own != comment:
            options[version]["description"] = "\n".join(own)
    newest = options[versions[-1]]
    common = {
        name: value for name, value in newest.items() if all(entry.get(name) == value for entry in options.values())
    }
    others = {version: _remove(entry, common) for version, entry in options.items()}
    during = [{**ends, **entry} for ends, entry in list_runs(others) if entry]
    return comment, {**common, **({"during": during} if during else {})}


def _remove(entry: Json, common: Json) -> Json:
    return {name: value for name, value in entry.items() if name not in common}


def _merge_enums(by_version: Mapping[str, Enums]) -> Iterator[EnumDeclaration]:
    """Yield the enums; values that only some versions have get ranges."""
    for name in dict.fromkeys(name for enums in reversed(list(by_version.values())) for name in enums):
        values = {
            version: [value.name for value in enums[name].values]
            for version, enums in by_version.items()
            if name in enums
        }
        merged = merge_sequences(values)
        yield EnumDeclaration(
            name, tuple([EnumValueDeclaration(value, find_range(present, tuple(values))) for value, present in merged])
        )


def _list_fields(messages: ByVersion) -> Iterator[dict[str, FieldDeclaration]]:
    """Yield the fields of a message in all versions, by version; those of newer versions are first."""
    keyed = {version: {field.key: field for field in message.fields} for version, message in messages.items()}
    for key in dict.fromkeys(key for fields in reversed(list(keyed.values())) for key in fields):
        yield {version: fields[key] for version, fields in keyed.items() if key in fields}


def _make_string(field: FieldDeclaration, enums: Enums) -> FieldDeclaration:
    """Return a field of an enum as a string with the option `enum`; other fields are unchanged."""
    enum = enums.get(field.element)
    if enum is None:
        return field
    values: Json = {"enum": [value.name for value in enum.values]}
    step = "items" if field.repeated else "values" if field.type.startswith("map<") else ""
    options = {step: {**values, **field.options.get(step, {})}} if step else values
    return field.replace_element("string").replace(options={**field.options, **options})
