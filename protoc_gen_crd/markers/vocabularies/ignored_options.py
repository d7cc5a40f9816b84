"""Options of other vocabularies that the settings ignore.

A name is a vocabulary (`buf.validate`), an option (`buf.validate.field`), or a member of an option
(`buf.validate.field.string.min_bytes`). It also applies to the rules of items, keys, and values.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from protoc_gen_crd.base.suggestions import suggest
from protoc_gen_crd.findings.finding import Place, Problems
from protoc_gen_crd.markers.vocabularies.registry import READERS
from protoc_gen_crd.markers.vocabularies.unsupported_options import UNSUPPORTED
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.custom_options import OptionValue
from protoc_gen_crd.settings.option_errors import format_invalid

_OPTIONS = (*READERS, *UNSUPPORTED)
VOCABULARIES = tuple(dict.fromkeys(name.rpartition(".")[0] for name in _OPTIONS))
_PARTS = ((".repeated", "items"), (".map", "keys"), (".map", "values"))  # members with the rules of parts of a value
_REQUIREMENT = "the name of a vocabulary, or of one of its options"


class IgnoredOptions:
    """The ignored options by name."""

    def __init__(self, names: Iterable[str]) -> None:
        self._names = tuple(names)

    def reduce(self, option: OptionValue) -> OptionValue | None:
        """Return an option without its ignored members, None if it is ignored as a whole."""
        if option.name not in _OPTIONS:
            return option
        if option.name in self._names or option.name.rpartition(".")[0] in self._names:
            return None
        return OptionValue(option.name, self._reduce_value(option.value, option.name, option.name), option.path)

    def _reduce_value(self, value: Any, path: str, plain: str) -> Any:
        """Reduce the value at a path. `plain` is the path without `items`, `keys`, and `values`."""
        if isinstance(value, list):
            remaining = [item for item in value if not isinstance(item, str) or f"{path}.{item}" not in self._names]
            return [self._reduce_value(item, path, plain) for item in remaining]
        return self._reduce_members(value, path, plain) if isinstance(value, dict) else value

    def _reduce_members(self, values: dict[str, Any], path: str, plain: str) -> dict[str, Any]:
        remaining: dict[str, Any] = {}
        for name, value in values.items():
            member_path, plain_path = f"{path}.{name}", f"{plain}.{name}"
            if member_path not in self._names and plain_path not in self._names:
                remaining[name] = self._reduce_value(value, member_path, _remove_part(plain, name))
        return remaining


def _remove_part(plain: str, name: str) -> str:
    parent = next((end for end, part in _PARTS if part == name and plain.endswith(end)), "")
    return plain.removesuffix(parent) if parent else f"{plain}.{name}"


def check_names(names: Sequence[str], api: ApiSet, at: Place | None, problems: Problems) -> None:
    """Report unknown names. Members are checked if the request declares them."""
    for name in names:
        alternatives = _find_alternatives(name, api)
        if alternatives:
            problem = format_invalid("ignored_options", _REQUIREMENT, f'"{name}"')
            problems.report("option-value", problem, at, hint=suggest(name, alternatives))


def _find_alternatives(name: str, api: ApiSet) -> list[str]:
    """Return the names that can be in the place of an unknown name; empty if the name is known."""
    if name in VOCABULARIES or name in _OPTIONS:
        return []
    option = next((candidate for candidate in _OPTIONS if name.startswith(f"{candidate}.")), None)
    if option is None:
        return [*VOCABULARIES, *_OPTIONS]
    extension = api.find_option(option)
    path, type_name = option, extension.type_name if extension else ""
    for part in name.removeprefix(f"{option}.").split("."):
        members = _list_members(type_name, api)
        if members and part not in members:
            return [f"{path}.{member}" for member in members]
        path, type_name = f"{path}.{part}", members.get(part, "")
    return []


def _list_members(type_name: str, api: ApiSet) -> dict[str, str]:
    """List the fields of a message with their types, or the values of an enum; empty if it is not declared."""
    message = api.find_message(type_name)
    enum = api.find_enum(type_name) if message is None else None
    if message is not None:
        return {field.name: field.type_name for field in message.fields}
    return {value.name: "" for value in enum.values} if enum else {}
