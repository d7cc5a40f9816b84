"""Replacements for markers of Kubernetes' declarative validation that CRDs do not support.

validation-gen generates Go code from these markers, for the built-in types of an API server.
Source: k8s.io/code-generator cmd/validation-gen/validators at v0.37.0.
"""

from __future__ import annotations

import re

_TAG = r"k8s:(\w+)(?:\((.*?)\))?(?:=(.*))?"
_SELF = "k8s:"

# Tag -> replacement. {value} is the part after its equals sign, {argument} the part in its parentheses,
# {field} the name of its field.
_REPLACEMENTS = {
    "alpha": 'remove this part: write "{value}"',
    "beta": 'remove this part: write "{value}"',
    "customUnique": "write a rule: +kubebuilder:validation:XValidation",
    "customValidation": "write a rule: +kubebuilder:validation:XValidation",
    "dependentForbidden": "mark the message with the rule `!(has(self.{field}) && has(self.{argument}))`",
    "dependentRequired": "mark the message with the rule `!has(self.{field}) || has(self.{argument})`",
    "deprecated": "set the option deprecated = true",
    "eachKey": "mark the map with a rule on its keys, as `self.all(key, size(key) <= 63)`",
    "eachVal": 'mark items of a list with "+kubebuilder:validation:items:...", values of a map with '
    '"+protoc-gen-crd:values...."',
    "enumExclude": 'write "+protoc-gen-crd:hidden=true"',
    "forbidden": "mark the message with the rule `!has(self.{field})`, or remove the field",
    "ifDisabled": "a CRD has no feature gates: remove what is not served, or set version ranges with since and until",
    "ifEnabled": "a CRD has no feature gates: remove what is not served, or set version ranges with since and until",
    "ifMode": "mark the message with a rule, as `self.mode != '{argument}' || has(self.{field})`",
    "item": "mark the list with a rule, as `self.all(item, item.key != 'x' || has(item.value))`",
    "maxBytes": "mark the field with the rule `size(bytes(self)) <= {value}`",
    "maxLength": 'write "+kubebuilder:validation:MaxLength={value}"',
    "maxProperties": 'write "+kubebuilder:validation:MaxProperties={value}"',
    "minItems": 'write "+kubebuilder:validation:MinItems={value}"',
    "minLength": 'write "+kubebuilder:validation:MinLength={value}"',
    "minProperties": 'write "+kubebuilder:validation:MinProperties={value}"',
    "modeDiscriminator": "remove it, and mark the message with a rule for each mode",
    "monotonic": "mark the field with the rule `self >= oldSelf`",
    "neq": "mark the field with the rule `self != {value}`",
    "opaqueType": "remove it: the rules of a type apply wherever it is used",
    "subfield": "mark the field {argument} itself, or this one with a rule on it",
    "unionDiscriminator": "remove it, and mark the message with a rule that ties the fields to this one",
    "unionMember": 'put the fields into a oneof, or mark the message "+kubebuilder:validation:ExactlyOneOf=a;b"',
    "unique": 'write "+listType={value}"',
    "update": "mark the field with a rule on oldSelf, or +k8s:immutable",
    "validateError": "remove it: it is for tests of validation-gen",
    "validateFalse": "remove it: it is for tests of validation-gen",
    "validateTrue": "remove it: it is for tests of validation-gen",
    "zeroOrOneOfMember": 'put the fields into a oneof, or mark the message "+kubebuilder:validation:AtMostOneOf=a;b"',
}
# Replacements for formats of declarative validation.
_FORMATS = {
    "k8s-ip": "mark the field with the rule `isIP(self)`",
    "k8s-label-key": "mark the field with the rule `!format.qualifiedName().validate(self).hasValue()`",
    "k8s-label-value": "mark the field with the rule `!format.labelValue().validate(self).hasValue()`",
    "k8s-long-name": 'write "+kubebuilder:validation:Format=k8s-long-name"',
    "k8s-short-name": 'write "+kubebuilder:validation:Format=k8s-short-name"',
    "k8s-uuid": 'write "+kubebuilder:validation:Format=uuid"',
}
_NO_FORMAT = 'API servers do not support this format: write a pattern, "+kubebuilder:validation:Pattern=..."'


def list_replacements() -> dict[str, str]:
    """Return the replacement of each tag that has no option of the same name, for the reference page."""
    parts = {"value": "...", "argument": "name", "field": "field"}
    return {name: replacement.format(**parts) for name, replacement in sorted(_REPLACEMENTS.items())}


def suggest_replacement(marker: str, field: str) -> str:
    """Return the replacement of a marker without its plus; empty for other markers. `field` is the field's name."""
    tag = re.fullmatch(_TAG, marker, re.DOTALL)
    if tag is None:
        return ""
    name, argument, value = tag.groups("")
    if name == "format":
        return _FORMATS.get(value.strip("\"'`"), _NO_FORMAT)
    if name in ("alpha", "beta") and value.startswith(f"+{_SELF}"):
        return suggest_replacement(value[1:], field) or _REPLACEMENTS[name].format(value=value)
    argument = re.sub(r"[\"'`]", "", argument) or "name"
    return _REPLACEMENTS.get(name, "").format(value=value or "...", argument=argument, field=field or "field")
