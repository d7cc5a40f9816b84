"""What else an option can be written as, from the alias table read backwards."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from docs.reference.text import code
from protoc_gen_crd.markers.marker_definitions import ALIASES, Alias
from protoc_gen_crd.markers.marker_grammar import Argument, ArgumentType

# How the page shows a value of each kind, and one that the table can turn into an option's.
_SHOWN = {
    ArgumentType.INT: "N",
    ArgumentType.COUNT: "N",
    ArgumentType.NUMBER: "N",
    ArgumentType.BOUND: "N",
    ArgumentType.STRING: "TEXT",
    ArgumentType.STRINGS: "A;B",
    ArgumentType.STRING_MAP: "{A: B}",
    ArgumentType.ANY: "VALUE",
    ArgumentType.ANYS: "A;B",
    ArgumentType.JSON: "JSON",
}
_VALUES: Mapping[ArgumentType, Any] = {ArgumentType.STRING: "a", ArgumentType.STRINGS: ["a=b"], ArgumentType.INT: 1}
_FAMILY = {
    ("Schema", "int_or_string"): ["+protoc-gen-crd:validation:XIntOrString"],
    ("Schema", "ignore_rules"): ['+protoc-gen-crd:validation:IgnoreSubValidation:["TEXT"]'],
    ("Schema", "no_duration_check"): ["+protoc-gen-crd:duration-validation:none"],
    ("Schema", "items"): ["+kubebuilder:validation:items:...", "+protoc-gen-crd:list-value-validation:..."],
    ("Schema", "values"): ["+protoc-gen-crd:map-value-validation:..."],
}


def spellings_of(message: str, option: str) -> list[str]:
    """The comment markers that set an option, as code."""
    found = [*_reverse().get((message, option), ()), *map(code, _FAMILY.get((message, option), ()))]
    return list(dict.fromkeys(found))


@cache
def _reverse() -> dict[tuple[str, str], list[str]]:
    found: dict[tuple[str, str], list[str]] = {}
    for alias in ALIASES.values():
        for (message, option), spelling in _spellings(alias):
            no = " for false" if _says_no(alias, option) else ""
            found.setdefault((message, option), []).append(code(spelling) + no)
    return found


def _says_no(alias: Alias, option: str) -> bool:
    """Whether the marker is a flag that sets its option to false."""
    if alias.definition.arguments:
        return False
    value = alias.value({})
    return value is False or (isinstance(value, dict) and value.get(option) is False)


def _spellings(alias: Alias) -> Iterator[tuple[tuple[str, str], str]]:
    """The options that a marker sets, with how it is written for each."""
    arguments = alias.definition.arguments
    if alias.option not in ("resource", "package"):
        if not alias.option.startswith("items."):
            yield ("Schema", alias.option), _written(alias, arguments, sample=True)
        return
    for sample in (True, False) if [one.kind for one in arguments] == [ArgumentType.BOOL] else (True,):
        for member in _members(alias, arguments, sample):
            setting = [one for one in arguments if member in _members(alias, (one,), sample)] or arguments
            yield (alias.option.capitalize(), member), _written(alias, setting, sample)


def _members(alias: Alias, arguments: Sequence[Argument], sample: object) -> list[str]:
    """The members that a resource or package marker sets with these arguments alone; none if it wants more."""
    try:
        values = alias.value(
            {one.name: sample if one.kind is ArgumentType.BOOL else _VALUES[one.kind] for one in arguments}
        )
    except KeyError:
        return []
    return [member for member, value in values.items() if value not in ({}, [{}])]


def _written(alias: Alias, arguments: Sequence[Argument], sample: object) -> str:
    text = ""
    for one in arguments:
        shown = str(sample).lower() if one.kind is ArgumentType.BOOL else _SHOWN[one.kind]
        part = f"{one.name}={shown}"
        between = "," if text else ""
        text += f"[{between}{part}]" if one.optional and text else f"{between}{part}"
    colon = ":" if arguments and arguments[0].name else ""
    return f"+{alias.name}{colon}{text}"
