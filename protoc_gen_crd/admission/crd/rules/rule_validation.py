"""Validation of x-kubernetes-validations before compilation.

Source: k8s.io/apiextensions-apiserver pkg/apis/apiextensions/validation validation.go; KEP-2876.
"""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd.admission.crd.structure.schema_visitor import (
    HAS_EXTENSION,
    HAS_OPTIONAL,
    HAS_RULE,
    SCHEMA,
    UNKNOWN,
    NodeVisit,
)
from protoc_gen_crd.admission.field_errors import (
    INVALID,
    NOT_SUPPORTED,
    REQUIRED,
    format_supported_values,
)
from protoc_gen_crd.admission.typed_values import GoTypedValue
from protoc_gen_crd.admission.version_differences import (
    BARE_DETAILS,
    MESSAGE_EXPRESSION,
    OPTIONAL_OLD_SELF,
    REASON_AND_FIELD_PATH,
)
from protoc_gen_crd.kubernetes.supported_versions import Switch
from protoc_gen_crd.schema.schema import VALIDATIONS, ValidationRule

REASONS = ("FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired")


def check_rules(visit: NodeVisit, value: Sequence[ValidationRule]) -> None:
    """Check the members of every rule."""
    if value:
        visit.flags |= HAS_RULE | HAS_EXTENSION
    for index, rule in enumerate(value):
        count = len(visit.findings)
        _check_rule(visit, rule, f".{VALIDATIONS}[{index}]")
        if rule.origin is not None:
            visit.findings[count:] = [finding.replace(origin=rule.origin) for finding in visit.findings[count:]]


def _check_rule(visit: NodeVisit, rule: ValidationRule, path: str) -> None:
    _check_rule_and_message(visit, rule, path)
    if rule.message_expression:
        _add_unsupported_member(visit, f"{path}.messageExpression", MESSAGE_EXPRESSION)
        if not rule.message_expression.strip():
            reason = "messageExpression must be non-empty if specified"
            visit.add_finding(SCHEMA, REQUIRED, f"{path}.messageExpression", reason, when=MESSAGE_EXPRESSION)
    if rule.reason is not None:
        _add_unsupported_member(visit, f"{path}.reason", REASON_AND_FIELD_PATH)
        if rule.reason not in REASONS:
            value = GoTypedValue("apiextensions.FieldValueErrorReason", rule.reason)
            visit.add_finding(
                SCHEMA,
                NOT_SUPPORTED,
                f"{path}.reason",
                format_supported_values(REASONS),
                value,
                when=REASON_AND_FIELD_PATH,
            )
    if rule.optional_old_self is not None:
        visit.flags |= HAS_OPTIONAL
        _add_unsupported_member(visit, f"{path}.optionalOldSelf", OPTIONAL_OLD_SELF)
    if rule.field_path:
        _add_unsupported_member(visit, f"{path}.fieldPath", REASON_AND_FIELD_PATH)
        _check_field_path(visit, rule.field_path, f"{path}.fieldPath")


def _add_unsupported_member(visit: NodeVisit, path: str, since: Switch) -> None:
    visit.add_finding(UNKNOWN, "", path, unless=since)


def _check_rule_and_message(visit: NodeVisit, rule: ValidationRule, path: str) -> None:
    expression, message = rule.rule.strip(), rule.message.strip()
    if not expression:
        visit.add_finding(SCHEMA, REQUIRED, f"{path}.rule", "rule is not specified")
    elif rule.message and not message:
        _add_invalid_member(visit, f"{path}.message", "must be non-empty if specified", rule.message)
    elif _has_line_break(message):
        _add_invalid_member(visit, f"{path}.message", "must not contain line breaks", rule.message)
    elif _has_line_break(expression) and not message:
        visit.add_finding(SCHEMA, REQUIRED, f"{path}.message", "message must be specified if rule contains line breaks")


def _check_field_path(visit: NodeVisit, field_path: str, path: str) -> None:
    from protoc_gen_crd.admission.crd.rules.field_paths import is_valid_field_path  # noqa: PLC0415 - few rules have a path

    since = REASON_AND_FIELD_PATH
    if not field_path.strip():
        _add_invalid_member(visit, path, "must be non-empty if specified", field_path, since)
    if _has_line_break(field_path):
        _add_invalid_member(visit, path, "must not contain line breaks", field_path, since)
    if not is_valid_field_path(visit.node, field_path):
        _add_invalid_member(visit, path, "must be a valid path", field_path, since)


def _add_invalid_member(visit: NodeVisit, path: str, detail: str, value: str, since: Switch | None = None) -> None:
    """Add the finding with the member's name in front, for older servers, and without it."""
    member = path.rpartition(".")[2]
    visit.add_finding(SCHEMA, INVALID, path, detail, value, when=BARE_DETAILS)
    visit.add_finding(SCHEMA, INVALID, path, f"{member} {detail}", value, when=since, unless=BARE_DETAILS)


def _has_line_break(string: str) -> bool:
    return "\n" in string or "\r" in string
