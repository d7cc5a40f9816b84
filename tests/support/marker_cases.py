"""Cases of markers as described in testdata/markers/README.md: read from the files, with the markers of each."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from protoc_gen_crd.markers.ignored_markers import INERT
from protoc_gen_crd.markers.marker_aliases import ALIASES
from protoc_gen_crd.markers.marker_argument_parser import split_names
from protoc_gen_crd.markers.option_declarations import get_message_options
from tests.conftest import ROOT
from tests.support.yaml_data import load_yaml

FOLDER = ROOT / "testdata" / "markers"

# What a case marks: the option of options.proto that contains its options, their message, and the target of comments.
KINDS = {
    "field": ("field", "Schema", "F"),
    "member": ("field", "Schema", "F"),
    "message": ("message", "Schema", "T"),
    "enum": ("enum", "Schema", "E"),
    "value": ("enum_value", "EnumValue", "V"),
    "oneof": ("oneof", "Oneof", "O"),
    "resource": ("resource", "Resource", "T"),
    "package": ("file", "Package", "P"),
    "proto": ("", "", ""),
}
FAMILY = ("map-value-validation", "list-value-validation", "duration-validation", "XIntOrString", "IgnoreSubValidation")

_OWN = "+protoc-gen-crd:"
_VALIDATION = "+kubebuilder:validation:"
_ISTIO = {"items": f"{_OWN}list-value-validation:", "values": f"{_OWN}map-value-validation:"}


@dataclass(frozen=True)
class Spelling:
    """One way to write the markers of a case: proto options or comment lines, on a type or on a list or map of it."""

    name: str
    options: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    nest: str = ""


@dataclass(frozen=True)
class Case:
    """One case: `kind` is a key of KINDS, `body` is its declaration. `gives` is None for a case of wrong use."""

    topic: str
    name: str
    kind: str
    body: str
    spellings: tuple[Spelling, ...]
    about: frozenset[str]
    gives: Any = None
    declarations: str = ""
    go: Any = ""
    judge: str = ""
    differs: str = ""
    elsewhere: str = ""
    finds: str = ""

    @property
    def id(self) -> str:
        return f"{self.topic}/{self.name}"


@cache
def all_cases() -> dict[str, Case]:
    """Return all cases by id. Raises ValueError for an invalid case."""
    marker_cases = [case for path in sorted(FOLDER.glob("*.yaml")) for case in read(path)]
    cases = {case.id: case for case in marker_cases}
    if len(cases) < len(marker_cases):
        raise ValueError(f"cases need names of their own: {sorted(case.id for case in marker_cases)}")
    return cases


def read(path: Path) -> list[Case]:
    """Return the cases of a file. Raises ValueError or TypeError for an invalid case."""
    return [_case(path.stem, dict(row)) for row in load_yaml(path.read_text("utf-8"))]


def _case(topic: str, row: dict[str, Any]) -> Case:
    kinds = [kind for kind in KINDS if kind in row]
    if len(kinds) != 1:
        raise ValueError(f"{topic}: a case is about one of {', '.join(KINDS)}, found {row}")
    kind, nested = kinds[0], ("", "items", "values") if row.pop("nested", False) else ("",)
    options, aliases = _list(row.pop("option", [])), [_list(alias) for alias in _list(row.pop("alias", []))]
    spellings = [spelling for nest in nested for spelling in _spellings(kind, options, aliases, nest)]
    about = frozenset(_list(row.pop("about", []))) or frozenset(_about(kind, spellings))
    return Case(topic, row.pop("case"), kind, row.pop(kind), tuple(spellings), about, **row)


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _spellings(kind: str, options: list[str], aliases: list[list[str]], nest: str) -> Iterator[Spelling]:
    """Return the options as options and as comments, then every alias; for items also as controller-tools has them."""
    tail, step = nest.capitalize(), f"{nest}." if nest else ""
    if options:
        extension = f"(protoc_gen_crd.v1.{KINDS[kind][0]})"
        prefix = "resource." if kind == "resource" else ""
        written = [f"{_OWN}{prefix}{step}{option.replace(' = ', '=', 1)}" for option in options]
        yield Spelling(f"option{tail}", tuple([f"{extension}.{step}{option}" for option in options]), nest=nest)
        yield Spelling(f"comment{tail}", lines=tuple(written), nest=nest)
    for number, texts in enumerate(aliases, 1):
        if nest:
            lines = [_ISTIO[nest] + text.removeprefix(_VALIDATION) for text in texts]
            yield Spelling(f"istio{number}{tail}", lines=tuple(lines), nest=nest)
        if nest != "values":
            lines = [text.replace(_VALIDATION, f"{_VALIDATION}{nest}:") if nest else text for text in texts]
            yield Spelling(f"alias{number}{tail}", lines=tuple(lines), nest=nest)


def _about(kind: str, spellings: list[Spelling]) -> Iterator[str]:
    for spelling in spellings:
        for option in spelling.options:
            yield from options_of(option.partition(").")[2], KINDS[kind][1])
        for line in spelling.lines:
            yield from names_of(line, KINDS[kind][2])


def options_of(text: str, message: str) -> Iterator[str]:
    """Return the options that a string such as `items.rules = {rule: "..."}` sets, as `Schema.items`, `Rule.rule`."""
    path, _, value = text.partition(" = ")
    for step in path.split("."):
        if not message or step not in get_message_options(message):
            return
        yield f"{message}.{step}"
        message = get_message_options(message)[step].message
    if value.startswith("{") and not message.endswith("Entry"):
        yield from (
            f"{message}.{word}" for word in re.findall(r"\b(\w+):", value) if word in get_message_options(message)
        )


def names_of(line: str, letter: str) -> Iterator[str]:
    """The names that a comment line uses: `+kubebuilder:title F`, `+cue-gen:*:versions`, `+genclient`."""
    if line.startswith("+cue-gen:"):
        yield f"+cue-gen:*:{[*line.split(':'), '', ''][2]}"
        return
    if line.startswith(_OWN):
        yield from _own_names(line.removeprefix(_OWN), letter)
        return
    parts = split_names(line[1:])
    letters = (letter, "T") if letter == "E" else (letter,)
    known = [
        f"+{name} {letter}" for name in (parts.anonymous, parts.name) for letter in letters if (name, letter) in ALIASES
    ]
    inert = [f"+{name}" for name in INERT if re.match(rf"{re.escape(name)}(?![-\w])", parts.anonymous)]
    yield from (known or inert)[:1]


def _own_names(text: str, letter: str) -> Iterator[str]:
    words = re.split("[:=]", text)
    yield from (f"{_OWN}{word}" for word in FAMILY if word in words)
    message = next(message for _, message, kind_letter in KINDS.values() if kind_letter == letter)
    if text.startswith("resource."):
        text, message = text.removeprefix("resource."), "Resource"
    yield from options_of(text.replace("=", " = ", 1), message)
