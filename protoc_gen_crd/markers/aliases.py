"""Other spellings of the options: controller-tools' markers and Istio's, as a table onto options.proto.

Source: sigs.k8s.io/controller-tools pkg/crd/markers at v0.23.0 (134 definitions).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.markers.grammar import Argument, Form, Kind

THIS_VERSION = "*"  # stands for every version that the message describes
NOTHING = ""  # the option of a marker that holds without saying so: the values of a proto enum are those allowed

Values = Mapping[str, Any]


class Alias(Record):
    """A marker name's meaning: the option (`resource`, `oneof` and `package` take members), its grammar, its elements.

    `targets` are letters: F field, T message or enum, E enum alone, O oneof, P package. `value` turns the parsed
    arguments into the option's; it raises ValueError for what it cannot take.
    """

    name: str
    option: str
    form: Form
    targets: str
    value: Callable[[Values], Any]


def _anonymous(kind: Kind) -> Form:
    return Form((Argument("", kind),))


def _named(text: str) -> Form:
    """A form of named arguments, written `name:KIND` with `?` behind optional ones."""
    arguments = []
    for part in text.split():
        name, _, kind = part.partition(":")
        arguments.append(Argument(name, Kind[kind.rstrip("?")], kind.endswith("?")))
    return Form(tuple(arguments))


_FLAG, _STRING, _INT, _NUMBER, _BOOL = Form(()), *map(_anonymous, (Kind.STRING, Kind.INT, Kind.NUMBER, Kind.BOOL))
_STRINGS, _ANYS, _ANY, _JSON = map(_anonymous, (Kind.STRINGS, Kind.ANYS, Kind.ANY, Kind.JSON))
_COUNT, _BOUND = map(_anonymous, (Kind.COUNT, Kind.BOUND))
_K8S_COUNT, _K8S_BOUND = (Form(form.arguments, comments=True) for form in (_COUNT, _BOUND))


def _only(values: Values) -> Any:
    return values[""]


def _all(values: Values) -> Any:
    return dict(values)


def _true(_: Values) -> Any:
    return True


def _false(_: Values) -> Any:
    return False


def _one(values: Values) -> Any:
    return [values[""]]


def _field_set(values: Values) -> Any:
    return [{"fields": values[""]}]


_RULE_MEMBERS = {
    "rule": "rule",
    "message": "message",
    "messageExpression": "message_expression",
    "reason": "reason",
    "fieldPath": "field_path",
    "optionalOldSelf": "optional_old_self",
}


def _renamed(members: Mapping[str, str]) -> Callable[[Values], Any]:
    return lambda values: {member: values[name] for name, member in members.items() if name in values}


def _rule(values: Values) -> Any:
    return [_renamed(_RULE_MEMBERS)(values)]


def _list_of(member: str, members: Mapping[str, str]) -> Callable[[Values], Any]:
    return lambda values: {member: [_renamed(members)(values)]}


class RepeatedKeyError(ValueError):
    """A key in a list of `key=value` stands twice."""


def _pairs(values: Values) -> Any:
    """Labels and annotations. Raises ValueError for a text that is no pair, RepeatedKeyError for a key again."""
    found: dict[str, dict[str, str]] = {}
    for member in ("annotations", "labels"):
        for text in values.get(member, ()):
            key, equals, value = text.partition("=")
            if not equals:
                raise ValueError(f'{member} must be of the form key=value, found "{text}"')
            if key in found.setdefault(member, {}):
                raise RepeatedKeyError(f'a key must stand once, found "{key}" twice in {member}')
            found[member][key] = value
    return found


def _member(member: str, value: Any) -> Callable[[Values], Any]:
    return lambda _: {member: value}


def _named_member(member: str) -> Callable[[Values], Any]:
    return lambda values: {member: values[""]}


RULE_FORM = _named(
    "rule:STRING message:STRING? messageExpression:STRING? reason:STRING? fieldPath:STRING? optionalOldSelf:BOOL?"
)

# Each of these also exists as kubebuilder:validation:items:NAME, on fields and on types.
_VALIDATIONS: tuple[tuple[str, str, Form, Callable[[Values], Any]], ...] = (
    ("Maximum", "maximum", _BOUND, _only),
    ("Minimum", "minimum", _BOUND, _only),
    ("ExclusiveMaximum", "exclusive_maximum", _BOOL, _only),
    ("ExclusiveMinimum", "exclusive_minimum", _BOOL, _only),
    ("MultipleOf", "multiple_of", _NUMBER, _only),
    ("MaxLength", "max_length", _INT, _only),
    ("MinLength", "min_length", _INT, _only),
    ("Pattern", "pattern", _STRING, _only),
    ("MaxItems", "max_items", _COUNT, _only),
    ("MinItems", "min_items", _INT, _only),
    ("UniqueItems", "unique_items", _BOOL, _only),
    ("MaxProperties", "max_properties", _INT, _only),
    ("MinProperties", "min_properties", _INT, _only),
    ("Enum", "enum", _ANYS, _only),
    ("Format", "format", _STRING, _only),
    ("Type", "type", _STRING, _only),
    ("XPreserveUnknownFields", "preserve_unknown_fields", _FLAG, _true),
    ("XEmbeddedResource", "embedded_resource", _FLAG, _true),
    ("XIntOrString", "int_or_string_flag", _FLAG, _true),
    ("XValidation", "rules", RULE_FORM, _rule),
)

_OTHERS: tuple[tuple[str, str, Form, str, Callable[[Values], Any]], ...] = (
    ("kubebuilder:validation:AtMostOneOf", "at_most_one_of", _STRINGS, "T", _field_set),
    ("kubebuilder:validation:ExactlyOneOf", "exactly_one_of", _STRINGS, "T", _field_set),
    ("kubebuilder:validation:AtLeastOneOf", "at_least_one_of", _STRINGS, "T", _field_set),
    ("kubebuilder:validation:Required", "required", _FLAG, "F", _true),
    ("required", "required", _FLAG, "F", _true),
    ("k8s:required", "non_empty", _FLAG, "F", _true),
    ("kubebuilder:validation:Optional", "required", _FLAG, "F", _false),
    ("optional", "required", _FLAG, "F", _false),
    ("k8s:optional", "required", _FLAG, "F", _false),
    ("kubebuilder:validation:Required", "oneof", _FLAG, "O", _member("required", True)),
    ("required", "oneof", _FLAG, "O", _member("required", True)),
    ("k8s:required", "oneof", _FLAG, "O", _member("required", True)),
    ("kubebuilder:validation:Optional", "oneof", _FLAG, "O", _member("required", False)),
    ("optional", "oneof", _FLAG, "O", _member("required", False)),
    ("k8s:optional", "oneof", _FLAG, "O", _member("required", False)),
    ("kubebuilder:altName", "alt_name", _STRING, "F", _only),
    ("nullable", "nullable", _FLAG, "F", _true),
    ("kubebuilder:default", "default", _ANY, "F", _only),
    ("default", "default", _JSON, "F", _only),
    ("kubebuilder:example", "example", _ANY, "F", _only),
    ("kubebuilder:validation:EmbeddedResource", "embedded_resource", _FLAG, "F", _true),
    ("kubebuilder:validation:Schemaless", "schemaless", _FLAG, "F", _true),
    ("k8s:immutable", "immutable", _FLAG, "F", _true),
    ("k8s:enum", NOTHING, _FLAG, "E", _true),
    ("k8s:maxItems", "max_items", _K8S_COUNT, "F", _only),
    ("k8s:maximum", "maximum", _K8S_BOUND, "F", _only),
    ("k8s:minimum", "minimum", _K8S_BOUND, "F", _only),
    ("kubebuilder:pruning:PreserveUnknownFields", "preserve_unknown_fields", _FLAG, "FT", _true),
    ("kubebuilder:title", "title", _ANY, "FT", _only),
    ("kubebuilder:externalDocs", "external_docs", _named("url:STRING description:STRING?"), "FT", _all),
    ("listType", "list_type", _STRING, "FT", _only),
    ("k8s:listType", "list_type", _STRING, "FT", _only),
    ("listMapKey", "list_map_keys", _STRING, "FT", _one),
    ("k8s:listMapKey", "list_map_keys", _STRING, "FT", _one),
    ("mapType", "map_type", _STRING, "FT", _only),
    ("structType", "map_type", _STRING, "FT", _only),
    ("groupName", "package", _STRING, "P", _named_member("group")),
    ("versionName", "package", _STRING, "P", _named_member("version")),
    ("kubebuilder:validation:Optional", "package", _FLAG, "P", _member("fields_required", False)),
    ("kubebuilder:validation:Required", "package", _FLAG, "P", _member("fields_required", True)),
    ("kubebuilder:skip", "package", _FLAG, "P", _member("skip", True)),
    ("kubebuilder:subresource:status", "resource", _FLAG, "T", _member("status_subresource", True)),
    ("kubebuilder:storageversion", "resource", _FLAG, "T", _member("storage_version", THIS_VERSION)),
    ("kubebuilder:unservedversion", "resource", _FLAG, "T", _member("unserved_versions", [THIS_VERSION])),
    ("kubebuilder:skipversion", "resource", _FLAG, "T", _member("skip", True)),
    ("kubebuilder:metadata", "resource", _named("annotations:STRINGS? labels:STRINGS?"), "T", _pairs),
    (
        "kubebuilder:resource",
        "resource",
        _named("path:STRING? shortName:STRINGS? categories:STRINGS? singular:STRING? scope:STRING?"),
        "T",
        _renamed(
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
        _named("specpath:STRING statuspath:STRING selectorpath:STRING?"),
        "T",
        lambda values: {
            "scale": _renamed(
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
        _named("name:STRING type:STRING JSONPath:STRING description:STRING? format:STRING? priority:INT?"),
        "T",
        _list_of(
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
        _named("warning:STRING?"),
        "T",
        _list_of("deprecated_versions", {"warning": "warning"}),
    ),
    (
        "kubebuilder:selectablefield",
        "resource",
        _named("JSONPath:STRING"),
        "T",
        lambda values: {"selectable_fields": [values["JSONPath"]]},
    ),
    ("kubebuilder:object:root", "resource", _BOOL, "T", lambda values: {} if values[""] else {"skip": True}),
)


def _table() -> dict[tuple[str, str], Alias]:
    rows: dict[tuple[str, str], Alias] = {}
    for name, option, form, value in _VALIDATIONS:
        for infix, prefix in (("", ""), ("items:", "items.")):
            alias = Alias(f"kubebuilder:validation:{infix}{name}", prefix + option, form, "FT", value)
            rows[alias.name, "F"] = rows[alias.name, "T"] = alias
    for name, option, form, targets, value in _OTHERS:
        alias = Alias(name, option, form, targets, value)
        rows |= {(name, target): alias for target in targets}
    return rows


ALIASES = _table()
NAMES = frozenset([name for name, _ in ALIASES])
