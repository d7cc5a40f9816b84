"""One message for similar versions of a kind: elements that only some versions have get ranges.

The declarations of the versions are merged by name. A field has one range of versions, and options that differ become
options `during` a range. Versions are ordered by age, as in ranges.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.importer.declarations import (
    EnumDeclaration,
    EnumValueDeclaration,
    FieldDeclaration,
    MessageDeclaration,
)
from protoc_gen_crd.importer.resource_merge import merge_resources
from protoc_gen_crd.importer.version_runs import RangeError, find_range, list_runs, merge_sequences
from protoc_gen_crd.kubernetes.version_order import get_age_key

Json = dict[str, Any]
ByVersion = Mapping[str, MessageDeclaration]
_MIN_SHARE = 2 / 3  # of elements that are equal in all versions


def merge_versions(messages: ByVersion) -> MessageDeclaration | None:
    """Return one message for the messages of versions; None if they are not alike, or if no ranges can express them."""
    ordered = {version: messages[version] for version in sorted(messages, key=get_age_key)}
    merger = _VersionMerger()
    try:
        merged = merger.merge_root(ordered)
    except RangeError:
        return None
    return merged if merger.equal >= _MIN_SHARE * merger.total else None


class _VersionMerger:
    """Merges declarations. It counts the fields and messages, and those that are equal in all versions."""

    def __init__(self) -> None:
        self.total = 0
        self.equal = 0

    def merge_root(self, roots: ByVersion) -> MessageDeclaration:
        """Merge the messages of a kind, with all messages that they contain. Raises RangeError."""
        names = dict.fromkeys(message.name for root in reversed(list(roots.values())) for message in root.messages)
        nested = {version: {message.name: message for message in root.messages} for version, root in roots.items()}
        messages = [
            self._merge_message({version: known[name] for version, known in nested.items() if name in known})
            for name in names
        ]
        resources = {version: root.resource or {} for version, root in roots.items()}
        return self._merge_message(roots).replace(messages=messages, resource=merge_resources(resources))

    def _merge_message(self, messages: ByVersion) -> MessageDeclaration:
        versions = tuple(messages)
        options = {version: _Options(message.comment, message.options) for version, message in messages.items()}
        comment, merged = _merge_options(options, versions)
        self._count(not merged.get("during"))
        newest = messages[versions[-1]]
        return newest.replace(
            comment=comment, options=merged, fields=self._merge_fields(messages), enums=list(_merge_enums(messages))
        )

    def _merge_fields(self, messages: ByVersion) -> list[FieldDeclaration]:
        keyed = {version: {field.key: field for field in message.fields} for version, message in messages.items()}
        keys = dict.fromkeys(key for fields in reversed(keyed.values()) for key in fields)
        merged = [
            self._merge_field(
                {version: fields[key] for version, fields in keyed.items() if key in fields}, tuple(keyed)
            )
            for key in keys
        ]
        if len({field.name for field in merged}) < len(merged):
            raise RangeError
        return merged

    def _merge_field(self, fields: Mapping[str, FieldDeclaration], versions: Sequence[str]) -> FieldDeclaration:
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


def _merge_enums(messages: ByVersion) -> Iterator[EnumDeclaration]:
    """Yield the enums; values that only some versions have get ranges."""
    keyed = {version: {enum.name: enum for enum in message.enums} for version, message in messages.items()}
    for name in dict.fromkeys(name for enums in reversed(keyed.values()) for name in enums):
        values = {
            version: [value.name for value in enums[name].values] for version, enums in keyed.items() if name in enums
        }
        merged = merge_sequences(values)
        yield EnumDeclaration(
            name, tuple([EnumValueDeclaration(value, find_range(present, tuple(values))) for value, present in merged])
        )
