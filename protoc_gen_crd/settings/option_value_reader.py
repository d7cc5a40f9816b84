"""Reader of the options in a settings file: known names, and values of the right type."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from protoc_gen_crd.settings.option_declaration import FILE, SettingsOption
from protoc_gen_crd.settings.option_types import CHANNEL, POLICY, OptionType, suggest_value
from protoc_gen_crd.settings.plugin_option_table import PLUGIN_OPTIONS
from protoc_gen_crd.settings.settings_document import SettingsDocument, read_list


def _list_options(names: Iterable[str]) -> Mapping[str, SettingsOption]:
    """Return the options of the file; without those of commands if it has only names of others."""
    if all(name in PLUGIN_OPTIONS for name in names):
        return {name: option for name, option in PLUGIN_OPTIONS.items() if FILE in option.sources}
    from protoc_gen_crd.settings.merged_options import list_options  # noqa: PLC0415 - few plugin runs need it

    return list_options(FILE)


def read_options(value: Mapping[str, object], file: SettingsDocument) -> dict[str, object]:
    """Read the options by name, without invalid ones, which are reported."""
    options = _list_options(value)
    values: dict[str, object] = {}
    for name, data in _replace_former_names(value, options.values(), file).items():
        option = options.get(name)
        if option is None:
            from protoc_gen_crd.settings.option_errors import report_unknown  # noqa: PLC0415 - only an error pays for it

            report_unknown(name, options, file.get_place(name), file.problems, data)
        elif option.option_type is POLICY:
            values[name] = _read_findings(data, file)
        elif option.option_type.plain is dict:
            values[name] = _read_mapping(option, data, file)
        elif option.repeated:
            items = enumerate(read_list(data, file, name, "a list"))
            values[name] = tuple(
                value for index, item in items for value in _read_value(option, item, file, name, index)
            )
            if option.option_type is CHANNEL:
                _check_names(data, file, name)
        else:
            values.update((name, value) for value in _read_value(option, data, file, name))
    return values


def _read_findings(data: object, file: SettingsDocument) -> object:
    from protoc_gen_crd.settings.findings_option import read_findings  # noqa: PLC0415 - few plugin runs need it

    return read_findings(data, file)


def _read_mapping(option: SettingsOption, data: object, file: SettingsDocument) -> object:
    from protoc_gen_crd.settings.mapping_options import READERS  # noqa: PLC0415 - few plugin runs need it

    if not isinstance(data, dict):
        file.report_value(option.name, option.option_type.requirement, data, option.name)
        return {}
    return READERS[option.option_type](data, file)


def _replace_former_names(
    value: Mapping[str, object], options: Iterable[SettingsOption], file: SettingsDocument
) -> Mapping[str, object]:
    """Return the entries by the current names of their options; former names are reported."""
    names = {former: option.name for option in options for former in option.former_names if former in value}
    for former, name in names.items():
        message = f'option "{former}" is renamed to "{name}"'
        file.report("option-renamed", message, former, hint=f'replace "{former}" with "{name}"')
        if name not in value:
            file.former_names[name] = former
    overridden = {former for former, name in names.items() if name in value}
    return {names.get(name, name): data for name, data in value.items() if name not in overridden}


def _check_names(data: object, file: SettingsDocument, name: str) -> None:
    """Report an empty list and duplicate names."""
    if data == []:
        file.report("option-value", f'"{name}" is empty, expected at least one name', name)
    for index, item in enumerate(data if isinstance(data, list) else ()):
        if item in data[:index]:  # type: ignore[index]
            file.report("option-value", f'duplicate name "{item}" in "{name}"', name, index)


def _read_value(option: SettingsOption, data: object, file: SettingsDocument, *path: str | int) -> list[object]:
    """Return the parsed value in a list, which is empty if the value is invalid."""
    kind = option.option_type
    is_valid = type(data) is kind.plain
    try:
        value = kind.parse(str(data)) if is_valid else None
    except (ValueError, KeyError):
        is_valid = False
    if not is_valid:
        hint = suggest_value(kind, data) if isinstance(data, str) else ""
        hint = "quote the value" if kind.plain is str and type(data) in (int, float) else hint
        hint = (
            "remove the quotes" if kind.plain is not str and type(data) is str and _is_string_for(kind, data) else hint
        )
        file.report_value(option.name, kind.requirement, data, *path, hint=hint)
        return []
    # A path in the working folder stays as it is, so that messages repeat what the user wrote.
    return [os.path.normpath(os.path.join(file.folder, str(value))) if kind.path else value]  # noqa: PTH118


def _is_string_for(kind: OptionType, string: str) -> bool:
    """Return whether a string would be a valid value without quotes."""
    try:
        kind.parse(string)
    except (ValueError, KeyError):
        return False
    return True
