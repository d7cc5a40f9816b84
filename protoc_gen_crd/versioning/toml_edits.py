"""Edits of the settings in a pyproject.toml that keep comments and style: copied and removed items and entries."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from protoc_gen_crd.settings.settings_file import TABLE
from protoc_gen_crd.versioning.yaml_edits import get_value, set_value

Convert = Callable[[Any], Any]


def copy_items(data: bytes, path: Sequence[str], items: Collection[int], change: Convert) -> bytes | None:
    """Return a file with changed copies of items of a list, each after its original; None if it cannot be edited."""

    def edit(values: Any) -> None:
        for index in sorted(items, reverse=True):
            values.insert(index + 1, _make_item(change(_unwrap(values[index])), values))

    values = _read(data, path)
    copied = [part for at, value in enumerate(values) for part in ([value, change(value)] if at in items else [value])]
    return _edit(data, path, edit, copied)


def remove_items(data: bytes, path: Sequence[str], items: Collection[int]) -> bytes | None:
    """Return a file without items of a list, None if it cannot be edited."""

    def edit(values: Any) -> None:
        for index in sorted(items, reverse=True):
            del values[index]

    return _edit(data, path, edit, [value for at, value in enumerate(_read(data, path)) if at not in items])


def replace_entries(data: bytes, name: str, entries: Mapping[str, Any]) -> bytes | None:
    """Return a file with other entries of a table: added and removed ones. None if it cannot be edited."""

    def edit(table: Any) -> None:
        for key in [key for key in table if key not in entries]:
            del table[key]
        for key, value in entries.items():
            if key not in table:
                table[key] = _make_item(value, None)

    return _edit(data, (name,), edit, entries)


def _read(data: bytes, path: Sequence[str]) -> Any:
    return get_value(tomllib.loads(data.decode()), (*TABLE, *path))


def _edit(data: bytes, path: Sequence[str], edit: Callable[[Any], None], expected: Any) -> bytes | None:
    """Return an edited file, None if its data is not what is expected."""
    import tomlkit  # noqa: PLC0415 - optional

    document = tomlkit.parse(data.decode())
    edit(get_value(document, (*TABLE, *path)))
    text = tomlkit.dumps(document)
    before = tomllib.loads(data.decode())
    return text.encode() if tomllib.loads(text) == set_value(before, (*TABLE, *path), expected) else None


def _unwrap(value: Any) -> Any:
    return value.unwrap() if hasattr(value, "unwrap") else value


def _make_item(value: Any, values: Any) -> Any:
    """Return a value for a document: a table in a list of tables, otherwise an inline one."""
    import tomlkit  # noqa: PLC0415 - optional

    if not isinstance(value, Mapping):
        return tomlkit.item(value)
    if isinstance(values, tomlkit.items.AoT):
        table = tomlkit.item(dict(value))
        table.add(tomlkit.nl())
        return table
    inline = tomlkit.inline_table()
    inline.update({key: _make_item(item, None) for key, item in value.items()})
    return inline
