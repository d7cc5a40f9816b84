"""Table of other spellings of the options: the markers of controller-tools and of Istio.

Source: sigs.k8s.io/controller-tools pkg/crd/markers at v0.23.0 (134 definitions).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, cast

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.markers.marker_argument_parser import Argument, ArgumentType, MarkerDefinition

DIALECT = "*"  # every version that the message defines
VALIDATION = "kubebuilder:validation:"
ITEMS = ":items:"  # in the names of validations of items
NO_OPTION = ""  # a marker without an option: a proto enum always restricts its values

Values = Mapping[str, Any]


class Alias(Record):
    """The option that a marker name sets, the grammar of its arguments, and the elements that it applies to.

    The options `resource`, `oneof` and `package` are messages, and their values are mappings of members. `targets` are
    letters: F field, T message or enum, E enum only, O oneof, P package. `value` converts the parsed arguments to the
    value of the option. It raises ValueError for invalid arguments.
    """

    name: str
    option: str
    definition: MarkerDefinition
    targets: str
    value: Callable[[Values], Any]


def _make_anonymous_definitions(*kinds: ArgumentType) -> list[MarkerDefinition]:
    return [MarkerDefinition((Argument("", kind),)) for kind in kinds]


def _make_named_definition(specification: str) -> MarkerDefinition:
    """Parse a list of named arguments, each `name:KIND`, with `?` after optional ones."""
    arguments = []
    for part in specification.split():
        name, _, kind = part.partition(":")
        arguments.append(Argument(name, cast(ArgumentType, kind.rstrip("?")), kind.endswith("?")))
    return MarkerDefinition(tuple(arguments))


_FLAG = MarkerDefinition(())
_STRING, _INT, _NUMBER, _BOOL = _make_anonymous_definitions("STRING", "INT", "NUMBER", "BOOL")
_STRINGS, _ANYS, _ANY, _JSON = _make_anonymous_definitions("STRINGS", "ANYS", "ANY", "JSON")
_COUNT, _BOUND = _make_anonymous_definitions("COUNT", "BOUND")
_K8S_COUNT, _K8S_BOUND = (MarkerDefinition(form.arguments, comments=True) for form in (_COUNT, _BOUND))


def _get_only(values: Values) -> Any:
    return values[""]


def _get_all(values: Values) -> Any:
    return dict(values)


def _return_true(_: Values) -> Any:
    return True


def _return_false(_: Values) -> Any:
    return False


def _get_single(values: Values) -> Any:
    return [values[""]]


def _make_field_set(values: Values) -> Any:
    return [{"fields": values[""]}]


_RULE_MEMBERS = {
    "rule": "rule",
    "message": "message",
    "messageExpression": "message_expression",
    "reason": "reason",
    "fieldPath": "field_path",
    "optionalOldSelf": "optional_old_self",
}


def _make_renamer(members: Mapping[str, str]) -> Callable[[Values], Any]:
    return lambda values: {member: values[name] for name, member in members.items() if name in values}


def _make_rule(values: Values) -> Any:
    return [_make_renamer(_RULE_MEMBERS)(values)]


def _make_list_converter(member: str, members: Mapping[str, str]) -> Callable[[Values], Any]:
    return lambda values: {member: [_make_renamer(members)(values)]}


class RepeatedKeyError(ValueError):
    """A repeated key in a list of `key=value`."""


def _make_pairs(values: Values) -> Any:
    """Parse labels and annotations. Raises ValueError for an invalid pair, RepeatedKeyError for a repeated key."""
    result: dict[str, dict[str, str]] = {}
    for member in ("annotations", "labels"):
        for pair in values.get(member, ()):
            key, equals, value = pair.partition("=")
            if not equals:
                raise ValueError(f'"{pair}" in {member} is not of the form key=value')
            if key in result.setdefault(member, {}):
                raise RepeatedKeyError(f'key "{key}" is repeated in {member}')
            result[member][key] = value
    return result


def _make_constant_member(member: str, value: Any) -> Callable[[Values], Any]:
    return lambda _: {member: value}


def _make_member_converter(member: str) -> Callable[[Values], Any]:
    return lambda values: {member: values[""]}


RULE_DEFINITION = _make_named_definition(
    "rule:STRING message:STRING? messageExpression:STRING? reason:STRING? fieldPath:STRING? optionalOldSelf:BOOL?"
)

# Each of them also exists as kubebuilder:validation:items:NAME, on fields and on types.
_VALIDATIONS: tuple[tuple[str, str, MarkerDefinition, Callable[[Values], Any]], ...] = (
    ("Maximum", "maximum", _BOUND, _get_only),
    ("Minimum", "minimum", _BOUND, _get_only),
    ("ExclusiveMaximum", "exclusive_maximum", _BOOL, _get_only),
    ("ExclusiveMinimum", "exclusive_minimum", _BOOL, _get_only),
    ("MultipleOf", "multiple_of", _NUMBER, _get_only),
    ("MaxLength", "max_length", _INT, _get_only),
    ("MinLength", "min_length", _INT, _get_only),
    ("Pattern", "pattern", _STRING, _get_only),
    ("MaxItems", "max_items", _COUNT, _get_only),
    ("MinItems", "min_items", _INT, _get_only),
    ("UniqueItems", "unique_items", _BOOL, _get_only),
    ("MaxProperties", "max_properties", _INT, _get_only),
    ("MinProperties", "min_properties", _INT, _get_only),
    ("Enum", "enum", _ANYS, _get_only),
    ("Format", "format", _STRING, _get_only),
    ("Type", "type", _STRING, _get_only),
    ("XPreserveUnknownFields", "preserve_unknown_fields", _FLAG, _return_true),
    ("XEmbeddedResource", "embedded_resource", _FLAG, _return_true),
    ("XIntOrString", "int_or_string_flag", _FLAG, _return_true),
    ("XValidation", "rules", RULE_DEFINITION, _make_rule),
)

_OTHERS: tuple[tuple[str, str, MarkerDefinition, str, Callable[[Values], Any]], ...] = (
    ("kubebuilder:validation:AtMostOneOf", "at_most_one_of", _STRINGS, "T", _make_field_set),
    ("kubebuilder:validation:ExactlyOneOf", "exactly_one_of", _STRINGS, "T", _make_field_set),
    ("kubebuilder:validation:AtLeastOneOf", "at_least_one_of", _STRINGS, "T", _make_field_set),
    ("kubebuilder:validation:Required", "required", _FLAG, "F", _return_true),
    ("required", "required", _FLAG, "F", _return_true),
    ("k8s:required", "non_empty", _FLAG, "F", _return_true),
    ("kubebuilder:validation:Optional", "required", _FLAG, "F", _return_false),
    ("optional", "required", _FLAG, "F", _return_false),
    ("k8s:optional", "required", _FLAG, "F", _return_false),
    ("kubebuilder:validation:Required", "oneof", _FLAG, "O", _make_constant_member("required", True)),
    ("required", "oneof", _FLAG, "O", _make_constant_member("required", True)),
    ("k8s:required", "oneof", _FLAG, "O", _make_constant_member("required", True)),
    ("kubebuilder:validation:Optional", "oneof", _FLAG, "O", _make_constant_member("required", False)),
    ("optional", "oneof", _FLAG, "O", _make_constant_member("required", False)),
    ("k8s:optional", "oneof", _FLAG, "O", _make_constant_member("required", False)),
    ("kubebuilder:altName", "alt_name", _STRING, "F", _get_only),
    ("nullable", "nullable", _FLAG, "F", _return_true),
    ("kubebuilder:default", "default", _ANY, "F", _get_only),
    ("default", "default", _JSON, "F", _get_only),
    ("kubebuilder:example", "example", _ANY, "F", _get_only),
    ("kubebuilder:validation:EmbeddedResource", "embedded_resource", _FLAG, "F", _return_true),
    ("kubebuilder:validation:Schemaless", "schemaless", _FLAG, "F", _return_true),
    ("k8s:immutable", "immutable", _FLAG, "F", _return_true),
    ("k8s:enum", NO_OPTION, _FLAG, "E", _return_true),
    ("k8s:maxItems", "max_items", _K8S_COUNT, "F", _get_only),
    ("k8s:maximum", "maximum", _K8S_BOUND, "F", _get_only),
    ("k8s:minimum", "minimum", _K8S_BOUND, "F", _get_only),
    ("kubebuilder:pruning:PreserveUnknownFields", "preserve_unknown_fields", _FLAG, "FT", _return_true),
    ("kubebuilder:title", "title", _ANY, "FT", _get_only),
    (
        "kubebuilder:externalDocs",
        "external_docs",
        _make_named_definition("url:STRING description:STRING?"),
        "FT",
        _get_all,
    ),
    ("listType", "list_type", _STRING, "FT", _get_only),
    ("k8s:listType", "list_type", _STRING, "FT", _get_only),
    ("listMapKey", "list_map_keys", _STRING, "FT", _get_single),
    ("k8s:listMapKey", "list_map_keys", _STRING, "FT", _get_single),
    ("mapType", "map_type", _STRING, "FT", _get_only),
    ("structType", "map_type", _STRING, "FT", _get_only),
    ("groupName", "package", _STRING, "P", _make_member_converter("group")),
    ("versionName", "package", _STRING, "P", _make_member_converter("version")),
    ("kubebuilder:validation:Optional", "package", _FLAG, "P", _make_constant_member("fields_required", False)),
    ("kubebuilder:validation:Required", "package", _FLAG, "P", _make_constant_member("fields_required", True)),
    ("kubebuilder:skip", "package", _FLAG, "P", _make_constant_member("skip", True)),
    ("kubebuilder:subresource:status", "resource", _FLAG, "T", _make_constant_member("status_subresource", True)),
    ("kubebuilder:storageversion", "resource", _FLAG, "T", _make_constant_member("storage_version", DIALECT)),
    ("kubebuilder:unservedversion", "resource", _FLAG, "T", _make_constant_member("unserved_versions", [DIALECT])),
    ("kubebuilder:skipversion", "resource", _FLAG, "T", _make_constant_member("skip", True)),
    (
        "kubebuilder:metadata",
        "resource",
        _make_named_definition("annotations:STRINGS? labels:STRINGS?"),
        "T",
        _make_pairs,
    ),
    (
        "kubebuilder:resource",
        "resource",
        _make_named_definition("path:STRING? shortName:STRINGS? categories:STRINGS? singular:STRING? scope:STRING?"),
        "T",
        _make_renamer(
            {
                "path": "plural",
                "shortName": "short_names",
                "categories": "categories",
                "singular": "singular",
                "scope": "scope",
            }
        ),
    ),
    (
        "kubebuilder:subresource:scale",
        "resource",
        _make_named_definition("specpath:STRING statuspath:STRING selectorpath:STRING?"),
        "T",
        lambda values: {
            "scale": _make_renamer(
                {
                    "specpath": "spec_replicas_path",
                    "statuspath": "status_replicas_path",
                    "selectorpath": "label_selector_path",
                }
            )(values)
        },
    ),
    (
        "kubebuilder:printcolumn",
        "resource",
        _make_named_definition(
            "name:STRING type:STRING JSONPath:STRING description:STRING? format:STRING? priority:INT?"
        ),
        "T",
        _make_list_converter(
            "columns",
            {
                "name": "name",
                "type": "type",
                "JSONPath": "json_path",
                "description": "description",
                "format": "format",
                "priority": "priority",
            },
        ),
    ),
    (
        "kubebuilder:deprecatedversion",
        "resource",
        _make_named_definition("warning:STRING?"),
        "T",
        _make_list_converter("deprecated_versions", {"warning": "warning"}),
    ),
    (
        "kubebuilder:selectablefield",
        "resource",
        _make_named_definition("JSONPath:STRING"),
        "T",
        lambda values: {"selectable_fields": [values["JSONPath"]]},
    ),
    ("kubebuilder:object:root", "resource", _BOOL, "T", lambda values: {} if values[""] else {"skip": True}),
)

# Spellings of Istio's generator with the native prefix, and their syntax. The line reader handles them.
OLDER_VERSION_HINT = {
    "duration-validation:none": "duration-validation:none",
    "list-value-validation": "list-value-validation:<rule>",
    "map-value-validation": "map-value-validation:<rule>",
    "validation:IgnoreSubValidation": 'validation:IgnoreSubValidation:["<message>"]',
    "validation:XIntOrString": "validation:XIntOrString",
}


def _build_table() -> dict[tuple[str, str], Alias]:
    rows: dict[tuple[str, str], Alias] = {}
    for name, option, form, value in _VALIDATIONS:
        for infix, prefix in (("", ""), ("items:", "items.")):
            alias = Alias(f"{VALIDATION}{infix}{name}", prefix + option, form, "FT", value)
            rows[alias.name, "F"] = rows[alias.name, "T"] = alias
    for name, option, form, targets, value in _OTHERS:
        alias = Alias(name, option, form, targets, value)
        rows |= {(name, target): alias for target in targets}
    return rows


ALIASES = _build_table()
NAMES = frozenset([name for name, _ in ALIASES])
