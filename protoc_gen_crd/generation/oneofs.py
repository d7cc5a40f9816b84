"""Oneofs, and the several names of one field, to OpenAPI or CEL."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Place, Problems
from protoc_gen_crd.markers.collector import MarkerCollector
from protoc_gen_crd.markers.resource_markers import report_twice
from protoc_gen_crd.proto.model import Message, Oneof
from protoc_gen_crd.schema.cel_names import escape_cel_name, is_selectable
from protoc_gen_crd.schema.schema import NAMES, REQUIRED, VALIDATIONS, Schema, ValidationRule


class FieldChoice(Record):
    """JSON names of an object of which at most one may be set; exactly one if the choice is `required`."""

    names: tuple[str, ...]
    required: bool
    at: Place


def collect_choices(
    message: Message,
    names: Mapping[str, Sequence[str]],
    required: Collection[str],
    collector: MarkerCollector,
    problems: Problems,
) -> Iterator[FieldChoice]:
    """The oneofs of a message, then its fields with several names. `names` and `required` go by proto name."""
    for oneof in message.oneofs:
        must = _is_required(oneof, collector, problems)
        if listed := tuple([name for field in oneof.fields for name in names[field]]):
            yield FieldChoice(listed, must, oneof.at)
    for field in message.fields:
        must = field.name in required
        if len(names[field.name]) > 1 and (must or field.oneof < 0):
            yield FieldChoice(tuple(names[field.name]), must, field.at)


def note_names(properties: dict[str, Schema], names: Sequence[str], *, required: bool) -> None:
    """Have the schema under each name of a field with several tell all of them: rules that count fields go by it."""
    known = properties[names[0]].with_facts({NAMES: tuple(names), REQUIRED: required})
    properties |= dict.fromkeys(names, known)


def _is_required(oneof: Oneof, collector: MarkerCollector, problems: Problems) -> bool:
    """Report whether one of the fields is required."""
    said = [members for members in collector.collect(oneof).members if "required" in members.values]
    for members in said:
        if members.values["required"] != said[0].values["required"]:
            report_twice(
                "required",
                not members.values["required"],
                members.values["required"],
                members,
                oneof.full_name,
                problems,
            )
    return bool(said) and said[0].values["required"]


def make_choice_keywords(given: Sequence[FieldChoice], form: str) -> dict[str, Any]:
    """The keywords that enforce the choices: rules in the form `cel` where CEL can select all names, else oneOf."""
    ruled = [choice for choice in given if form == "cel" and all(map(is_selectable, choice.names))]
    keywords: dict[str, Any] = {VALIDATIONS: tuple(map(_make_rule, ruled))} if ruled else {}
    others = [choice for choice in given if choice not in ruled]
    if len(others) == 1:
        keywords["oneOf"] = _make_branches(others[0])
    elif others:
        keywords["allOf"] = [Schema({"oneOf": _make_branches(choice)}, choice.at) for choice in others]
    return keywords


def _make_branches(choice: FieldChoice) -> list[Schema]:
    """None of the names, unless one is required, or exactly one of them."""
    branches = [Schema({"required": [name]}, choice.at) for name in choice.names]
    if choice.required:
        return branches
    return [Schema({"not": Schema({"anyOf": branches}, choice.at)}, choice.at), *branches]


def _make_rule(choice: FieldChoice) -> ValidationRule:
    counted = " + ".join(f"(has(self.{escape_cel_name(name)}) ? 1 : 0)" for name in choice.names)
    comparison, words = (
        ("==", "exactly one of {} must be set") if choice.required else ("<=", "at most one of {} may be set")
    )
    return ValidationRule(f"{counted} {comparison} 1", words.format(", ".join(choice.names)), origin=choice.at)
