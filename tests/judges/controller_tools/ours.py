"""The judge's synthetic definitions as forms of this project's grammar, and what it reads in a marker of theirs."""

from __future__ import annotations

import json
from typing import Any

from protoc_gen_crd.markers.marker_argument_parser import (
    DEFAULT,
    Argument,
    ArgumentType,
    MarkerDefinition,
    parse_marker,
    split_names,
)
from protoc_gen_crd.markers.marker_value_parser import ControllerToolsDialect

ANONYMOUS: dict[str, ArgumentType] = {
    "S": "STRING",
    "I": "INT",
    "N": "NUMBER",
    "B": "BOOL",
    "L": "STRINGS",
    "E": "ANYS",
    "M": "STRING_MAP",
    "A": "ANY",
    "J": "JSON",
    "C": "COUNT",
    "D": "BOUND",
    "k8s:C": "COUNT",
    "k8s:D": "BOUND",
}
NAMED: dict[str, ArgumentType] = {
    "str": "STRING",
    "int": "INT",
    "num": "NUMBER",
    "bool": "BOOL",
    "sl": "STRINGS",
    "enum": "ANYS",
    "m": "STRING_MAP",
    "any": "ANY",
}
FORMS = {
    **{
        name: MarkerDefinition((Argument("", kind),), comments=name.startswith("k8s:"))
        for name, kind in ANONYMOUS.items()
    },
    "F": MarkerDefinition(()),
    "a:X": MarkerDefinition(tuple([Argument(name, kind, name != "str") for name, kind in NAMED.items()])),
}
ZEROS: dict[str, Any] = {"str": "", "int": 0, "num": 0, "bool": None, "sl": [], "enum": [], "m": None, "any": None}

Answer = dict[str, Any] | str | None  # values by argument; None: rejected; a string: no such definition
Note = tuple[str, str]  # message, advice


def given(values: dict[str, Any]) -> dict[str, Any]:
    """Return the values without those that Go cannot distinguish from missing arguments."""
    return {name: value for name, value in values.items() if name not in ZEROS or value != ZEROS[name]}


def read(marker: str, dialect: ControllerToolsDialect = DEFAULT) -> tuple[Answer, list[Note]]:
    """Return how this project parses a marker, with the notes on controller-gen."""
    names = split_names(marker)
    name = names.anonymous if names.anonymous in FORMS else names.name
    if name not in FORMS:
        return "unknown", []
    parsed = parse_marker(marker[len(name) :], FORMS[name], dialect)
    notes = [(note.message, note.hint) for note in parsed.notes if note.message.startswith("controller-gen v")]
    return (None if parsed.errors else given(dict(parsed.values))), notes


def same(first: Answer, second: Answer) -> bool:
    """Equal, and of equal types."""
    return json.dumps(first, sort_keys=True) == json.dumps(second, sort_keys=True)


def explained(marker: str, theirs: Answer) -> str | None:
    """Return the advice of the notes where DEFAULT differs from the newest controller-tools, empty for no difference.

    None if a difference has no note, or if a note describes a difference that does not exist.
    """
    ours, notes = read(marker)
    if ours is None and theirs is not None and "null" in json.dumps(theirs):
        return "it reads a value that is missing before a brace as null"
    claims = [message.removeprefix("controller-gen v0.23.0 ") for message, _ in notes]
    if same(ours, theirs):
        expected: list[str] = []
    elif theirs is None:
        expected = ["rejects this"]
    elif not isinstance(theirs, dict) or not isinstance(ours, dict):
        return None
    else:
        differing = [name for name in {**ours, **theirs} if ours.get(name) != theirs.get(name)]
        expected = [f"reads {_what(name)} as {_shown(name, theirs)}" for name in differing]
    return "; ".join(sorted({advice for _, advice in notes})) if sorted(claims) == sorted(expected) else None


def _what(argument: str) -> str:
    return f'argument "{argument}"' if argument else "this value"


def _shown(argument: str, values: dict[str, Any]) -> str:
    return json.dumps(values.get(argument, ZEROS.get(argument)), ensure_ascii=False, sort_keys=True)
