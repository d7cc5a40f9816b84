"""Reader of google.api's options of fields and messages: behavior, formats, resources.

Sources: google/api/field_behavior.proto, field_info.proto, resource.proto; AIP-122, 123, 202 and 203 of google.aip.dev.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from protoc_gen_crd.findings.finding import Severity
from protoc_gen_crd.markers.vocabularies.option_reader import ElementOptions, OptionNode
from protoc_gen_crd.markers.vocabularies.vocabulary_rows import (
    Row,
    RuleConstraint,
    make_external_row,
    make_ignored_row,
    make_unsupported_row,
)
from protoc_gen_crd.proto.custom_options import OptionValue
from protoc_gen_crd.proto.element_model import Field, Message

_REQUIRED: Mapping[str, bool] = {"OPTIONAL": False, "REQUIRED": True}
_FIXED = "as the marker `immutable`; reported for lists whose items have no keys"
BEHAVIORS: Mapping[str, Row] = {
    "FIELD_BEHAVIOR_UNSPECIFIED": make_ignored_row("no effect"),
    "OPTIONAL": make_external_row("not `required`"),
    "REQUIRED": make_external_row("`required`"),
    "OUTPUT_ONLY": make_external_row(
        "not `required`, even if another option requires the field; in the status, which only its subresource writes, "
        "no rule is needed; reported elsewhere"
    ),
    "INPUT_ONLY": make_unsupported_row("API servers return everything that they store"),
    "IMMUTABLE": make_external_row(_FIXED),
    "UNORDERED_LIST": make_ignored_row("API servers require no order, and preserve the order of the items"),
    "NON_EMPTY_DEFAULT": make_unsupported_row("it does not specify the default value; `default` does"),
    "IDENTIFIER": make_external_row(_FIXED),
}
_FORMATS: Mapping[str, RuleConstraint] = {
    "UUID4": RuleConstraint("", "", (("format", "uuid4"),)),
    "IPV4": RuleConstraint("", "", (("format", "ipv4"),)),
    "IPV6": RuleConstraint("", "", (("format", "ipv6"),)),
    "IPV4_OR_IPV6": RuleConstraint("", "", (("any_of", ({"format": "ipv4"}, {"format": "ipv6"})),)),
}
FORMATS: Mapping[str, Row] = {
    "FORMAT_UNSPECIFIED": make_ignored_row("no effect"),
    "UUID4": make_external_row("`format: uuid4`"),
    "IPV4": make_external_row("`format: ipv4`"),
    "IPV6": make_external_row("`format: ipv6`"),
    "IPV4_OR_IPV6": make_external_row("`anyOf` the formats `ipv4` and `ipv6`"),
}
INFO: Mapping[str, Row] = {
    "format": make_external_row("`format`; of a list or map, that of its items or values"),
    "referenced_types": make_ignored_row("documents what a string or an Any may name"),
}
RESOURCE: Mapping[str, Row] = {
    "type": make_external_row("`resource.group` and `resource.kind`, the parts before and after the slash"),
    "pattern": make_external_row("`pattern` of the field that contains the name"),
    "name_field": make_external_row("the field that contains the name; `name` by default"),
    "history": make_ignored_row("documents the history of the pattern"),
    "plural": make_external_row("`resource.plural`, in lower case"),
    "singular": make_external_row("`resource.singular`, in lower case"),
    "style": make_ignored_row("requests more checks from linters"),
}
REFERENCE: Mapping[str, Row] = dict.fromkeys(
    ("type", "child_type"),
    make_unsupported_row("an API server validates one object at a time, without the objects that it names"),
)
_OVERRIDE = 'or set "resource" of the message under "overrides:" in the settings file'
TABLE: Mapping[str, Mapping[str, Row]] = {
    "FieldBehavior": BEHAVIORS,
    "FieldInfo": INFO,
    "FieldInfo.Format": FORMATS,
    "TypeReference": {"type_name": make_ignored_row("part of `referenced_types`")},
    "ResourceDescriptor": RESOURCE,
    "ResourceReference": REFERENCE,
}


def read(option: OptionValue, reading: ElementOptions) -> None:
    """Read one of the options."""
    if option.name.endswith("field_behavior"):
        _read_behavior(option, reading)
    elif option.name.endswith("field_info"):
        _read_info(reading.make_node(option, "FieldOptions"), reading)
    elif option.name.endswith("resource_reference"):
        node = reading.make_node(option, "FieldOptions")
        for name in node.values:
            _report_unsupported(REFERENCE, name, reading.get_member_node(node, name), reading)
    elif isinstance(reading.element, Message):
        _read_resource(reading.make_node(option, "MessageOptions"), reading, reading.element)
    elif isinstance(reading.element, Field):
        _add_name_pattern(reading.make_node(option, "MessageOptions"), reading, reading.element)


def _read_behavior(option: OptionValue, reading: ElementOptions) -> None:
    for index, name in enumerate(option.value):
        node = OptionNode({}, "", f"field_behavior {name}", (*option.path, index))
        if name in option.value[:index]:
            reading.report_repeated(node)
        elif name == "OUTPUT_ONLY":
            reading.set_output_only(node)
        elif name in ("IMMUTABLE", "IDENTIFIER"):
            reading.set_immutable(node)
        elif name in _REQUIRED:
            reading.add_marker("required", _REQUIRED[name], node)
        else:
            _report_unsupported(BEHAVIORS, str(name), node, reading)


def _read_info(node: OptionNode, reading: ElementOptions) -> None:
    for name, value in node.values.items():
        below = reading.get_member_node(node, name)
        if name == "format" and value in _FORMATS:
            steps, kind = _get_value_steps(reading)
            if kind == "string":
                reading.add_constraint(_FORMATS[value], below, steps)
            else:
                reading.report_untranslated(below, f"it applies to strings, not to values of type {kind}")
        elif name not in INFO or (name == "format" and value not in FORMATS):
            reading.report_unknown(below, INFO)


def _get_value_steps(reading: ElementOptions) -> tuple[tuple[str, ...], str]:
    """Return the steps to the value, item, or map value with the format, and its kind."""
    from protoc_gen_crd.markers.vocabularies.field_shapes import ValueShape, get_element_shape, get_shape  # noqa: PLC0415 - few fields have a format

    field, api = reading.element, reading.tools.api
    shape = get_shape(field, api) if isinstance(field, Field) else ValueShape("")
    steps = {"repeated": ("items",), "map": ("values",)}.get(shape.kind, ())
    return steps, get_element_shape(shape.parts[steps[0]], api).kind if steps else shape.kind


def _report_unsupported(rows: Mapping[str, Row], name: str, node: OptionNode, reading: ElementOptions) -> None:
    """Report a name whose row is unsupported or does not exist in a table."""
    row = rows.get(name)
    if row is None:
        reading.report_unknown(node, rows)
    elif row.unsupported:
        reading.report_untranslated(node, row.description)


def _read_resource(node: OptionNode, reading: ElementOptions, message: Message) -> None:
    group, slash, kind = str(node.values.get("type", "")).partition("/")
    members = {"group": group, "kind": kind} if slash else {}
    members |= {name: node.values[name].lower() for name in ("plural", "singular") if node.values.get(name)}
    reading.add_missing_members(members, node)
    if not reading.is_resource and reading.tools.api.get_file(message.file).target:
        problem = f"no CRD for {node.path}: the message is not marked as a Kubernetes resource"
        hint = f"to generate a CRD, add +protoc-gen-crd:resource={{}} to its comment, {_OVERRIDE}"
        reading.report("vocabulary-resource", problem, node, hint, severity=Severity.NOTE)
    if "pattern" in node.values:
        _check_pattern(node, reading, message)
    for name in [name for name in node.values if name not in RESOURCE]:
        reading.report_unknown(reading.get_member_node(node, name), RESOURCE)


def _get_name_field(values: Mapping[str, Any]) -> str:
    return str(values.get("name_field") or "name")


def _is_name_field(field: Field, values: Mapping[str, Any]) -> bool:
    return field.name == _get_name_field(values) and field.kind == "string" and not field.repeated


def _check_pattern(node: OptionNode, reading: ElementOptions, message: Message) -> None:
    """Report the patterns of a message that has no field for the resource name."""
    values = node.values
    if "*" not in values["pattern"] and not any(_is_name_field(field, values) for field in message.fields):
        name = _get_name_field(values)
        reason = f'"{message.name}" has no string field "{name}", and metadata.name cannot contain slashes'
        reading.report_untranslated(reading.get_member_node(node, "pattern"), reason)


def _add_name_pattern(node: OptionNode, reading: ElementOptions, field: Field) -> None:
    """Add the patterns of a resource to the field that contains its name, besides other patterns of the field."""
    patterns: Sequence[str] = node.values.get("pattern", ())
    if patterns and "*" not in patterns and _is_name_field(field, node.values):
        expression = "|".join(f"^{_make_regex(pattern)}$" for pattern in patterns)
        below = reading.get_member_node(node, "pattern")
        reading.add_constraint(RuleConstraint("", "", (("pattern", expression),)), below, ())


def _make_regex(pattern: str) -> str:
    """Convert a pattern of names to a regular expression. A variable is one segment, or several with `=**`."""
    from protoc_gen_crd.regex.quoting import quote_regex  # noqa: PLC0415 - few fields contain names of resources

    parts = re.split(r"(\{[^}]*\})", pattern)
    return "".join(
        quote_regex(part) if place % 2 == 0 else _make_variable_regex(part) for place, part in enumerate(parts)
    )


def _make_variable_regex(part: str) -> str:
    return ".+" if part.endswith("=**}") else "[^/]+"
