"""protovalidate's options, `buf.validate`. Source: buf/validate/validate.proto of protovalidate 1.3 and older ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from protoc_gen_crd.markers.vocabularies.enums import UntranslatableError
from protoc_gen_crd.markers.vocabularies.expressions import Known, of_field, translated
from protoc_gen_crd.markers.vocabularies.reading import Node, Reading
from protoc_gen_crd.markers.vocabularies.rows import Row, read_elsewhere, refused, without_effect
from protoc_gen_crd.markers.vocabularies.shapes import shape, tracked
from protoc_gen_crd.markers.vocabularies.trials import refuses_zero
from protoc_gen_crd.markers.vocabularies.validate import (
    OWN_RULES,
    PARTS,
    RULES,
    TYPES,
    Place,
    Tables,
    Walker,
    message_of,
)
from protoc_gen_crd.proto.model import Field, Message
from protoc_gen_crd.proto.options import OptionValue

_SPARED = ("IGNORE_IF_ZERO_VALUE", "IGNORE_IF_UNPOPULATED", "IGNORE_IF_DEFAULT_VALUE", "IGNORE_EMPTY", "IGNORE_DEFAULT")
_CEL = "a rule, where it compiles in the environment of API servers"

# Message -> field -> row; the rows of rules by type are those of `validate.RULES`.
FIELDS: Mapping[str, Row] = {
    "cel": read_elsewhere(_CEL),
    "cel_expression": read_elsewhere(_CEL),
    "required": read_elsewhere("`required`; without presence, also another value than the zero one"),
    "ignore": read_elsewhere(
        "`IGNORE_IF_ZERO_VALUE`: rules that refuse the zero value become CEL rules that let it pass; `IGNORE_ALWAYS`: "
        "none of the rules, where the field is no message"
    ),
    "skipped": read_elsewhere("of older versions: as `IGNORE_ALWAYS`"),
    "ignore_empty": read_elsewhere("of older versions: as `IGNORE_IF_ZERO_VALUE`"),
}
MESSAGES: Mapping[str, Row] = {
    "cel": read_elsewhere(_CEL),
    "cel_expression": read_elsewhere(_CEL),
    "oneof": read_elsewhere(
        "`at_most_one_of`, and `exactly_one_of` if it is required; a rule where zero values of its fields count as none"
    ),
    "disabled": read_elsewhere("of older versions: none of the rules of the message and of its fields"),
}
ONEOFS: Mapping[str, Row] = {"required": read_elsewhere("one of the fields must be set")}
_BELOW_MESSAGES = "the rules of a message hold wherever it is used"
TABLE: Mapping[str, Mapping[str, Row]] = {
    "FieldRules": {**FIELDS, **TYPES},
    "MessageRules": MESSAGES,
    "MessageOneofRule": {
        "fields": read_elsewhere("the fields of the set"),
        "required": read_elsewhere("exactly one instead of at most one"),
    },
    "OneofRules": ONEOFS,
    "Rule": {
        "id": without_effect("has no place in the schema"),
        "message": read_elsewhere("the rule's `message`"),
        "expression": read_elsewhere("the rule, or its `messageExpression` as well if it gives a text"),
    },
    "PredefinedRules": {"cel": refused(OWN_RULES)},
    **{message_of(kind): rows for kind, rows in RULES.items()},
}
NOT_READ = ("FieldPath", "FieldPathElement", "Violation", "Violations")  # of protovalidate's answers


def read(option: OptionValue, reading: Reading) -> None:
    """Read the rules of a field, message or oneof."""
    if option.name == "buf.validate.field" and isinstance(reading.element, Field):
        _read_field(reading.node(option, "FieldOptions"), reading, reading.element)
    elif option.name == "buf.validate.message" and isinstance(reading.element, Message):
        _read_message(reading.node(option, "MessageOptions"), reading, reading.element)
    elif option.name == "buf.validate.oneof":
        node = reading.node(option, "OneofOptions")
        for name, value in node.values.items():
            if name not in ONEOFS:
                reading.unknown(reading.below(node, name), ONEOFS)
            elif value:
                reading.member("Oneof", {"required": True}, reading.below(node, name))


def _read_field(node: Node, reading: Reading, field: Field) -> None:
    api = reading.tools.api
    around = api.message(field.full_name.rpartition(".")[0])
    rules: Mapping[str, Any] = next(
        (one.value for one in reading.tools.options.read("MessageOptions", around.options) if one.name in _MESSAGE), {}
    ) if around else {}  # fmt: skip
    if rules.get("disabled"):
        return
    walker = Walker(reading, field, Tables(RULES))
    alternative = any(field.name in oneof.get("fields", ()) for oneof in rules.get("oneof", ()))
    _Rules(reading, walker, field).read(node, walker.place(shape(field, api)), spared=alternative)


_MESSAGE = ("buf.validate.message",)


class _Rules:
    """Reads rules of a field, and those of what it holds."""

    def __init__(self, reading: Reading, walker: Walker, field: Field) -> None:
        self._reading = reading
        self._walker = walker
        self._field = field

    def read(self, node: Node, place: Place, *, spared: bool = False) -> None:
        """Rules for a place."""
        ignore = node.values.get("ignore", "")
        if ignore == "IGNORE_ALWAYS" or node.values.get("skipped"):
            if place.shape.kind == "message":
                self._reading.untranslated(self._reading.below(node, "ignore"), _BELOW_MESSAGES)
            return
        spared = spared or ignore in _SPARED or bool(node.values.get("ignore_empty"))
        if spared and (not place.tracked or place.steps or place.keys):
            place = place.replace(spared=True)
        for name in node.values:
            self._member(name, node, place)

    def _member(self, name: str, node: Node, place: Place) -> None:
        below = self._reading.below(node, name)
        if name in RULES:
            self._walker.typed(name, self._reading.message(node, name), place)
            for part in PARTS:
                if part in below.values and part in place.shape.parts:
                    self.read(self._reading.below(below, part), self._walker.parts(part, place))
        elif name in ("cel", "cel_expression"):
            self._custom(name, node, place)
        elif name not in FIELDS:
            self._reading.unknown(below, (*RULES, *FIELDS))
        elif name == "required" and node.values[name]:
            self._walker.required(below, place)

    def _custom(self, name: str, node: Node, place: Place) -> None:
        field = place.shape.parts.get("keys", self._field) if place.keys else self._part(place)
        this = of_field(field, self._reading.tools.api, item=bool(place.steps) or place.keys)
        for made, below in _expressions(name, node, this, self._reading, place.x):
            if place.keys:
                spared = self._walker.sparing(made["rule"], place) if place.spared else made["rule"]
                rule = {**made, "rule": f"self.all(key, {spared})"}
            else:
                rule = {**made, "rule": self._walker.sparing(made["rule"], place)} if place.spared else made
            self._reading.mark("rules", [rule], below, place.steps)
            free = place.keys or place.steps or place.tracked or place.spared
            if not free and refuses_zero(rule["rule"], place.target()):
                self._reading.need(below)

    def _part(self, place: Place) -> Field:
        """The field whose value, or item, stands at a place."""
        if place.steps != ("values",):
            return self._field
        entry = self._reading.tools.api.message(self._field.type_name)
        return entry.fields[1] if entry else self._field


def _expressions(
    name: str, node: Node, this: Known, reading: Reading, x: str = "self"
) -> Iterator[tuple[dict[str, Any], Node]]:
    """The rules of expressions, each with its place. Those that API servers do not know are reported."""
    for index, one in enumerate(node.values[name]):
        below = reading.below(node, name, index)
        given = {"expression": one} if isinstance(one, str) else one
        try:
            rule, said = translated(given.get("expression", ""), this, reading.tools, x)
        except UntranslatableError as error:
            reading.untranslated(below, str(error))
            continue
        made: dict[str, Any] = {"rule": rule, "translated": True}
        if message := given.get("message"):
            made["message"] = message.replace("\n", " ")  # servers refuse line breaks here
        else:
            made["rule"] = rule.replace("\n", " ")  # and there beside no message; in literals they are escaped
        if said:
            made["message_expression"] = said.replace("\n", " ")
        yield made, below


def _read_message(node: Node, reading: Reading, message: Message) -> None:
    if node.values.get("disabled"):
        return
    for name, value in node.values.items():
        if name in ("cel", "cel_expression"):
            for rule, below in _expressions(name, node, Known(message.full_name), reading):
                reading.mark("rules", [rule], below)
        elif name not in MESSAGES:
            reading.unknown(reading.below(node, name), MESSAGES)
        elif name == "oneof":
            _oneofs(value, node, reading, message)


def _oneofs(value: list[Mapping[str, Any]], node: Node, reading: Reading, message: Message) -> None:
    known = {field.name: field for field in message.fields}
    for index, oneof in enumerate(value):
        names = oneof.get("fields", ())
        below = reading.below(node, "oneof", index)
        if not known.keys() >= set(names) or all(tracked(known[name], reading.tools.api) for name in names):
            option = "exactly_one_of" if oneof.get("required") else "at_most_one_of"
            fields = [known[name].json_name if name in known else name for name in names]
            reading.mark(option, [{"fields": fields}], below)
        else:
            _counted(names, "==" if oneof.get("required") else "<=", below, reading, message)


def _counted(names: Sequence[str], comparison: str, node: Node, reading: Reading, message: Message) -> None:
    """How many of the fields are set, where not all of them tell that from having their zero value."""
    text = f"{' + '.join(f'(has(this.{name}) ? 1 : 0)' for name in names)} {comparison} 1"
    try:
        rule, _ = translated(text, Known(message.full_name), reading.tools)
    except UntranslatableError as error:
        reading.untranslated(node, str(error))
        return
    how = "exactly" if comparison == "==" else "at most"
    words = f"{how} one of {', '.join(names)} must be set"
    reading.mark("rules", [{"rule": rule, "message": words}], node)
