"""protoc-gen-validate's options, `validate`. Source: validate/validate.proto of protoc-gen-validate 1.3."""

from __future__ import annotations

from collections.abc import Mapping

from protoc_gen_crd.markers.vocabularies import texts
from protoc_gen_crd.markers.vocabularies.reading import Node, Reading
from protoc_gen_crd.markers.vocabularies.rows import Row, read_elsewhere, without_effect
from protoc_gen_crd.markers.vocabularies.shapes import shape
from protoc_gen_crd.markers.vocabularies.validate import (
    PARTS,
    RULES,
    SHARED,
    TYPES,
    Place,
    Tables,
    Walker,
    message_of,
)
from protoc_gen_crd.proto.model import Field
from protoc_gen_crd.proto.options import OptionValue

_RULES: Mapping[str, Mapping[str, Row]] = {**RULES, "string": texts.PGV_ROWS}
_OFF = ("validate.disabled", "validate.ignored")
_NONE = read_elsewhere("none of the rules of the message's fields")

MESSAGES: Mapping[str, Row] = {"disabled": _NONE, "ignored": _NONE}
ONEOFS: Mapping[str, Row] = {"required": read_elsewhere("one of the fields must be set")}
MESSAGE_RULES: Mapping[str, Row] = {
    "skip": read_elsewhere("refused: the rules of a message hold wherever it is used"),
    "required": read_elsewhere("`required`"),
}
FIELDS: Mapping[str, Row] = {"message": without_effect("what stands in it has rows of its own")}
TABLE: Mapping[str, Mapping[str, Row]] = {
    "FieldRules": {**FIELDS, **TYPES},
    "MessageRules": MESSAGE_RULES,
    **{message_of(kind): {**rows, **SHARED} for kind, rows in _RULES.items()},
}
# Options by themselves, of messages and oneofs.
OPTIONS: Mapping[str, Row] = {**MESSAGES, **ONEOFS}


def read(option: OptionValue, reading: Reading) -> None:
    """Read the rules of a field or oneof; what turns rules off is read with those."""
    if option.name == "validate.required" and option.value:
        reading.member("Oneof", {"required": True}, Node({}, "", f"({option.name})", option.path))
    field = reading.element
    if option.name == "validate.rules" and isinstance(field, Field) and not _is_off(field, reading):
        walker = Walker(reading, field, Tables(_RULES, required_alone=False))
        _rules(reading.node(option, "FieldOptions"), walker.place(shape(field, reading.tools.api)), walker, reading)


def _is_off(field: Field, reading: Reading) -> bool:
    message = reading.tools.api.message(field.full_name.rpartition(".")[0])
    options = reading.tools.options.read("MessageOptions", message.options) if message else ()
    return any(one.name in _OFF and one.value is True for one in options)


def _rules(node: Node, place: Place, walker: Walker, reading: Reading) -> None:
    for name in node.values:
        below = reading.below(node, name)
        if name in _RULES:
            walker.typed(name, reading.message(node, name), place)
            for part in PARTS:
                if part in below.values and part in place.shape.parts:
                    _rules(reading.below(below, part), walker.parts(part, place), walker, reading)
        elif name == "message":
            _message(below, place, walker, reading)
        else:
            reading.unknown(below, (*_RULES, *FIELDS))


def _message(node: Node, place: Place, walker: Walker, reading: Reading) -> None:
    for name, value in node.values.items():
        below = reading.below(node, name)
        if name not in MESSAGE_RULES:
            reading.unknown(below, MESSAGE_RULES)
        elif name == "required" and value:
            walker.required(below, place)
        elif value:
            reading.untranslated(below, "the rules of a message hold wherever it is used")
