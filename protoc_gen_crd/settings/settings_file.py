"""The settings file: `protoc-gen-crd.yaml`, or the table `[tool.protoc-gen-crd]` of a pyproject.toml.

Invalid entries are reported at their lines. Paths in the file are relative to its folder.
"""

from __future__ import annotations

import os
import re
from functools import partial
from typing import TYPE_CHECKING, Any

from protoc_gen_crd.base.input_files import read_text
from protoc_gen_crd.findings.finding import Location, Place, Problems
from protoc_gen_crd.settings.settings import get_settings_folder
from protoc_gen_crd.settings.settings_document import DocumentPath, SettingsDocument, describe_value

if TYPE_CHECKING:
    from pathlib import Path

    from protoc_gen_crd.yaml.reader import Document

NAME = "protoc-gen-crd.yaml"
PYPROJECT = "pyproject.toml"
TABLE = ("tool", "protoc-gen-crd")

_MISSPELLED_NAMES = ("protoc-gen-crd.yml", "protoc_gen_crd.yaml", "protoc_gen_crd.yml", ".protoc-gen-crd.yaml")
# A header of a table for this tool in a pyproject.toml, misspelled ones included.
_TABLE_HEADER = r'\s*(?:\[\s*tool\s*\.\s*)?"?protoc[-_]gen[-_]crd"?\s*(?:[].]|=\s*\{)'

_MERGE_HINT = '"<<" merges this key too: put the key after it to override the value'
_DUPLICATE_HINT = "the key is also on line %d: remove one of them"
_LINE_BREAK = "\r\n|[\n\r\x85\u2028\u2029]"  # of YAML 1.1
_SHORT = 2**14  # characters of a file, at most, that is read without a YAML library


def find_settings(start: Path, problems: Problems) -> str:
    """Find the settings file in a folder or the nearest one above it in its repository; empty if there is none.

    A file with a misspelled name is reported and ignored.
    """
    for folder in (start, *start.parents):
        for name in _MISSPELLED_NAMES:
            if (folder / name).is_file():
                at = Location(os.path.relpath(folder / name, start))
                message = f'settings file "{name}" is ignored: its name is misspelled'
                problems.report("settings-file", message, at, hint=f'rename it to "{NAME}"')
        if os.path.lexists(folder / NAME):
            if _has_table(folder / PYPROJECT):
                problem = f'settings in "{PYPROJECT}" have no effect: "{NAME}" takes precedence'
                at = Location(os.path.relpath(folder / PYPROJECT, start))
                problems.report("option-unused", problem, at, hint="keep one of them")
            return os.path.relpath(folder / NAME, start)
        if _has_table(folder / PYPROJECT):
            return os.path.relpath(folder / PYPROJECT, start)
        if (folder / ".git").exists():
            break
    return ""


def _has_table(file: Path) -> bool:
    try:
        return any(re.match(_TABLE_HEADER, line) for line in read_text(file).splitlines())
    except (OSError, ValueError):
        return False


def read_settings(
    name: str, problems: Problems, places: dict[str, Place] | None = None, shown_name: str = ""
) -> dict[str, object]:
    """Read the options of a file by name, without invalid ones.

    Args:
        name: The path of the file; a name in .toml is read as a pyproject.toml.
        problems: Receives the findings, at their lines.
        places: Receives the places of the options, and of the items of lists by names such as `inputs[0]`.
        shown_name: The name of the file in locations, by default its path.
    """
    try:
        content = read_text(name, pipes=True)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        problems.report("settings-file", f'cannot read the settings file "{name}": {reason}', Location(name))
        return {}
    read = _read_toml if name.endswith(".toml") else _read_yaml
    file = read(content, shown_name or name, problems)
    if file is None or file.value is None:
        return {}
    file.folder = get_settings_folder(name)
    if not isinstance(file.value, dict):
        file.report("settings-file", f"expected a mapping of options, got {describe_value(file.value)}")
        return {}
    from protoc_gen_crd.settings.option_value_reader import read_options  # noqa: PLC0415 - many runs have no file

    options = read_options(file.value, file)
    if places is not None:
        places.update((name, file.get_place(name)) for name in options)
        lists = {name: value for name, value in options.items() if isinstance(value, tuple)}
        places.update(
            (f"{name}[{index}]", file.get_place(name, index))
            for name, value in lists.items()
            for index in range(len(value))
        )
    return options


def _read_toml(content: str, name: str, problems: Problems) -> SettingsDocument | None:
    from protoc_gen_crd.settings.toml_reader import TomlDocument  # noqa: PLC0415 - few runs read TOML

    document = TomlDocument(content, name)
    if document.error:
        problems.report("settings-file", f"invalid TOML: {document.error}", document.at)
        return None
    value: Any = document.value
    for step in TABLE:
        value = value.get(step) if isinstance(value, dict) else None
    if value is None:
        message = f'no table "[{".".join(TABLE)}]" found'
        problems.report("settings-file", message, Location(name), hint=_suggest_table(document.value))
    return SettingsDocument(value, document.get_place, TABLE, problems)


def _suggest_table(value: Any) -> str:
    """Suggest the right name for a misspelled table."""
    tools = value.get("tool") if isinstance(value, dict) else None
    name = next((name for name in tools if name.replace("_", "-") == TABLE[1]), "") if isinstance(tools, dict) else ""
    return f'rename the table "[tool.{name}]"' if name else ""


def _read_yaml(content: str, name: str, problems: Problems) -> SettingsDocument | None:
    from protoc_gen_crd.yaml import reader  # noqa: PLC0415 - a TOML table needs no YAML parser

    documents = reader.read(content, name, short=len(content) <= _SHORT)
    before = len(problems.findings)
    for document in documents:
        if document.error:
            problem = f"invalid YAML: {document.problem}"
            problems.report("settings-file", problem, document.error_at, hint=document.hint)
        for index, duplicate in enumerate(document.find_duplicates()):
            if index not in document.overrides:
                hint = _MERGE_HINT if "<<" in content else _DUPLICATE_HINT % duplicate.first_at.line
                problems.report("settings-file", f"duplicate key: {duplicate.message}", duplicate.at, hint=hint)
    if len(documents) > 1:
        place = documents[1].get_place(())
        problems.report("settings-file", f"settings file has {len(documents)} documents, expected one", place)
    if not documents or len(problems.findings) > before:
        return None
    get_place, read_word = partial(documents[0].get_place, key=True), partial(_read_word, documents[0], content)
    return SettingsDocument(documents[0].value, get_place, (), problems, read_word)


def _read_word(document: Document, content: str, path: DocumentPath) -> str:
    """Return the number or boolean at a path as written, empty if the value begins with another character."""
    at = document.get_place(path)
    word = re.match(r"[-+.\w]*", re.split(_LINE_BREAK, content)[at.line - 1][at.column - 1 :])
    return word[0] if word else ""
