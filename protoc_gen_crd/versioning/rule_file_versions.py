"""Conversions of a version in files of APIConversion objects: copies for another version, and their removal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from protoc_gen_crd.conversion.rule_files.api_conversion import GROUP, KIND
from protoc_gen_crd.documents.document_files import find_files
from protoc_gen_crd.documents.document_reader import read_cases
from protoc_gen_crd.findings.finding import Location, Problems
from protoc_gen_crd.settings.settings import Settings
from protoc_gen_crd.versioning.settings_entries import SettingsRenaming, find_conversions, rename_conversion
from protoc_gen_crd.versioning.source_change import SourceChange
from protoc_gen_crd.versioning.yaml_edits import YamlPath, copy_items, get_value, remove_items
from protoc_gen_crd.yaml.reader import read

_CONVERSIONS: YamlPath = ("spec", "conversions")
_Edit = Callable[[bytes, int, list[int]], bytes | None]


def copy_rules(settings: Settings, renaming: SettingsRenaming, change: SourceChange, problems: Problems) -> None:
    """Copy the conversions of a version in the files of the setting `conversion_rules`."""

    def edit(data: bytes, index: int, items: list[int]) -> bytes | None:
        return copy_items(
            data, index, _CONVERSIONS, items, lambda entry: rename_conversion(entry, renaming.source, renaming.version)
        )

    _edit_rules(settings, renaming, edit, change, problems)


def remove_rules(settings: Settings, renaming: SettingsRenaming, change: SourceChange, problems: Problems) -> None:
    """Remove the conversions of a version from the files of the setting `conversion_rules`."""
    _edit_rules(
        settings, renaming, lambda data, index, items: remove_items(data, index, _CONVERSIONS, items), change, problems
    )


def _edit_rules(
    settings: Settings, renaming: SettingsRenaming, edit: _Edit, change: SourceChange, problems: Problems
) -> None:
    files = find_files(settings.conversion_rules, Problems()).documents if settings.conversion_rules else ()
    for file in files:
        data: bytes | None = Path(file).read_bytes()
        before = data
        for index, items in _find_rules(data or b"", file, renaming):
            data = data and edit(data, index, items)
        if data is None:
            problems.report("edit-source", "conversions cannot be edited", Location(file, 1, 1))
        elif data != before:
            change.write(file, data)


def _find_rules(data: bytes, file: str, renaming: SettingsRenaming) -> Iterator[tuple[int, list[int]]]:
    """Yield the documents with conversions of the version, as the indexes of the documents and of the conversions."""
    lines = [document.line for document in read(data, past_errors=True)]
    for case in read_cases(data, file, Problems()):
        name = get_value(case.object, ("metadata", "name"))
        is_own = isinstance(name, str) and any(name == crd or name.endswith(f".{crd}") for crd in renaming.crds)
        items = find_conversions(get_value(case.object, _CONVERSIONS), renaming.source)
        if (case.group, case.kind) == (GROUP, KIND) and is_own and items and not case.prefix:
            yield lines.index(case.document.line), items
