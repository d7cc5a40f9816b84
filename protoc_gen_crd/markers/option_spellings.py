"""The comment markers that set an option, from the table of marker definitions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.markers.marker_aliases import ALIASES, Alias
from protoc_gen_crd.markers.marker_argument_parser import Argument, ArgumentType
from protoc_gen_crd.markers.option_declarations import get_message_options

# The placeholder of each type of value, and a value that marker definitions convert.
_PLACEHOLDERS = {
    "INT": "N",
    "COUNT": "N",
    "NUMBER": "N",
    "BOUND": "N",
    "STRING": "TEXT",
    "STRINGS": "A;B",
    "STRING_MAP": "{A: B}",
    "ANY": "VALUE",
    "ANYS": "A;B",
    "JSON": "JSON",
}
_VALUES: Mapping[ArgumentType, Any] = {"STRING": "a", "STRINGS": ["a=b"], "INT": 1}
_FAMILIES = {
    ("Schema", "int_or_string"): ["+protoc-gen-crd:validation:XIntOrString"],
    ("Schema", "ignore_rules"): ['+protoc-gen-crd:validation:IgnoreSubValidation:["TEXT"]'],
    ("Schema", "no_duration_check"): ["+protoc-gen-crd:duration-validation:none"],
    ("Schema", "items"): ["+kubebuilder:validation:items:...", "+protoc-gen-crd:list-value-validation:..."],
    ("Schema", "values"): ["+protoc-gen-crd:map-value-validation:..."],
}


class Spelling(Record):
    """A comment marker with placeholders for its values. `is_negative` if it sets its option to false."""

    marker: str
    is_negative: bool = False


def list_spellings(message: str, option: str) -> list[Spelling]:
    """Return the comment markers that set an option of a message of options.proto, such as Schema."""
    families = map(Spelling, _FAMILIES.get((message, option), ()))
    return list(dict.fromkeys([*_index_spellings().get((message, option), ()), *families]))


def list_marker_options(name: str) -> list[tuple[str, str]]:
    """Return the options that a comment marker sets, each with its message; none for an unknown marker."""
    aliases = [alias for alias in ALIASES.values() if alias.name == name]
    options = [option for alias in aliases for option, _ in _list_option_spellings(alias)]
    return [pair for pair in dict.fromkeys(options) if pair[1] in get_message_options(pair[0])]


@cache
def _index_spellings() -> dict[tuple[str, str], list[Spelling]]:
    spellings: dict[tuple[str, str], list[Spelling]] = {}
    for alias in ALIASES.values():
        for (message, option), marker in _list_option_spellings(alias):
            spelling = Spelling(marker, _is_negative(alias, option))
            spellings.setdefault((message, option), []).append(spelling)
    return spellings


def _is_negative(alias: Alias, option: str) -> bool:
    """Return whether the marker is a flag that sets its option to false."""
    if alias.definition.arguments:
        return False
    value = alias.value({})
    return value is False or (isinstance(value, dict) and value.get(option) is False)


def _list_option_spellings(alias: Alias) -> Iterator[tuple[tuple[str, str], str]]:
    """Yield the options that a marker sets, each with the marker that sets it."""
    arguments = alias.definition.arguments
    if alias.option not in ("resource", "package"):
        if not alias.option.startswith("items."):
            yield ("Schema", alias.option), _format_marker(alias, arguments, sample=True)
        return
    for sample in (True, False) if [argument.kind for argument in arguments] == ["BOOL"] else (True,):
        for member in _list_members(alias, arguments, sample):
            setting = [argument for argument in arguments if member in _list_members(alias, (argument,), sample)]
            yield (alias.option.capitalize(), member), _format_marker(alias, setting or arguments, sample)


def _list_members(alias: Alias, arguments: Sequence[Argument], sample: object) -> list[str]:
    """Return the members that a resource or package marker sets with these arguments alone."""
    values = {argument.name: sample if argument.kind == "BOOL" else _VALUES[argument.kind] for argument in arguments}
    try:
        values = alias.value(values)
    except KeyError:
        return []
    return [member for member, value in values.items() if value not in ({}, [{}])]


def _format_marker(alias: Alias, arguments: Sequence[Argument], sample: object) -> str:
    written = ""
    for argument in arguments:
        placeholder = str(sample).lower() if argument.kind == "BOOL" else _PLACEHOLDERS[argument.kind]
        assignment = f"{argument.name}={placeholder}"
        separator = "," if written else ""
        written += f"[{separator}{assignment}]" if argument.optional and written else f"{separator}{assignment}"
    colon = ":" if arguments and arguments[0].name else ""
    return f"+{alias.name}{colon}{written}"
