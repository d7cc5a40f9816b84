"""Markers of Kubernetes' declarative validation that CRDs do not have: what says the same in a CRD.

validation-gen makes Go code of them, for types that are built into an API server. Knows names and arguments as text.
Source: k8s.io/code-generator cmd/validation-gen/validators at v0.37.0.
"""

from __future__ import annotations

import re

_TAG = r"k8s:(\w+)(?:\((.*?)\))?(?:=(.*))?"
_SELF = "k8s:"

# Tag -> what to do. {value} is what stands behind its equals sign, {argument} what stands between its parentheses,
# {field} the name of the field that it stands on.
_INSTEAD = {
    "alpha": 'leave this part out: write "{value}"',
    "beta": 'leave this part out: write "{value}"',
    "customUnique": "write a rule: +kubebuilder:validation:XValidation",
    "customValidation": "write a rule: +kubebuilder:validation:XValidation",
    "dependentForbidden": "mark the message with the rule `!(has(self.{field}) && has(self.{argument}))`",
    "dependentRequired": "mark the message with the rule `!has(self.{field}) || has(self.{argument})`",
    "deprecated": "set the option deprecated = true",
    "eachKey": "mark the map with a rule on its keys, as `self.all(key, size(key) <= 63)`",
    "eachVal": 'mark items of a list with "+kubebuilder:validation:items:...", values of a map with '
    '"+protoc-gen-crd:values...."',
    "enumExclude": 'write "+protoc-gen-crd:hidden=true"',
    "forbidden": "mark the message with the rule `!has(self.{field})`, or leave the field out",
    "ifDisabled": "a CRD has no feature gates: leave out what is not served, or tell versions apart by since and until",
    "ifEnabled": "a CRD has no feature gates: leave out what is not served, or tell versions apart by since and until",
    "ifMode": "mark the message with a rule, as `self.mode != '{argument}' || has(self.{field})`",
    "item": "mark the list with a rule, as `self.all(item, item.key != 'x' || has(item.value))`",
    "maxBytes": "mark the field with the rule `size(bytes(self)) <= {value}`",
    "maxLength": 'write "+kubebuilder:validation:MaxLength={value}"',
    "maxProperties": 'write "+kubebuilder:validation:MaxProperties={value}"',
    "minItems": 'write "+kubebuilder:validation:MinItems={value}"',
    "minLength": 'write "+kubebuilder:validation:MinLength={value}"',
    "minProperties": 'write "+kubebuilder:validation:MinProperties={value}"',
    "modeDiscriminator": "leave it out, and mark the message with a rule for each mode",
    "monotonic": "mark the field with the rule `self >= oldSelf`",
    "neq": "mark the field with the rule `self != {value}`",
    "opaqueType": "leave it out: the rules of a type hold wherever it stands",
    "subfield": "mark the field {argument} itself, or this one with a rule on it",
    "unionDiscriminator": "leave it out, and mark the message with a rule that ties the fields to this one",
    "unionMember": 'put the fields into a oneof, or mark the message "+kubebuilder:validation:ExactlyOneOf=a;b"',
    "unique": 'write "+listType={value}"',
    "update": "mark the field with a rule on oldSelf, or +k8s:immutable",
    "validateError": "leave it out: it is for tests of validation-gen",
    "validateFalse": "leave it out: it is for tests of validation-gen",
    "validateTrue": "leave it out: it is for tests of validation-gen",
    "zeroOrOneOfMember": 'put the fields into a oneof, or mark the message "+kubebuilder:validation:AtMostOneOf=a;b"',
}
# What CRDs have in the place of a format of declarative validation.
_FORMATS = {
    "k8s-ip": "mark the field with the rule `isIP(self)`",
    "k8s-label-key": "mark the field with the rule `!format.qualifiedName().validate(self).hasValue()`",
    "k8s-label-value": "mark the field with the rule `!format.labelValue().validate(self).hasValue()`",
    "k8s-long-name": 'write "+kubebuilder:validation:Format=k8s-long-name"',
    "k8s-short-name": 'write "+kubebuilder:validation:Format=k8s-short-name"',
    "k8s-uuid": 'write "+kubebuilder:validation:Format=uuid"',
}
_NO_FORMAT = 'servers know no such format of CRDs: write a pattern, "+kubebuilder:validation:Pattern=..."'


def shown() -> dict[str, str]:
    """Every tag that has no namesake here and what to do in its place, for the reference."""
    parts = {"value": "...", "argument": "name", "field": "field"}
    return {name: text.format(**parts) for name, text in sorted(_INSTEAD.items())}


def instead(marker: str, field: str) -> str:
    """What to do in the place of a marker, written without its plus; empty if it is none of these."""
    found = re.fullmatch(_TAG, marker, re.DOTALL)
    if found is None:
        return ""
    name, argument, value = found.groups("")
    if name == "format":
        return _FORMATS.get(value.strip("\"'`"), _NO_FORMAT)
    if name in ("alpha", "beta") and value.startswith(f"+{_SELF}"):
        return instead(value[1:], field) or _INSTEAD[name].format(value=value)
    argument = re.sub(r"[\"'`]", "", argument) or "name"
    return _INSTEAD.get(name, "").format(value=value or "...", argument=argument, field=field or "field")
