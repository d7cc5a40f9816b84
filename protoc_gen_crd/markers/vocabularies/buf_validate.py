"""Reader of protovalidate's options, `buf.validate`.

Source: buf/validate/validate.proto of protovalidate 1.3 and older versions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.markers.vocabularies.cel_translation import ValueInfo, get_field_info, translate
from protoc_gen_crd.markers.vocabularies.enum_translation import UntranslatableError
from protoc_gen_crd.markers.vocabularies.field_shapes import get_shape, has_presence
from protoc_gen_crd.markers.vocabularies.option_reader import ElementOptions, OptionNode
from protoc_gen_crd.markers.vocabularies.translated_rule_check import is_zero_rejected
from protoc_gen_crd.markers.vocabularies.validate_rules import (
    OWN_RULES,
    PARTS,
    RULES,
    TYPES,
    FieldRuleReader,
    RuleTarget,
    VocabularyTables,
    get_message_name,
)
from protoc_gen_crd.markers.vocabularies.vocabulary_rows import (
    Row,
    make_external_row,
    make_ignored_row,
    make_unsupported_row,
)
from protoc_gen_crd.proto.custom_options import OptionValue
from protoc_gen_crd.proto.element_model import Field, Message

_SPARED = ("IGNORE_IF_ZERO_VALUE", "IGNORE_IF_UNPOPULATED", "IGNORE_IF_DEFAULT_VALUE", "IGNORE_EMPTY", "IGNORE_DEFAULT")
_CEL = "a rule, where it compiles in the environment of API servers"

# Field -> row. The rows of the rules by type are in `validate_rules.RULES`.
FIELDS: Mapping[str, Row] = {
    "cel": make_external_row(_CEL),
    "cel_expression": make_external_row(_CEL),
    "required": make_external_row("`required`; without presence, also a value other than zero"),
    "ignore": make_external_row(
        "`IGNORE_IF_ZERO_VALUE`: the zero value is accepted beside those that the rules accept; `IGNORE_ALWAYS`: "
        "no rules, unless the field is a message"
    ),
    "skipped": make_external_row("older versions: same as `IGNORE_ALWAYS`"),
    "ignore_empty": make_external_row("older versions: same as `IGNORE_IF_ZERO_VALUE`"),
}
MESSAGES: Mapping[str, Row] = {
    "cel": make_external_row(_CEL),
    "cel_expression": make_external_row(_CEL),
    "oneof": make_external_row(
        "`at_most_one_of`, and `exactly_one_of` if it is required; a rule if zero values of its fields count as unset"
    ),
    "disabled": make_external_row("older versions: no rules of the message and of its fields"),
}
ONEOFS: Mapping[str, Row] = {"required": make_external_row("one of the fields must be set")}
_BELOW_MESSAGES = "the rules of a message apply wherever it is used"
TABLE: Mapping[str, Mapping[str, Row]] = {
    "FieldRules": {**FIELDS, **TYPES},
    "MessageRules": MESSAGES,
    "MessageOneofRule": {
        "fields": make_external_row("the fields of the set"),
        "required": make_external_row("exactly one instead of at most one"),
    },
    "OneofRules": ONEOFS,
    "Rule": {
        "id": make_ignored_row("has no counterpart in the schema"),
        "message": make_external_row("the rule's `message`"),
        "expression": make_external_row("the rule, and also its `messageExpression` if it returns a string"),
    },
    "PredefinedRules": {"cel": make_unsupported_row(OWN_RULES)},
    **{get_message_name(kind): rows for kind, rows in RULES.items()},
}
NOT_READ = ("FieldPath", "FieldPathElement", "Violation", "Violations")  # results of protovalidate


def read(option: OptionValue, reading: ElementOptions) -> None:
    """Read the rules of a field, message, or oneof."""
    if option.name == "buf.validate.field" and isinstance(reading.element, Field):
        _read_field(reading.make_node(option, "FieldOptions"), reading, reading.element)
    elif option.name == "buf.validate.message" and isinstance(reading.element, Message):
        _read_message(reading.make_node(option, "MessageOptions"), reading, reading.element)
    elif option.name == "buf.validate.oneof":
        node = reading.make_node(option, "OneofOptions")
        for name, value in node.values.items():
            if name not in ONEOFS:
                reading.report_unknown(reading.get_member_node(node, name), ONEOFS)
            elif value:
                reading.add_members("Oneof", {"required": True}, reading.get_member_node(node, name))


def _read_field(node: OptionNode, reading: ElementOptions, field: Field) -> None:
    api = reading.tools.api
    parent = api.find_message(field.full_name.rpartition(".")[0])
    options = reading.tools.options
    rules: Mapping[str, Any] = next(
        (option.value for option in options.read("MessageOptions", parent.options) if option.name in _MESSAGE), {}
    ) if parent else {}  # fmt: skip
    if rules.get("disabled"):
        return
    rule_reader = FieldRuleReader(reading, field, VocabularyTables(RULES))
    in_oneof = any(field.name in oneof.get("fields", ()) for oneof in rules.get("oneof", ()))
    _FieldRulesReader(reading, rule_reader, field).read(
        node, rule_reader.make_place(get_shape(field, api)), spared=in_oneof
    )


_MESSAGE = ("buf.validate.message",)


class _FieldRulesReader:
    """Reader of the rules of a field and of its items, keys, and values."""

    def __init__(self, reading: ElementOptions, rule_reader: FieldRuleReader, field: Field) -> None:
        self._reading = reading
        self._rule_reader = rule_reader
        self._field = field

    def read(self, node: OptionNode, place: RuleTarget, *, spared: bool = False) -> None:
        """Read the rules for a target. With `spared`, its zero value is accepted."""
        ignore = node.values.get("ignore", "")
        if ignore == "IGNORE_ALWAYS" or node.values.get("skipped"):
            if place.shape.kind == "message":
                self._reading.report_untranslated(self._reading.get_member_node(node, "ignore"), _BELOW_MESSAGES)
            return
        spared = spared or ignore in _SPARED or bool(node.values.get("ignore_empty"))
        if spared and (not place.tracked or place.steps or place.keys):
            place = place.replace(spared=True)
        for name in node.values:
            self._read_member(name, node, place)

    def _read_member(self, name: str, node: OptionNode, place: RuleTarget) -> None:
        below = self._reading.get_member_node(node, name)
        if name in RULES:
            self._rule_reader.read_typed_rules(name, self._reading.get_message(node, name), place)
            for part in PARTS:
                if part in below.values and part in place.shape.parts:
                    self.read(self._reading.get_member_node(below, part), self._rule_reader.get_part_place(part, place))
        elif name in ("cel", "cel_expression"):
            self._read_custom(name, node, place)
        elif name not in FIELDS:
            self._reading.report_unknown(below, (*RULES, *FIELDS))
        elif name == "required" and node.values[name]:
            self._rule_reader.add_required(below, place)

    def _read_custom(self, name: str, node: OptionNode, place: RuleTarget) -> None:
        field = place.shape.parts.get("keys", self._field) if place.keys else self._get_field(place)
        this = get_field_info(field, self._reading.tools.api, item=bool(place.steps) or place.keys)
        for translated, below in _read_expressions(name, node, this, self._reading, place.x):
            if place.keys:
                expression = (
                    self._rule_reader.allow_zero(translated["rule"], place) if place.spared else translated["rule"]
                )
                rule = {**translated, "rule": f"self.all(key, {expression})"}
            else:
                rule = (
                    {**translated, "rule": self._rule_reader.allow_zero(translated["rule"], place)}
                    if place.spared
                    else translated
                )
            self._reading.add_marker("rules", [rule], below, place.steps)
            free = place.keys or place.steps or place.tracked or place.spared
            if not free and is_zero_rejected(rule["rule"], place.get_target()):
                self._reading.set_required(below)

    def _get_field(self, place: RuleTarget) -> Field:
        """Return the field of the value or item at a place."""
        if place.steps != ("values",):
            return self._field
        entry = self._reading.tools.api.find_message(self._field.type_name)
        return entry.fields[1] if entry else self._field


def _read_expressions(
    name: str, node: OptionNode, this: ValueInfo, reading: ElementOptions, x: str = "self"
) -> Iterator[tuple[dict[str, Any], OptionNode]]:
    """Translate expressions to rules, each with its node. Unsupported expressions are reported."""
    for index, item in enumerate(node.values[name]):
        below = reading.get_member_node(node, name, index)
        declared = {"expression": item} if isinstance(item, str) else item
        try:
            condition, expression = translate(declared.get("expression", ""), this, reading.tools, x)
        except UntranslatableError as error:
            reading.report_untranslated(below, str(error))
            continue
        rule: dict[str, Any] = {"rule": condition, "translated": True}
        if (message := _join_lines(declared.get("message", ""))).strip():
            rule["message"] = message  # API servers reject line breaks in messages, and blank ones
        else:
            rule["rule"] = _join_lines(condition)  # and in rules without a message; literals escape them
        if expression:
            rule["message_expression"] = _join_lines(expression)
        yield rule, below


def _join_lines(string: str) -> str:
    """Return a message or an expression on one line."""
    return string.replace("\r\n", " ").replace("\n", " ").replace("\r", " ")


def _read_message(node: OptionNode, reading: ElementOptions, message: Message) -> None:
    if node.values.get("disabled"):
        return
    for name, value in node.values.items():
        if name in ("cel", "cel_expression"):
            for rule, below in _read_expressions(name, node, ValueInfo(message.full_name), reading):
                reading.add_marker("rules", [rule], below)
        elif name not in MESSAGES:
            reading.report_unknown(reading.get_member_node(node, name), MESSAGES)
        elif name == "oneof":
            _read_oneofs(value, node, reading, message)


def _read_oneofs(value: list[Mapping[str, Any]], node: OptionNode, reading: ElementOptions, message: Message) -> None:
    fields_by_name = {field.name: field for field in message.fields}
    for index, oneof in enumerate(value):
        names = oneof.get("fields", ())
        below = reading.get_member_node(node, "oneof", index)
        if not fields_by_name.keys() >= set(names) or all(
            has_presence(fields_by_name[name], reading.tools.api) for name in names
        ):
            option = "exactly_one_of" if oneof.get("required") else "at_most_one_of"
            fields = [fields_by_name[name].json_name if name in fields_by_name else name for name in names]
            reading.add_marker(option, [{"fields": fields}], below)
        else:
            _add_count_rule(names, "==" if oneof.get("required") else "<=", below, reading, message)


def _add_count_rule(
    names: Sequence[str], comparison: str, node: OptionNode, reading: ElementOptions, message: Message
) -> None:
    """Add a rule that counts the fields that are set, for fields without presence."""
    expression = f"{' + '.join(f'(has(this.{name}) ? 1 : 0)' for name in names)} {comparison} 1"
    try:
        rule, _ = translate(expression, ValueInfo(message.full_name), reading.tools)
    except UntranslatableError as error:
        reading.report_untranslated(node, str(error))
        return
    quantity = "exactly" if comparison == "==" else "at most"
    message_text = f"{quantity} one of {', '.join(names)} must be set"
    reading.add_marker("rules", [{"rule": rule, "message": message_text}], node)
