"""The options that options.proto declares: a MarkerOption for each field of its messages.

They are read from a generated table: the import of `options_pb2` would take 1 % of a plugin run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.markers.marker_ranges import ENDS, Bounds, get_bounds
from protoc_gen_crd.markers.option_rows import ENUMS, EXTENSION_NUMBERS, MESSAGES

PACKAGE = "protoc_gen_crd.v1"
NUMBERS = frozenset(EXTENSION_NUMBERS)
EMPTY_DURING = '"during" has a range and sets no options'
EMPTY_DURING_HINT = "set options for the range, or remove it"


class MarkerOption(Record):
    """An option: its name, the type of its value, and its properties as a marker (message Marker of options.proto).

    `kind` is bool, integer, number, string, enum, or message. `message` is the name of the message or enum type. `bits`
    is the size of an integer.
    """

    name: str
    number: int
    kind: str
    repeated: bool
    message: str
    keyword: str
    targets: tuple[str, ...]
    types: tuple[str, ...]
    order: int
    json: bool
    values: tuple[str, ...]
    whole: bool
    bits: int


def _read_options(message: str) -> dict[str, MarkerOption]:
    return {row[0]: MarkerOption(*row) for row in MESSAGES[message]}


SCHEMA = _read_options("Schema")


class SchemaOption(Record):
    """An option in a value of message Schema, at the path `steps`. `numbers` are its descriptor path in the value.

    `within` are its version ranges.
    """

    option: MarkerOption
    steps: tuple[str, ...]
    value: Any
    numbers: tuple[int, ...]
    within: tuple[Bounds, ...]


def flatten_options(
    values: Mapping[str, Any],
    steps: tuple[str, ...] = (),
    numbers: tuple[int, ...] = (),
    within: tuple[Bounds, ...] = (),
) -> Iterator[SchemaOption]:
    """Split a value of message Schema into single options, also in `items`, `values`, `during`, and rules."""
    for name, value in values.items():
        option = SCHEMA.get(name)
        if option is None:
            continue
        path = (*numbers, option.number)
        if name == "during":
            for index, entry in enumerate(value):
                members = {member: inner for member, inner in entry.items() if member not in ENDS}
                yield from flatten_options(
                    members, steps, (*path, index), (*within, *(get_bounds(entry) or _UNBOUNDED))
                )
        elif option.message == "Schema":
            yield from flatten_options(value, (*steps, name), path, within)
        elif option.repeated and option.message:
            for index, entry in enumerate(value):
                yield SchemaOption(option, steps, [entry], (*path, index), (*within, *get_bounds(entry)))
        else:
            yield SchemaOption(option, steps, value, (*path, 0) if option.repeated else path, within)


_UNBOUNDED: tuple[Bounds, ...] = ((None, None),)


def find_empty_during(values: Mapping[str, Any], numbers: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Yield the descriptor paths of entries of `during` that set nothing, in a value of message Schema."""
    for name, value in values.items():
        option = SCHEMA.get(name)
        path = (*numbers, option.number) if option else numbers
        if name == "during":
            yield from (
                (*path, index)
                for index, entry in enumerate(value)
                if all(leaf.option.name in ENDS for leaf in flatten_options(entry))
            )
        elif option is not None and option.message == "Schema":
            yield from find_empty_during(value, path)


@cache
def get_message_options(message: str) -> dict[str, MarkerOption]:
    """Return the options of a message of options.proto, such as `Resource`."""
    return SCHEMA if message == "Schema" else _read_options(message)


_TYPES: Mapping[str, tuple[type, ...]] = {
    "bool": (bool,),
    "enum": (str,),
    "integer": (int,),
    "message": (dict,),
    "number": (int, float),
    "string": (str,),
}


def is_valid_value(option: MarkerOption, value: object) -> bool:
    """Return whether a value in plain data has the type of an option. Only another options.proto can differ."""
    if option.message.endswith("Entry"):
        return isinstance(value, dict) and all(type(part) is str for pair in value.items() for part in pair)
    if option.repeated:
        return isinstance(value, list) and all(is_valid_value(option.replace(repeated=False), item) for item in value)
    if option.kind == "enum":
        return isinstance(value, str) and value in ENUMS[option.message]
    return isinstance(value, _TYPES[option.kind]) and (option.kind == "bool") == isinstance(value, bool)


def get_enum_names(enum: str) -> tuple[str, ...]:
    """Return the values of an enum of options.proto without the unspecified value."""
    return tuple([name for name, number in ENUMS[enum].items() if number])
