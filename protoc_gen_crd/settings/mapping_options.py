"""Readers of the options whose values are mappings: types, overrides, conversions, hubs, and profiles."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from protoc_gen_crd.base.suggestions import suggest
from protoc_gen_crd.findings.finding import Location
from protoc_gen_crd.settings.deprecation_policy_option import read_deprecation_policy
from protoc_gen_crd.settings.option_errors import format_invalid
from protoc_gen_crd.settings.option_types import (
    GROUP_HUBS,
    HUBS,
    OVERRIDES,
    PROFILE,
    PROFILES,
    RULES,
    SELECTOR,
    TERMS,
    TYPES,
    OptionType,
)
from protoc_gen_crd.settings.settings import ConversionsEntry, HubEntry, OverrideEntry, TypeEntry
from protoc_gen_crd.settings.settings_document import DocumentPath, SettingsDocument, describe_value

Entries = Mapping[Any, Any]  # the value of an option that is a mapping


def _read_types(data: Entries, file: SettingsDocument) -> dict[str, TypeEntry]:
    """Read schemas by message name. Their content is checked where it is used."""
    return {name: TypeEntry(schema, partial(_locate_in_entry, file, "types", name)) for name, schema in data.items()}


def _read_overrides(data: Entries, file: SettingsDocument) -> dict[str, OverrideEntry]:
    """Read markers by the full names of elements. Their content is checked where it is used."""
    return {
        name: OverrideEntry(
            values,
            partial(_locate_in_entry, file, "overrides", name),
            partial(_read_word_in_entry, file.read_word, "overrides", name) if file.read_word else None,
        )
        for name, values in data.items()
    }


def _locate_in_entry(file: SettingsDocument, option: str, name: str, path: DocumentPath) -> Location:
    return file.get_place(option, name, *path)


def _read_word_in_entry(read_word: Callable[[DocumentPath], str], option: str, name: str, path: DocumentPath) -> str:
    return read_word((option, name, *path))


def _read_conversions(data: Entries, file: SettingsDocument) -> dict[str, ConversionsEntry]:
    """Read lists of conversions by the names of CRDs. Their content is checked where it is used."""
    entries: dict[str, ConversionsEntry] = {}
    for name, conversions in data.items():
        if isinstance(conversions, list):
            entries[str(name)] = ConversionsEntry(
                conversions, partial(_locate_in_entry, file, "conversions", str(name))
            )
        else:
            message = f'conversions of "{name}" are {describe_value(conversions)}, expected a list'
            file.report("option-value", message, "conversions", name)
    return entries


def _read_hubs(data: Entries, file: SettingsDocument, *, name: str) -> dict[str, HubEntry]:
    """Read hub versions by the names of CRDs or API groups. Whether these exist is checked where they are used."""
    hubs: dict[str, HubEntry] = {}
    for key, version in data.items():
        if isinstance(version, str) and version:
            hubs[str(key)] = HubEntry(version, file.get_place(name, key))
        else:
            message = f'hub version of "{key}" is {describe_value(version)}, expected the name of a version'
            file.report("option-value", message, name, key)
    return hubs


def _read_profiles(data: Entries, file: SettingsDocument) -> dict[str, str]:
    """Read profiles by group or kind. Whether these exist is checked where they are used."""
    name = "profiles"
    profiles: dict[str, str] = {}
    for key, profile in data.items():
        if isinstance(profile, str) and profile in PROFILE.names:
            profiles[str(key)] = profile
        else:
            message = f'profile of "{key}" is {describe_value(profile)}, expected {PROFILE.requirement}'
            hint = suggest(profile, PROFILE.names) if isinstance(profile, str) else ""
            file.report("option-value", message, name, key, hint=hint)
    return profiles


def _read_selector(data: Entries, file: SettingsDocument) -> Mapping[str, object]:
    """Read a label selector."""
    from protoc_gen_crd.settings.label_selectors import validate_selector  # noqa: PLC0415 - few settings have any

    name = "policy_namespaces"
    errors = list(validate_selector(data))
    for path, requirement, value in errors:
        actual = value if isinstance(value, str) and not path else describe_value(value)
        message = format_invalid(".".join([name, *map(str, path)]), requirement, actual)
        file.report("option-value", message, name, *path)
    return {} if errors else data


READERS: Mapping[OptionType, Callable[[Entries, SettingsDocument], object]] = {
    TYPES: _read_types,
    OVERRIDES: _read_overrides,
    RULES: _read_conversions,
    HUBS: partial(_read_hubs, name="hub_versions"),
    GROUP_HUBS: partial(_read_hubs, name="group_hubs"),
    PROFILES: _read_profiles,
    SELECTOR: _read_selector,
    TERMS: read_deprecation_policy,
}
