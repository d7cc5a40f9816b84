"""Entries of the settings file that belong to a version: copies for another version, and their removal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Location, Problems
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.versioning.source_change import SourceChange
from protoc_gen_crd.versioning.yaml_edits import copy_items, get_value, remove_items, rewrite
from protoc_gen_crd.yaml.reader import read

_BY_ELEMENT = ("overrides", "types")  # mappings by the full names of elements
_ENDS = ("from", "to")


class SettingsRenaming(Record):
    """What belongs to a version in the settings: names in packages, paths, and versions in the conversions of CRDs.

    The functions return the name or path for the other version, and the same if it does not belong to the version.
    `folder` is the folder of the settings file, which its paths are relative to.
    """

    source: str
    version: str
    crds: frozenset[str]
    rename: Callable[[str], str]
    move: Callable[[str], str]
    folder: str


def copy_settings(settings: Settings, renaming: SettingsRenaming, change: SourceChange, problems: Problems) -> None:
    """Copy the entries of a version for another one."""
    edits = list(_list_copies(_read(settings), renaming))
    if not edits or _is_uneditable(settings, renaming, edits, problems):
        return
    path = Path(settings.settings)
    data: bytes | None = change.get_content(settings.settings, path.read_bytes())
    for keys, items, convert in edits:
        data = data and _apply(data, keys, items, convert)
    _write(settings, data, change, problems)


_Edit = tuple[tuple[str, ...], Sequence[int], Callable[[Any], Any]]


def _apply(data: bytes, keys: tuple[str, ...], items: Sequence[int], convert: Callable[[Any], Any]) -> bytes | None:
    if items:
        return copy_items(data, 0, keys, items, convert)
    value = read(data)[0].value
    return rewrite(data, 0, {**value, keys[0]: convert(value[keys[0]])})


def _write(settings: Settings, data: bytes | None, change: SourceChange, problems: Problems) -> None:
    if data is None:
        problems.report("edit-source", "settings file cannot be edited", Location(settings.settings, 1, 1))
    else:
        change.write(settings.settings, data)


def _read(settings: Settings) -> Mapping[str, Any]:
    """Return the settings file as plain data."""
    if not settings.settings:
        return {}
    if settings.settings.endswith(".toml"):
        from protoc_gen_crd.settings.settings_file import TABLE  # noqa: PLC0415 - few settings are TOML
        from protoc_gen_crd.settings.toml_reader import TomlDocument  # noqa: PLC0415

        found = get_value(TomlDocument(Path(settings.settings).read_text("utf-8"), settings.settings).value, TABLE)
    else:
        documents = read(Path(settings.settings).read_bytes())
        found = documents[0].value if documents else None
    return found if isinstance(found, Mapping) else {}


def _list_copies(value: Mapping[str, Any], renaming: SettingsRenaming) -> Iterator[_Edit]:
    findings = [
        index for index, entry in enumerate(value.get("findings") or ()) if _rename_path(entry, renaming) != entry
    ]
    if findings:
        yield ("findings",), findings, lambda entry: _rename_path(entry, renaming)
    for name in _BY_ELEMENT:
        entries = value.get(name) or {}
        copied = {new: entry for key, entry in entries.items() if (new := renaming.rename(key)) != key}
        if copied:
            yield (name,), (), partial(_add_entries, copied)
    for crd, conversions in (value.get("conversions") or {}).items():
        own = find_conversions(conversions, renaming.source) if crd in renaming.crds else []
        if own:
            yield ("conversions", crd), own, lambda entry: rename_conversion(entry, renaming.source, renaming.version)
    inputs = value.get("inputs") or []
    moved = [index for index, path in enumerate(inputs) if _move(path, renaming) != path]
    if moved:
        yield ("inputs",), moved, lambda path: _move(path, renaming)


def _add_entries(added: Mapping[str, Any], entries: Mapping[str, Any]) -> dict[str, Any]:
    return {**entries, **added}


def _rename_path(entry: Any, renaming: SettingsRenaming) -> Any:
    path = entry.get("path") if isinstance(entry, dict) else None
    return {**entry, "path": renaming.rename(path)} if isinstance(path, str) else entry


def _move(path: Any, renaming: SettingsRenaming) -> Any:
    """Return the path of an input for the other version, relative to the settings file."""
    if not isinstance(path, str):
        return path
    joined = str(Path(renaming.folder) / path)
    moved = renaming.move(joined)
    return path if moved == joined else str(Path(moved).relative_to(renaming.folder)) if renaming.folder else moved


def find_conversions(conversions: Any, version: str) -> list[int]:
    """Return the indexes of the conversions of an APIConversion from or to a version."""
    entries = conversions if isinstance(conversions, list) else []
    return [
        index
        for index, entry in enumerate(entries)
        if isinstance(entry, dict) and version in [entry.get(end) for end in _ENDS]
    ]


def rename_conversion(entry: Mapping[str, Any], source: str, version: str) -> dict[str, Any]:
    """Return a conversion from or to another version."""
    return {key: version if key in _ENDS and value == source else value for key, value in entry.items()}


def _is_uneditable(settings: Settings, renaming: SettingsRenaming, edits: Sequence[_Edit], problems: Problems) -> bool:
    """Report entries that would change in a TOML file, which is not edited. Return whether it is one."""
    is_toml = settings.settings.endswith(".toml")
    if is_toml:
        keys = ", ".join(f'"{key}"' for key in dict.fromkeys(keys[0] for keys, _, _ in edits))
        message = f"entries of {renaming.source} in {keys} cannot be edited: only settings in YAML can"
        at = Location(settings.settings, 1, 1)
        problems.report("edit-source", message, at, hint="move the settings to protoc-gen-crd.yaml")
    return is_toml


def remove_settings(settings: Settings, renaming: SettingsRenaming, change: SourceChange, problems: Problems) -> None:
    """Remove the entries of a version. `rename` and `move` return another name for what belongs to it."""
    edits = list(_list_copies(_read(settings), renaming))
    if not edits or _is_uneditable(settings, renaming, edits, problems):
        return
    data: bytes | None = change.get_content(settings.settings, Path(settings.settings).read_bytes())
    for keys, items, _ in edits:
        if data is None:
            break
        data = remove_items(data, 0, keys, items) if items else _remove_keys(data, keys[0], renaming)
    _write(settings, data, change, problems)


def _remove_keys(data: bytes, name: str, renaming: SettingsRenaming) -> bytes | None:
    value = read(data)[0].value
    kept = {key: entry for key, entry in value[name].items() if renaming.rename(key) == key}
    new = {**value, name: kept} if kept else {key: entry for key, entry in value.items() if key != name}
    return rewrite(data, 0, new)
