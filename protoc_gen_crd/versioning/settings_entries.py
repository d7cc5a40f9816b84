"""Entries of the settings file that belong to a version: copies for another version, and their removal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib.util import find_spec
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
    """Entries of a version in the settings: names in packages, paths, and versions in the conversions of CRDs.

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
    apply = _apply_to_toml if _is_toml(settings) else _apply
    for keys, items, convert in edits:
        data = data and apply(data, keys, items, convert)
    _write(settings, data, change, problems)


_Edit = tuple[tuple[str, ...], Sequence[int], Callable[[Any], Any]]


def _apply(data: bytes, keys: tuple[str, ...], items: Sequence[int], convert: Callable[[Any], Any]) -> bytes | None:
    if items:
        return copy_items(data, 0, keys, items, convert)
    value = read(data)[0].value
    return rewrite(data, 0, {**value, keys[0]: convert(value[keys[0]])})


def _apply_to_toml(
    data: bytes, keys: tuple[str, ...], items: Sequence[int], convert: Callable[[Any], Any]
) -> bytes | None:
    from protoc_gen_crd.versioning import toml_edits  # noqa: PLC0415 - few settings are TOML

    if items:
        return toml_edits.copy_items(data, keys, items, convert)
    return toml_edits.replace_entries(data, keys[0], convert(_read_toml(data)[keys[0]]))


def _is_toml(settings: Settings) -> bool:
    return settings.settings.endswith(".toml")


def _read_toml(data: bytes) -> Any:
    """Return the table of this tool in a pyproject.toml."""
    import tomllib  # noqa: PLC0415 - few settings are TOML

    from protoc_gen_crd.settings.settings_file import TABLE  # noqa: PLC0415

    return get_value(tomllib.loads(data.decode()), TABLE)


def _write(settings: Settings, data: bytes | None, change: SourceChange, problems: Problems) -> None:
    if data is None:
        problems.report("edit-source", "settings file cannot be edited", Location(settings.settings, 1, 1))
    else:
        change.write(settings.settings, data)


def _read(settings: Settings) -> Mapping[str, Any]:
    """Return the settings file as plain data."""
    if not settings.settings:
        return {}
    if _is_toml(settings):
        entries = _read_toml(Path(settings.settings).read_bytes())
    else:
        documents = read(Path(settings.settings).read_bytes())
        entries = documents[0].value if documents else None
    return entries if isinstance(entries, Mapping) else {}


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
    """Report entries that would change in a TOML file without the library that edits it. Return whether it is one."""
    if not _is_toml(settings) or find_spec("tomlkit"):
        return False
    keys = ", ".join(f'"{key}"' for key in dict.fromkeys(keys[0] for keys, _, _ in edits))
    message = f"entries of {renaming.source} in {keys} cannot be edited: tomlkit is not installed"
    hint = "pip install 'protoc-gen-crd[toml]', or move the settings to protoc-gen-crd.yaml"
    problems.report("edit-source", message, Location(settings.settings, 1, 1), hint=hint)
    return True


def remove_settings(settings: Settings, renaming: SettingsRenaming, change: SourceChange, problems: Problems) -> None:
    """Remove the entries of a version. `rename` and `move` return another name for what belongs to it."""
    edits = list(_list_copies(_read(settings), renaming))
    if not edits or _is_uneditable(settings, renaming, edits, problems):
        return
    data: bytes | None = change.get_content(settings.settings, Path(settings.settings).read_bytes())
    remove = _remove_from_toml if _is_toml(settings) else _remove
    for keys, items, _ in edits:
        data = data and remove(data, keys, items, renaming)
    _write(settings, data, change, problems)


def _remove(data: bytes, keys: tuple[str, ...], items: Sequence[int], renaming: SettingsRenaming) -> bytes | None:
    return remove_items(data, 0, keys, items) if items else _remove_keys(data, keys[0], renaming)


def _remove_from_toml(
    data: bytes, keys: tuple[str, ...], items: Sequence[int], renaming: SettingsRenaming
) -> bytes | None:
    from protoc_gen_crd.versioning import toml_edits  # noqa: PLC0415 - few settings are TOML

    if items:
        return toml_edits.remove_items(data, keys, items)
    entries = _read_toml(data)[keys[0]]
    kept = {key: entry for key, entry in entries.items() if renaming.rename(key) == key}
    return toml_edits.replace_entries(data, keys[0], kept)


def _remove_keys(data: bytes, name: str, renaming: SettingsRenaming) -> bytes | None:
    value = read(data)[0].value
    kept = {key: entry for key, entry in value[name].items() if renaming.rename(key) == key}
    new = {**value, name: kept} if kept else {key: entry for key, entry in value.items() if key != name}
    return rewrite(data, 0, new)
