"""Options of other vocabularies that the settings turn off, as a whole vocabulary or by option.

A name is a vocabulary (`buf.validate`), an option (`buf.validate.field`) or a member of one
(`buf.validate.field.string.min_bytes`). It also applies to the rules of items, keys and values.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from protoc_gen_crd.base.suggestions import suggest
from protoc_gen_crd.findings.finding import Place, Problems
from protoc_gen_crd.markers.vocabularies.registry import READERS, UNREAD
from protoc_gen_crd.proto.api_set import ApiSet
from protoc_gen_crd.proto.custom_options import OptionValue
from protoc_gen_crd.settings.option_errors import format_invalid

_OPTIONS = (*READERS, *UNREAD)
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
        """Reduce the value at a path; `plain` is the path as if the rules of items were those of the field."""
        if isinstance(value, list):
            kept = [one for one in value if not isinstance(one, str) or f"{path}.{one}" not in self._names]
            return [self._reduce_value(one, path, plain) for one in kept]
        return self._reduce_members(value, path, plain) if isinstance(value, dict) else value

    def _reduce_members(self, values: dict[str, Any], path: str, plain: str) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, value in values.items():
            whole, below = f"{path}.{name}", f"{plain}.{name}"
            if whole not in self._names and below not in self._names:
                found[name] = self._reduce_value(value, whole, _remove_part(plain, name))
        return found


def _remove_part(plain: str, name: str) -> str:
    around = next((end for end, part in _PARTS if part == name and plain.endswith(end)), "")
    return plain.removesuffix(around) if around else f"{plain}.{name}"


def check_names(names: Sequence[str], api: ApiSet, at: Place | None, problems: Problems) -> None:
    """Report names that are no options, as far as the request declares them."""
    for name in names:
        known = _find_alternatives(name, api)
        if known:
            problem = format_invalid("ignored_options", _REQUIREMENT, f'"{name}"')
            problems.report("option-value", problem, at, hint=suggest(name, known))


def _find_alternatives(name: str, api: ApiSet) -> list[str]:
    """Return the known names, empty if the name is one of them."""
    if name in VOCABULARIES or name in _OPTIONS:
        return []
    option = next((known for known in _OPTIONS if name.startswith(f"{known}.")), None)
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
