"""Builder of keywords for oneofs and for fields with several names, as OpenAPI or CEL."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.findings.finding import Place, Problems
from protoc_gen_crd.markers.declared_resources import report_twice
from protoc_gen_crd.markers.marker_collector import MarkerCollector
from protoc_gen_crd.proto.element_model import Message, Oneof
from protoc_gen_crd.schema.cel_names import escape_cel_name, is_selectable
from protoc_gen_crd.schema.schema import NAMES, REQUIRED, VALIDATIONS, Schema, ValidationRule


class FieldChoice(Record):
    """JSON names of an object, of which at most one can be set, or exactly one if the choice is `required`."""

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
    """Yield the oneofs of a message, then its fields with several names. `names` and `required` are by proto name."""
    for oneof in message.oneofs:
        is_required = _is_required(oneof, collector, problems)
        if listed := tuple([name for field in oneof.fields for name in names[field]]):
            yield FieldChoice(listed, is_required, oneof.at)
    for field in message.fields:
        if len(names[field.name]) > 1 and ((is_required := field.name in required) or field.oneof < 0):
            yield FieldChoice(tuple(names[field.name]), is_required, field.at)


def note_names(properties: dict[str, Schema], names: Sequence[str], *, required: bool) -> None:
    """Record the names of a field with several names as a fact of its schemas, for rules that count fields."""
    schema = properties[names[0]].with_facts({NAMES: tuple(names), REQUIRED: required})
    properties |= dict.fromkeys(names, schema)


def _is_required(oneof: Oneof, collector: MarkerCollector, problems: Problems) -> bool:
    """Return whether one of the fields is required, and report contradictory markers."""
    declarations = [members for members in collector.collect(oneof).members if "required" in members.values]
    for members in declarations:
        if members.values["required"] != declarations[0].values["required"]:
            report_twice(
                "required",
                not members.values["required"],
                members.values["required"],
                members,
                oneof.full_name,
                problems,
            )
    return bool(declarations) and declarations[0].values["required"]


def make_choice_keywords(choices: Sequence[FieldChoice], form: str) -> dict[str, Any]:
    """Make the keywords that enforce choices: rules if `form` is `cel` and CEL can select all names, else oneOf."""
    cel_choices = [choice for choice in choices if form == "cel" and all(map(is_selectable, choice.names))]
    keywords: dict[str, Any] = {VALIDATIONS: tuple(map(_make_rule, cel_choices))} if cel_choices else {}
    oneof_choices = [choice for choice in choices if choice not in cel_choices]
    if len(oneof_choices) == 1:
        keywords["oneOf"] = _make_branches(oneof_choices[0])
    elif oneof_choices:
        keywords["allOf"] = [Schema({"oneOf": _make_branches(choice)}, choice.at) for choice in oneof_choices]
    return keywords


def _make_branches(choice: FieldChoice) -> list[Schema]:
    """Make the branches of oneOf: one for each name, and one for no name unless the choice is required."""
    branches = [Schema({"required": [name]}, choice.at) for name in choice.names]
    if choice.required:
        return branches
    return [Schema({"not": Schema({"anyOf": branches}, choice.at)}, choice.at), *branches]


def _make_rule(choice: FieldChoice) -> ValidationRule:
    expression = " + ".join(f"(has(self.{escape_cel_name(name)}) ? 1 : 0)" for name in choice.names)
    comparison, message = (
        ("==", "exactly one of {} must be set") if choice.required else ("<=", "at most one of {} may be set")
    )
    return ValidationRule(f"{expression} {comparison} 1", message.format(", ".join(choice.names)), origin=choice.at)
