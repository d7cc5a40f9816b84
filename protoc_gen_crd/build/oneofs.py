"""Oneofs to OpenAPI or CEL."""

from __future__ import annotations

from typing import Any

from protoc_gen_crd.markers.collect import Collector
from protoc_gen_crd.proto.model import Message, Oneof
from protoc_gen_crd.schema.celnames import cel_name
from protoc_gen_crd.schema.types import Rule, Schema


def oneof_keywords(message: Message, form: str, collector: Collector, rules: list[Rule]) -> dict[str, Any]:
    """The keywords for a message's oneofs in the classic form; in the form `cel` rules are added instead."""
    names = {field.name: field.json_name for field in message.fields}
    made: list[list[Schema]] = []
    for oneof in message.oneofs:
        fields = [names[field] for field in oneof.fields]
        required = any(members.values.get("required") for members in collector.marks(oneof).members)
        if form == "cel":
            rules.append(_rule(oneof, fields, required=required))
        else:
            made.append(classic(fields, oneof, required=required))
    if len(made) == 1:
        return {"oneOf": made[0]}
    return (
        {"allOf": [Schema({"oneOf": branches}, oneof.at) for branches, oneof in zip(made, message.oneofs, strict=True)]}
        if made
        else {}
    )


def classic(fields: list[str], oneof: Oneof, *, required: bool) -> list[Schema]:
    """None of the fields, unless one is required, or exactly one of them."""
    branches = [Schema({"required": [field]}, oneof.at) for field in fields]
    return branches if required else [Schema({"not": Schema({"anyOf": branches}, oneof.at)}, oneof.at), *branches]


def _rule(oneof: Oneof, fields: list[str], *, required: bool) -> Rule:
    counted = " + ".join(f"(has(self.{cel_name(field)}) ? 1 : 0)" for field in fields)
    comparison, words = ("==", "exactly one of {} must be set") if required else ("<=", "at most one of {} may be set")
    return Rule(f"{counted} {comparison} 1", words.format(", ".join(fields)), origin=oneof.at)
