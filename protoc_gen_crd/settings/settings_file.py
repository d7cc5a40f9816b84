"""The settings file: `protoc-gen-crd.yaml`, or the table `[tool.protoc-gen-crd]` of a pyproject.toml.

Invalid entries are reported at their lines. Paths in the file are relative to its folder.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from protoc_gen_crd.base.input_files import read_text
from protoc_gen_crd.base.suggestions import suggest
from protoc_gen_crd.findings.finding import Location, Place, Problems, Severity
from protoc_gen_crd.findings.severity_policy import PolicyEntry, check_rule
from protoc_gen_crd.settings.option_declaration import FILE, SettingsOption
from protoc_gen_crd.settings.option_errors import format_invalid, report_unknown
from protoc_gen_crd.settings.option_types import (
    CHANNEL,
    GROUP_HUBS,
    HUBS,
    OVERRIDES,
    POLICY,
    PROFILE,
    PROFILES,
    RULES,
    SELECTOR,
    TERMS,
    TYPES,
    OptionType,
    suggest_value,
)
from protoc_gen_crd.settings.plugin_options_and_defaults import PLUGIN_OPTIONS
from protoc_gen_crd.settings.settings import ConversionsEntry, HubEntry, OverrideEntry, Settings, TypeEntry

if TYPE_CHECKING:
    from pathlib import Path

    from protoc_gen_crd.kubernetes.deprecation_policy import Term

NAME = "protoc-gen-crd.yaml"
PYPROJECT = "pyproject.toml"
TABLE = ("tool", "protoc-gen-crd")

_MISSPELLED_NAMES = ("protoc-gen-crd.yml", "protoc_gen_crd.yaml", "protoc_gen_crd.yml", ".protoc-gen-crd.yaml")
# A header of a table for this tool in a pyproject.toml, misspelled ones included.
_TABLE_HEADER = r'\s*(?:\[\s*tool\s*\.\s*)?"?protoc[-_]gen[-_]crd"?\s*(?:[].]|=\s*\{)'
_SEVERITIES = {severity.name.lower(): severity for severity in Severity}
_ENTRY_KEYS = ("rule", "severity", "path", "reason", "until")

_MERGE_HINT = '"<<" merges this key too: put the key after it to override the value'
_TERM_RANGE = range(1000)
_SHORT = 2**14  # characters of a file, at most, that is read without a YAML library

DocumentPath = tuple[str | int, ...]


class _SettingsFile:
    """A parsed settings file. `prefix` is the path of the settings in the document."""

    def __init__(
        self,
        value: object,
        place: Callable[[DocumentPath], Location],
        prefix: DocumentPath,
        problems: Problems,
    ) -> None:
        self.value = value
        self.folder = ""  # that the paths in the file are relative to
        self.problems = problems
        self.former_names: dict[str, str] = {}  # names in the file by current name, if they differ
        self._place = place
        self._prefix = prefix

    def get_place(self, *path: str | int) -> Location:
        first = [self.former_names.get(str(name), name) for name in path[:1]]
        return self._place((*self._prefix, *first, *path[1:]))

    def report(self, rule: str, message: str, *path: str | int, hint: str = "") -> None:
        self.problems.report(rule, message, self.get_place(*path), hint=hint)


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
        places: Receives the places of the options.
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
    file.folder = os.path.dirname(name)  # noqa: PTH120 - keeps the path as the user wrote it
    if not isinstance(file.value, dict):
        file.report("settings-file", f"expected a mapping of options, got {_describe_value(file.value)}")
        return {}
    options = _read_options(file.value, file)
    (places if places is not None else {}).update(
        (name_of_option, file.get_place(name_of_option)) for name_of_option in options
    )
    return options


def _read_toml(content: str, name: str, problems: Problems) -> _SettingsFile | None:
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
    return _SettingsFile(value, document.get_place, TABLE, problems)


def _suggest_table(value: Any) -> str:
    """Suggest the right name for a misspelled table."""
    tools = value.get("tool") if isinstance(value, dict) else None
    name = next((name for name in tools if name.replace("_", "-") == TABLE[1]), "") if isinstance(tools, dict) else ""
    return f'rename the table "[tool.{name}]"' if name else ""


def _read_yaml(content: str, name: str, problems: Problems) -> _SettingsFile | None:
    from protoc_gen_crd.yaml import reader  # noqa: PLC0415 - a TOML table needs no YAML parser

    documents = reader.read(content, name, short=len(content) <= _SHORT)
    before = len(problems.findings)
    for document in documents:
        if document.error:
            problems.report("settings-file", f"invalid YAML: {document.problem}", document.error_at)
        for index, (at, description) in enumerate(document.find_duplicates()):
            if index not in document.overrides:
                hint = _MERGE_HINT if "<<" in content else ""
                problems.report("settings-file", f"duplicate key: {description}", at, hint=hint)
    if len(documents) > 1:
        place = documents[1].get_place(())
        problems.report("settings-file", f"settings file has {len(documents)} documents, expected one", place)
    if not documents or len(problems.findings) > before:
        return None
    return _SettingsFile(documents[0].value, partial(documents[0].get_place, key=True), (), problems)


def _list_options(names: Iterable[str]) -> Mapping[str, SettingsOption]:
    """Return the options of the file; without those of commands if it has only names of others."""
    if all(name in PLUGIN_OPTIONS for name in names):
        return {name: option for name, option in PLUGIN_OPTIONS.items() if FILE in option.sources}
    from protoc_gen_crd.settings.all_options import list_options  # noqa: PLC0415 - few plugin runs need it

    return list_options(FILE)


def _read_options(value: Mapping[str, object], file: _SettingsFile) -> dict[str, object]:
    options = _list_options(value)
    special: Mapping[OptionType, Callable[[object, _SettingsFile], object]] = {
        TYPES: _read_types,
        OVERRIDES: _read_overrides,
        RULES: _read_conversions,
        HUBS: partial(_read_hubs, name="hub_versions", kind=HUBS),
        GROUP_HUBS: partial(_read_hubs, name="group_hubs", kind=GROUP_HUBS),
        POLICY: _read_findings,
        PROFILES: _read_profiles,
        SELECTOR: _read_selector,
        TERMS: _read_terms,
    }
    values: dict[str, object] = {}
    for name, data in _replace_former_names(value, options.values(), file).items():
        option = options.get(name)
        if option is None:
            report_unknown(name, options, file.get_place(name), file.problems)
        elif option.option_type in special:
            values[name] = special[option.option_type](data, file)
        elif option.repeated:
            items = enumerate(_read_list(data, file, name, "a list"))
            values[name] = tuple(
                value for index, item in items for value in _read_value(option, item, file, name, index)
            )
            if option.option_type is CHANNEL:
                _check_names(data, file, name)
        else:
            values.update((name, value) for value in _read_value(option, data, file, name))
    return values


def _replace_former_names(
    value: Mapping[str, object], options: Iterable[SettingsOption], file: _SettingsFile
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


def _check_names(data: object, file: _SettingsFile, name: str) -> None:
    """Report an empty list and duplicate names."""
    if data == []:
        file.report("option-value", f'"{name}" is empty, expected at least one name', name)
    for index, item in enumerate(data if isinstance(data, list) else ()):
        if item in data[:index]:  # type: ignore[index]
            file.report("option-value", f'duplicate name "{item}" in "{name}"', name, index)


def _read_list(data: object, file: _SettingsFile, name: str, requirement: str) -> list[object]:
    if isinstance(data, list):
        return data
    hint = 'begin each entry with "- "' if isinstance(data, dict) else ""
    file.report("option-value", format_invalid(name, requirement, _describe_value(data)), name, hint=hint)
    return []


def _read_value(option: SettingsOption, data: object, file: _SettingsFile, *path: str | int) -> list[object]:
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
        file.report(
            "option-value",
            format_invalid(option.name, kind.requirement, _describe_value(data)),
            *path,
            hint=hint,
        )
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


def _read_types(data: object, file: _SettingsFile) -> dict[str, TypeEntry]:
    """Read schemas by message name. Their content is checked where it is used."""
    return {
        name: TypeEntry(schema, partial(_locate_in_entry, file, "types", name))
        for name, schema in _read_mappings(data, file, "types", TYPES, "schema").items()
    }


def _read_overrides(data: object, file: _SettingsFile) -> dict[str, OverrideEntry]:
    """Read markers by the full names of elements. Their content is checked where it is used."""
    return {
        name: OverrideEntry(values, partial(_locate_in_entry, file, "overrides", name))
        for name, values in _read_mappings(data, file, "overrides", OVERRIDES, "override").items()
    }


def _read_mappings(
    data: object, file: _SettingsFile, option: str, kind: OptionType, noun: str
) -> dict[str, dict[str, Any]]:
    """Read the mappings of an option by name, without values that are not mappings, which are reported."""
    if not isinstance(data, dict):
        file.report("option-value", format_invalid(option, kind.requirement, _describe_value(data)), option)
        return {}
    for name, value in data.items():
        if not isinstance(value, dict):
            message = f'{noun} of "{name}" is {_describe_value(value)}, expected a mapping'
            file.report("option-value", message, option, name)
    return {name: value for name, value in data.items() if isinstance(value, dict)}


def _locate_in_entry(file: _SettingsFile, option: str, name: str, path: DocumentPath) -> Location:
    return file.get_place(option, name, *path)


def _read_conversions(data: object, file: _SettingsFile) -> dict[str, ConversionsEntry]:
    """Read lists of conversions by the names of CRDs. Their content is checked where it is used."""
    if not isinstance(data, dict):
        file.report(
            "option-value", format_invalid("conversions", RULES.requirement, _describe_value(data)), "conversions"
        )
        return {}
    entries: dict[str, ConversionsEntry] = {}
    for name, conversions in data.items():
        if isinstance(conversions, list):
            entries[str(name)] = ConversionsEntry(
                conversions, partial(_locate_in_entry, file, "conversions", str(name))
            )
        else:
            message = f'conversions of "{name}" are {_describe_value(conversions)}, expected a list'
            file.report("option-value", message, "conversions", name)
    return entries


def _read_hubs(data: object, file: _SettingsFile, *, name: str, kind: OptionType) -> dict[str, HubEntry]:
    """Read hub versions by the names of CRDs or API groups. Whether these exist is checked where they are used."""
    if not isinstance(data, dict):
        file.report("option-value", format_invalid(name, kind.requirement, _describe_value(data)), name)
        return {}
    hubs: dict[str, HubEntry] = {}
    for key, version in data.items():
        if isinstance(version, str) and version:
            hubs[str(key)] = HubEntry(version, file.get_place(name, key))
        else:
            message = f'hub version of "{key}" is {_describe_value(version)}, expected the name of a version'
            file.report("option-value", message, name, key)
    return hubs


def _read_profiles(data: object, file: _SettingsFile) -> dict[str, str]:
    """Read profiles by group or kind. Whether these exist is checked where they are used."""
    name = "profiles"
    if not isinstance(data, dict):
        file.report("option-value", format_invalid(name, PROFILES.requirement, _describe_value(data)), name)
        return {}
    profiles: dict[str, str] = {}
    for key, profile in data.items():
        if isinstance(profile, str) and profile in PROFILE.names:
            profiles[str(key)] = profile
        else:
            message = f'profile of "{key}" is {_describe_value(profile)}, expected {PROFILE.requirement}'
            hint = suggest(profile, PROFILE.names) if isinstance(profile, str) else ""
            file.report("option-value", message, name, key, hint=hint)
    return profiles


def _read_selector(data: object, file: _SettingsFile) -> Mapping[str, object]:
    """Read a label selector."""
    from protoc_gen_crd.settings.label_selectors import validate_selector  # noqa: PLC0415 - few settings have any

    name = "policy_namespaces"
    errors = list(validate_selector(data))
    for path, requirement, value in errors:
        actual = value if isinstance(value, str) and not path else _describe_value(value)
        message = format_invalid(".".join([name, *map(str, path)]), requirement, actual)
        file.report("option-value", message, name, *path)
    return data if isinstance(data, dict) and not errors else {}


def _read_terms(data: object, file: _SettingsFile) -> dict[str, Term]:
    """Read the terms of a deprecation policy."""
    from protoc_gen_crd.kubernetes.deprecation_policy import STAGES, Term, is_element  # noqa: PLC0415 - few settings have any

    name = "deprecation_policy"
    if not isinstance(data, dict):
        file.report("option-value", format_invalid(name, TERMS.requirement, _describe_value(data)), name)
        return {}
    channels = file.value.get("channels") if isinstance(file.value, dict) else None
    names = channels if isinstance(channels, list) else Settings().channels
    names = [*STAGES, *(name for name in names if isinstance(name, str))]
    terms: dict[str, Term] = {}
    for key, numbers in data.items():
        if key not in names and not is_element(str(key)):
            message = f'unknown stage or channel "{key}" in "{name}"'
            file.report("option-value", message, name, key, hint=suggest(str(key), names))
        elif not _is_term(numbers, Term._fields):
            _report_term(numbers, key, Term._fields, file)
        else:
            terms[key] = Term(*(numbers.get(field, 0) for field in Term._fields))
    return terms


def _report_term(data: object, key: str, fields: tuple[str, ...], file: _SettingsFile) -> None:
    """Report what is wrong with a term: its type, an unknown key, or a number."""
    path = "deprecation_policy", key
    if not isinstance(data, dict) or not data:
        actual = "an empty mapping" if data == {} else _describe_value(data)
        requirement = f'a mapping with "months" and "releases" from 0 to {_TERM_RANGE[-1]}'
        file.report("option-value", format_invalid(key, requirement, actual), *path)
        return
    for field, number in data.items():
        if field not in fields:
            message = f'unknown key "{field}" in "{key}" (keys: {", ".join(fields)})'
            file.report("option-value", message, *path, field, hint=suggest(str(field), fields))
        elif type(number) is not int or number not in _TERM_RANGE:
            requirement = f"a whole number from 0 to {_TERM_RANGE[-1]}"
            file.report("option-value", format_invalid(field, requirement, _describe_value(number)), *path, field)


def _is_term(data: object, fields: tuple[str, ...]) -> bool:
    has_fields = isinstance(data, dict) and bool(data) and data.keys() <= set(fields)
    return has_fields and all(type(number) is int and number in _TERM_RANGE for number in data.values())  # type: ignore[attr-defined]


def _read_findings(data: object, file: _SettingsFile) -> tuple[PolicyEntry, ...]:
    items = enumerate(_read_list(data, file, "findings", POLICY.requirement))
    return tuple(entry for index, item in items if (entry := _read_finding_entry(item, index, file)))


def _read_finding_entry(data: object, index: int, file: _SettingsFile) -> PolicyEntry | None:
    """Read one entry of the policy, None if it is invalid."""
    if not isinstance(data, dict):
        file.report("option-value", f"entry is {_describe_value(data)}, expected a mapping", "findings", index)
        return None
    if data.get("severity") is False:
        data = {**data, "severity": "off"}  # YAML 1.1 reads a bare `off` as a boolean
    before = len(file.problems.findings)
    for key, value in data.items():
        _check_key(key, value, index, file)
    if "rule" not in data:
        file.report("option-value", 'entry has no "rule"', "findings", index)
    if "path" not in data and "severity" not in data:
        file.report("option-value", 'entry has neither a "severity" nor a "path"', "findings", index)
    path, reason = data.get("path"), data.get("reason", "")
    if isinstance(path, str) and isinstance(reason, str) and not reason.strip():
        message = f'suppression of "{path}" has no reason'
        file.report("policy-reason", message, "findings", index)
    if len(file.problems.findings) > before:
        _check_rule(data.get("rule"), index, file)
        return None
    severity = _SEVERITIES[data.get("severity", "off")]
    place = file.get_place("findings", index)
    path, reason, until = (data.get(key, "") for key in ("path", "reason", "until"))
    return PolicyEntry(data["rule"], severity, path, reason, place, str(until))


def _check_rule(rule: object, index: int, file: _SettingsFile) -> None:
    """Report an unknown rule in an invalid entry."""
    from protoc_gen_crd.findings.rule_catalog import load_rules  # noqa: PLC0415 - few settings are wrong

    if isinstance(rule, str) and rule and (finding := check_rule(rule, load_rules(), None)):
        file.report(finding.rule, finding.message, "findings", index, hint=finding.hint)


def _check_key(key: str, value: object, index: int, file: _SettingsFile) -> None:
    path = ("findings", index, key)
    if key not in _ENTRY_KEYS:
        message = f'unknown key "{key}" in an entry, expected one of {", ".join(_ENTRY_KEYS)}'
        file.report("option-unknown", message, *path, hint=suggest(key, _ENTRY_KEYS))
    elif key == "until":
        from protoc_gen_crd.findings.expiry import is_limit  # noqa: PLC0415 - few entries have an end

        if not is_limit(str(value)) or isinstance(value, float):
            hint = "quote the release" if isinstance(value, float) else ""
            requirement = "a day (YYYY-MM-DD) or a release such as 1.4"
            file.report("option-value", format_invalid(key, requirement, _describe_value(value)), *path, hint=hint)
    elif not isinstance(value, str) or not value:
        file.report("option-value", format_invalid(key, "a string", _describe_value(value)), *path)
    elif key == "severity" and value not in _SEVERITIES:
        message = format_invalid("severity", f"one of {', '.join(_SEVERITIES)}", f'"{value}"')
        file.report("option-value", message, *path, hint=suggest(value, _SEVERITIES))


_TYPE_NAMES = {type(None): "nothing", list: "a list", dict: "a mapping"}


def _describe_value(data: object) -> str:
    """Format a value for a message."""
    if isinstance(data, str):
        return f'"{data}"'
    return _TYPE_NAMES.get(type(data)) or f"the {type(data).__name__} {str(data).lower()}"
