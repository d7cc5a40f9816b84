"""Conversion of values of overrides in YAML or TOML to values of options, as options.proto declares them."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from typing import Any

from protoc_gen_crd.base.suggestions import did_you_mean, suggest
from protoc_gen_crd.findings.finding import Problems
from protoc_gen_crd.markers.marker import JsonText
from protoc_gen_crd.markers.marker_value_parser import MAX_DEPTH
from protoc_gen_crd.markers.marker_value_scanner import parse_number
from protoc_gen_crd.markers.native_marker_syntax import describe_type, format_names
from protoc_gen_crd.markers.option_declarations import (
    SCHEMA,
    MarkerOption,
    get_enum_names,
    get_message_options,
    is_valid_value,
)
from protoc_gen_crd.markers.override_place import OverridePlace, SettingsPath
from protoc_gen_crd.markers.vocabularies.registry import READERS

_KEYWORDS = "keywords"  # a JSON object
_WHOLE = ("ExternalDocs",)  # messages that one marker sets
OptionPath = tuple[str, ...]  # names of options, such as `items.max_length`, and keys of maps


class OverrideReader:
    """Reads the override of an element. Values of a wrong type are findings. `removed` has the paths of nulls."""

    def __init__(self, problems: Problems) -> None:
        self.removed: dict[OptionPath, OverridePlace] = {}
        self._problems = problems

    def read_message(
        self, values: Mapping[str, Any], message: str, at: OverridePlace, path: OptionPath = ()
    ) -> dict[str, Any]:
        """Return the valid values of a message of options.proto."""
        options = get_message_options(message)
        result: dict[str, Any] = {}
        if len(path) > MAX_DEPTH:
            self.report("marker-parse", f"path of an option has more than {MAX_DEPTH} steps", at)
            return result
        for name, value in values.items():
            option, place, inner = options.get(name), at.append(name), (*path, name)
            if option is None:
                self.report_unknown(inner, options, place)
            elif value is None:
                self.removed[inner] = place
            elif (converted := self._read_option(option, value, place, inner)) is not None:
                result[name] = converted
        return result

    def report_unknown(self, path: OptionPath, options: Collection[str], at: OverridePlace) -> None:
        """Report an option that does not exist, with the most similar option as hint."""
        hint = suggest(path[-1], options)
        if "resource" in options and path[0] in get_message_options("Resource"):
            hint = f'did you mean "resource: {{{path[0]}: ...}}"?'
        if path[-1].startswith("+") or ":" in path[-1]:
            hint = _suggest_option(path[-1], options)
        elif path[-1] == "optional" and "required" in options:
            hint = 'write "required: false"'
        elif path[-1] in READERS:
            hint = did_you_mean(f"({path[-1]})")
        self.report("marker-unknown", f'unknown option "{".".join(path)}"', at, hint or format_names(sorted(options)))

    def report(self, rule: str, problem: str, at: OverridePlace, hint: str = "") -> None:
        """Report a finding about the element."""
        self._problems.report(rule, problem, at, path=at.find_owner(), hint=hint)

    def _read_option(self, option: MarkerOption, value: Any, at: OverridePlace, path: OptionPath) -> Any:
        if option.message.endswith("Entry"):
            return self._read_map(value, at, path)
        if not option.repeated:
            return self._read_value(option, value, at, path)
        if not isinstance(value, list):
            self.report_value("a list", value, at, path)
            return None
        items = [self._read_item(option, item, at.append(index), path) for index, item in enumerate(value)]
        return None if None in items else items

    def _read_item(self, option: MarkerOption, item: Any, at: OverridePlace, path: OptionPath) -> Any:
        """Return the value of an item, and report nulls in it: they would remove nothing, as the list is replaced."""
        reader = OverrideReader(self._problems)
        result = reader._read_value(option, item, at, path)
        for inner, place in reader.removed.items():
            self.report("marker-parse", f'"{".".join(inner)}" is null in a list', place, "remove the key")
        return result

    def _read_map(self, value: Any, at: OverridePlace, path: OptionPath) -> Any:
        if not isinstance(value, dict):
            self.report_value("a mapping of strings", value, at, path)
            return None
        self.removed |= {(*path, key): at.append(key) for key, member in value.items() if member is None}
        entries = {key: member for key, member in value.items() if member is not None}
        for key in [key for key, member in entries.items() if not isinstance(member, str)]:
            self.report_value("a string", entries.pop(key), at.append(key), (*path, key))
        return entries

    def _read_value(self, option: MarkerOption, value: Any, at: OverridePlace, path: OptionPath) -> Any:
        if option.kind == "message" and isinstance(value, dict):
            return self.read_message(value, option.message, at, path)
        is_keywords = option.name == _KEYWORDS and isinstance(value, dict)
        if is_keywords or (option.json and isinstance(value, (bool, int, float, list, dict, type(None)))):
            from protoc_gen_crd.base import bounded_json  # noqa: PLC0415 - few overrides have such values

            with suppress(TypeError, RecursionError):  # a date of TOML, or deep nesting
                return JsonText(bounded_json.format_json(value))
        elif _fits(option, value):
            return value
        self.report_value(_describe(option), value, at, path)
        return None

    def report_value(self, expected: str, value: Any, at: OverridePlace, path: OptionPath) -> None:
        """Report a value of a wrong type."""
        hint = 'begin each item with "- "' if expected == "a list" and isinstance(value, (str, dict)) else ""
        hint = "quote the value" if expected == "a string" and isinstance(value, (bool, int, float)) else hint
        is_quoted = value in ("true", "false") if expected == "true or false" else _is_quoted_number(expected, value)
        hint = "remove the quotes" if is_quoted else hint
        self.report(
            "marker-parse", f'expected {expected} for "{".".join(path)}", found {_describe_value(value)}', at, hint
        )


def _is_quoted_number(expected: str, value: Any) -> bool:
    return expected.endswith(("integer", "number")) and isinstance(value, str) and parse_number(value) is not None


def _suggest_option(marker: str, options: Collection[str]) -> str:
    """Return a hint for a comment marker in place of its option."""
    from protoc_gen_crd.markers.option_spellings import list_marker_options  # noqa: PLC0415 - only an error pays for it

    name = marker.removeprefix("+").partition("=")[0]
    return did_you_mean(next((option for _, option in list_marker_options(name) if option in options), None))


def _fits(option: MarkerOption, value: Any) -> bool:
    """Check the type of a single value, and the size of an integer."""
    if option.kind == "enum":
        return isinstance(value, str) and value in get_enum_names(option.message)
    limit = 1 << (option.bits - 1)
    sized = option.kind != "integer" or (type(value) is int and -limit <= value < limit)
    return sized and is_valid_value(option.replace(repeated=False), value)


def _describe(option: MarkerOption) -> str:
    if option.kind == "message":
        return f"a mapping of the options of {option.message}"
    if option.json:
        return "a JSON value"
    return f"a {option.bits}-bit integer" if option.kind == "integer" else describe_type(option)


def _describe_value(value: Any) -> str:
    names = {dict: "a mapping", list: "a list", type(None): "null"}
    scalar = str(value).lower() if isinstance(value, bool) else value
    return names.get(type(value)) or (f'"{value}"' if isinstance(value, str) else str(scalar))


def list_paths(values: Mapping[str, Any], message: str, path: OptionPath = ()) -> Iterator[OptionPath]:
    """Yield the paths of the options that the values of a message set. A list is a single option."""
    options = get_message_options(message)
    for name, value in values.items():
        option, inner = options[name], (*path, name)
        if option.repeated and not isinstance(value, dict):
            yield inner
        elif option.message.endswith("Entry"):
            yield from ((*inner, key) for key in value)
        elif option.kind == "message" and option.message not in _WHOLE:
            yield from list_paths(value, option.message, inner)
        else:
            yield inner


def name_steps(numbers: tuple[int, ...]) -> SettingsPath:
    """Convert the descriptor path of an option in a value of message Schema to a path in the settings."""
    by_number = {option.number: option for option in SCHEMA.values()}
    steps: list[str | int] = []
    option: MarkerOption | None = None
    for number in numbers:
        if option is not None and option.repeated:
            steps, option = [*steps, number], None
        else:
            option = by_number[number]
            steps.append(option.name)
    return tuple(steps[:-1] if option is None and steps and not _is_message(steps) else steps)


def _is_message(steps: list[str | int]) -> bool:
    """Return whether the items of the list at the end of a path are messages, which have places."""
    return len(steps) > 1 and bool(SCHEMA[str(steps[-2])].message)
