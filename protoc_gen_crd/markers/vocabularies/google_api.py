"""google.api's options on fields and messages: behavior, formats, resources.

Sources: google/api/field_behavior.proto, field_info.proto, resource.proto; AIP-122, 123, 202 and 203 of google.aip.dev.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from protoc_gen_crd.base.diagnostics import Severity
from protoc_gen_crd.markers.vocabularies.reading import Node, Reading
from protoc_gen_crd.markers.vocabularies.rows import Row, Said, quoted, read_elsewhere, refused, text, without_effect
from protoc_gen_crd.markers.vocabularies.shapes import Shape, element, shape
from protoc_gen_crd.proto.model import Field, Message
from protoc_gen_crd.proto.options import OptionValue
from protoc_gen_crd.schema.celnames import cel_name, selectable

_REQUIRED: Mapping[str, bool] = {"OPTIONAL": False, "REQUIRED": True}
_FIXED = "rules that the value stays as it was once it is set; in lists whose items have no keys, reported"
BEHAVIORS: Mapping[str, Row] = {
    "FIELD_BEHAVIOR_UNSPECIFIED": without_effect("says nothing"),
    "OPTIONAL": read_elsewhere("not `required`"),
    "REQUIRED": read_elsewhere("`required`"),
    "OUTPUT_ONLY": read_elsewhere(
        "not `required`; holds by itself in the status, which only its subresource writes; reported elsewhere"
    ),
    "INPUT_ONLY": refused("API servers give back all that they store"),
    "IMMUTABLE": read_elsewhere(_FIXED),
    "UNORDERED_LIST": without_effect("API servers ask for no order, and keep the one that is given"),
    "NON_EMPTY_DEFAULT": refused("it does not say which value is filled in; `default` does"),
    "IDENTIFIER": read_elsewhere(_FIXED),
}
_FORMATS: Mapping[str, Said] = {
    "UUID4": Said("", "", (("format", "uuid4"),)),
    "IPV4": Said("", "", (("format", "ipv4"),)),
    "IPV6": Said("", "", (("format", "ipv6"),)),
    "IPV4_OR_IPV6": Said("", "", (("any_of", ({"format": "ipv4"}, {"format": "ipv6"})),)),
}
FORMATS: Mapping[str, Row] = {
    "FORMAT_UNSPECIFIED": without_effect("says nothing"),
    "UUID4": read_elsewhere("`format: uuid4`"),
    "IPV4": read_elsewhere("`format: ipv4`"),
    "IPV6": read_elsewhere("`format: ipv6`"),
    "IPV4_OR_IPV6": read_elsewhere("`anyOf` the formats `ipv4` and `ipv6`"),
}
INFO: Mapping[str, Row] = {
    "format": read_elsewhere("`format`; of a list or map, that of its items or values"),
    "referenced_types": without_effect("says what a text or an Any may name, for readers"),
}
RESOURCE: Mapping[str, Row] = {
    "type": read_elsewhere("`resource.group` and `resource.kind`, what stands before and behind the slash"),
    "pattern": read_elsewhere("a rule on the field that holds the name"),
    "name_field": read_elsewhere("which field holds the name; `name` if it is not given"),
    "history": without_effect("tells how the pattern came to be"),
    "plural": read_elsewhere("`resource.plural`, in lower case"),
    "singular": read_elsewhere("`resource.singular`, in lower case"),
    "style": without_effect("asks linters for more"),
}
REFERENCE: Mapping[str, Row] = dict.fromkeys(
    ("type", "child_type"), refused("an API server sees one object at a time, not what its texts name")
)
TABLE: Mapping[str, Mapping[str, Row]] = {
    "FieldBehavior": BEHAVIORS,
    "FieldInfo": INFO,
    "FieldInfo.Format": FORMATS,
    "TypeReference": {"type_name": without_effect("of `referenced_types`")},
    "ResourceDescriptor": RESOURCE,
    "ResourceReference": REFERENCE,
}


def read(option: OptionValue, reading: Reading) -> None:
    """Read one of the options."""
    if option.name.endswith("field_behavior"):
        _behavior(option, reading)
    elif option.name.endswith("field_info"):
        _info(reading.node(option, "FieldOptions"), reading)
    elif option.name.endswith("resource_reference"):
        node = reading.node(option, "FieldOptions")
        for name in node.values:
            _refuse(REFERENCE, name, reading.below(node, name), reading)
    elif isinstance(reading.element, Message):
        _resource(reading.node(option, "MessageOptions"), reading, reading.element)


def _behavior(option: OptionValue, reading: Reading) -> None:
    for index, name in enumerate(option.value):
        node = Node({}, "", f"field_behavior {name}", (*option.path, index))
        if name in option.value[:index]:
            reading.twice(node)
        elif name == "OUTPUT_ONLY":
            reading.output(node)
        elif name in ("IMMUTABLE", "IDENTIFIER"):
            reading.fix(node)
        elif name in _REQUIRED:
            reading.mark("required", _REQUIRED[name], node)
        else:
            _refuse(BEHAVIORS, str(name), node, reading)


def _info(node: Node, reading: Reading) -> None:
    for name, value in node.values.items():
        below = reading.below(node, name)
        if name == "format" and value in _FORMATS:
            steps, kind = _held(reading)
            if kind == "string":
                reading.add(_FORMATS[value], below, steps)
            else:
                reading.untranslated(below, f"it is about texts, not about values of type {kind}")
        elif name not in INFO or (name == "format" and value not in FORMATS):
            reading.unknown(below, INFO)


def _held(reading: Reading) -> tuple[tuple[str, ...], str]:
    """The steps to what a format is about, which is the value itself or each that a list or map holds, and its kind."""
    field, api = reading.element, reading.tools.api
    made = shape(field, api) if isinstance(field, Field) else Shape("")
    steps = {"repeated": ("items",), "map": ("values",)}.get(made.kind, ())
    return steps, element(made.parts[steps[0]], api).kind if steps else made.kind


def _refuse(rows: Mapping[str, Row], name: str, node: Node, reading: Reading) -> None:
    """Report what a table refuses or does not know."""
    row = rows.get(name)
    if row is None:
        reading.unknown(node, rows)
    elif row.refused:
        reading.untranslated(node, row.becomes)


def _resource(node: Node, reading: Reading, message: Message) -> None:
    group, slash, kind = str(node.values.get("type", "")).partition("/")
    given = {"group": group, "kind": kind} if slash else {}
    given |= {name: node.values[name].lower() for name in ("plural", "singular") if node.values.get(name)}
    reading.supplement(given, node)
    if not reading.is_resource and reading.tools.api.file(message.file).target:
        problem = f"a resource must be marked as one of Kubernetes to become a CRD, found {node.path} alone"
        hint = "add +protoc-gen-crd:resource={} to its comment, if it is one"
        reading.report("vocabulary-resource", problem, node, hint, severity=Severity.NOTE)
    if "pattern" in node.values:
        _pattern(node.values["pattern"], node, reading, message)
    for name in [name for name in node.values if name not in RESOURCE]:
        reading.unknown(reading.below(node, name), RESOURCE)


def _pattern(patterns: Sequence[str], node: Node, reading: Reading, message: Message) -> None:
    """The name of a resource has the form of one of its patterns."""
    below = reading.below(node, "pattern")
    name = node.values.get("name_field") or "name"
    field = next((field for field in message.fields if field.name == name and field.kind == "string"), None)
    if "*" in patterns:
        return
    if field is None or field.repeated or not selectable(field.json_name):
        reason = f'"{message.name}" has no text field "{name}", and metadata.name holds no slashes'
        reading.untranslated(below, reason)
        return
    x = f"self.{cel_name(field.json_name)}"
    expression = "|".join(f"^{_expression(pattern)}$" for pattern in patterns)
    words = " or ".join(patterns)
    rule = {"rule": f"!has({x}) || {x}.matches({text(expression)})", "message": f"{name} must have the form {words}"}
    reading.mark("rules", [rule], below)


def _expression(pattern: str) -> str:
    """A pattern of names as a regular expression: a variable is one segment, one with `=**` is several."""
    parts = re.split(r"(\{[^}]*\})", pattern)
    return "".join(quoted(part) if place % 2 == 0 else _variable(part) for place, part in enumerate(parts))


def _variable(part: str) -> str:
    return ".+" if part.endswith("=**}") else "[^/]+"
