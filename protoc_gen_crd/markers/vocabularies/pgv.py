"""Reader of protoc-gen-validate's options, `validate`. Source: validate/validate.proto of protoc-gen-validate 1.3."""

from __future__ import annotations

from collections.abc import Mapping

from protoc_gen_crd.markers.vocabularies import string_rules
from protoc_gen_crd.markers.vocabularies.field_shapes import get_shape
from protoc_gen_crd.markers.vocabularies.option_reader import ElementOptions, OptionNode
from protoc_gen_crd.markers.vocabularies.validate_rules import (
    PARTS,
    RULES,
    SHARED,
    TYPES,
    FieldRuleReader,
    RuleTarget,
    VocabularyTables,
    get_message_name,
)
from protoc_gen_crd.markers.vocabularies.vocabulary_rows import Row, make_external_row, make_ignored_row
from protoc_gen_crd.proto.custom_options import OptionValue
from protoc_gen_crd.proto.element_model import Field

_RULES: Mapping[str, Mapping[str, Row]] = {**RULES, "string": string_rules.PGV_ROWS}
_OFF = ("validate.disabled", "validate.ignored")
_NONE = make_external_row("no rules of the fields of the message")

MESSAGES: Mapping[str, Row] = {"disabled": _NONE, "ignored": _NONE}
ONEOFS: Mapping[str, Row] = {"required": make_external_row("one of the fields must be set")}
MESSAGE_RULES: Mapping[str, Row] = {
    "skip": make_external_row("not supported: the rules of a message apply wherever it is used"),
    "required": make_external_row("`required`"),
}
FIELDS: Mapping[str, Row] = {"message": make_ignored_row("its fields have rows of their own")}
TABLE: Mapping[str, Mapping[str, Row]] = {
    "FieldRules": {**FIELDS, **TYPES},
    "MessageRules": MESSAGE_RULES,
    **{get_message_name(kind): {**rows, **SHARED} for kind, rows in _RULES.items()},
}
# Options of messages and oneofs that are not members of a message.
OPTIONS: Mapping[str, Row] = {**MESSAGES, **ONEOFS}


def read(option: OptionValue, reading: ElementOptions) -> None:
    """Read the rules of a field or oneof. Options that disable the rules of a field are read with them."""
    if option.name == "validate.required" and option.value:
        reading.add_members("Oneof", {"required": True}, OptionNode({}, "", f"({option.name})", option.path))
    field = reading.element
    if option.name == "validate.rules" and isinstance(field, Field) and not _is_off(field, reading):
        rule_reader = FieldRuleReader(reading, field, VocabularyTables(_RULES, required_alone=False))
        _read_rules(
            reading.make_node(option, "FieldOptions"),
            rule_reader.make_place(get_shape(field, reading.tools.api)),
            rule_reader,
            reading,
        )


def _is_off(field: Field, reading: ElementOptions) -> bool:
    message = reading.tools.api.find_message(field.full_name.rpartition(".")[0])
    options = reading.tools.options.read("MessageOptions", message.options) if message else ()
    return any(option.name in _OFF and option.value is True for option in options)


def _read_rules(node: OptionNode, place: RuleTarget, rule_reader: FieldRuleReader, reading: ElementOptions) -> None:
    for name in node.values:
        below = reading.get_member_node(node, name)
        if name in _RULES:
            rule_reader.read_typed_rules(name, reading.get_message(node, name), place)
            for part in PARTS:
                if part in below.values and part in place.shape.parts:
                    _read_rules(
                        reading.get_member_node(below, part),
                        rule_reader.get_part_place(part, place),
                        rule_reader,
                        reading,
                    )
        elif name == "message":
            _read_message_rules(below, place, rule_reader, reading)
        else:
            reading.report_unknown(below, (*_RULES, *FIELDS))


def _read_message_rules(
    node: OptionNode, place: RuleTarget, rule_reader: FieldRuleReader, reading: ElementOptions
) -> None:
    for name, value in node.values.items():
        below = reading.get_member_node(node, name)
        if name not in MESSAGE_RULES:
            reading.report_unknown(below, MESSAGE_RULES)
        elif name == "required" and value:
            rule_reader.add_required(below, place)
        elif value:
            reading.report_untranslated(below, "the rules of a message apply wherever it is used")
