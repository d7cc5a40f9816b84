"""x-kubernetes-validations: what is said of the texts themselves, and the seam where CEL comes in.

Source: k8s.io/apiextensions-apiserver pkg/apis/apiextensions/validation validation.go; KEP-2876.
"""

from __future__ import annotations

from collections.abc import Sequence

from protoc_gen_crd.admission.crd.survey import HAS_EXTENSION, HAS_OPTIONAL, HAS_RULE, SCHEMA, UNKNOWN, Visit
from protoc_gen_crd.admission.errors import INVALID, NOT_SUPPORTED, REQUIRED, Typed, supported
from protoc_gen_crd.admission.switches import (
    BARE_DETAILS,
    MESSAGE_EXPRESSION,
    OPTIONAL_OLD_SELF,
    REASON_AND_FIELD_PATH,
    Switch,
)
from protoc_gen_crd.schema.types import VALIDATIONS, Rule

REASONS = ("FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired")


def texts(visit: Visit, value: Sequence[Rule]) -> None:
    """What every rule's members must be before anything is compiled."""
    if value:
        visit.bits |= HAS_RULE | HAS_EXTENSION
    for index, rule in enumerate(value):
        known = len(visit.found)
        _of_rule(visit, rule, f".{VALIDATIONS}[{index}]")
        if rule.origin is not None:
            visit.found[known:] = [found.replace(origin=rule.origin) for found in visit.found[known:]]


def _of_rule(visit: Visit, rule: Rule, path: str) -> None:
    _rule_and_message(visit, rule, path)
    if rule.message_expression:
        _newer(visit, f"{path}.messageExpression", MESSAGE_EXPRESSION)
        if not rule.message_expression.strip():
            reason = "messageExpression must be non-empty if specified"
            visit.add(SCHEMA, REQUIRED, f"{path}.messageExpression", reason, when=MESSAGE_EXPRESSION)
    if rule.reason is not None:
        _newer(visit, f"{path}.reason", REASON_AND_FIELD_PATH)
        if rule.reason not in REASONS:
            shown = Typed("apiextensions.FieldValueErrorReason", rule.reason)
            visit.add(SCHEMA, NOT_SUPPORTED, f"{path}.reason", supported(REASONS), shown, when=REASON_AND_FIELD_PATH)
    if rule.optional_old_self is not None:
        visit.bits |= HAS_OPTIONAL
        _newer(visit, f"{path}.optionalOldSelf", OPTIONAL_OLD_SELF)
    if rule.field_path:
        _newer(visit, f"{path}.fieldPath", REASON_AND_FIELD_PATH)
        _field_path(visit, rule.field_path, f"{path}.fieldPath")


def _newer(visit: Visit, path: str, since: Switch) -> None:
    visit.add(UNKNOWN, "", path, unless=since)


def _rule_and_message(visit: Visit, rule: Rule, path: str) -> None:
    text, message = rule.rule.strip(), rule.message.strip()
    if not text:
        visit.add(SCHEMA, REQUIRED, f"{path}.rule", "rule is not specified")
    elif rule.message and not message:
        _worded(visit, f"{path}.message", "must be non-empty if specified", rule.message)
    elif _breaks(message):
        _worded(visit, f"{path}.message", "must not contain line breaks", rule.message)
    elif _breaks(text) and not message:
        visit.add(SCHEMA, REQUIRED, f"{path}.message", "message must be specified if rule contains line breaks")


def _field_path(visit: Visit, text: str, path: str) -> None:
    from protoc_gen_crd.admission.crd.fieldpaths import resolves  # noqa: PLC0415 - few rules have a path

    since = REASON_AND_FIELD_PATH
    if not text.strip():
        _worded(visit, path, "must be non-empty if specified", text, since)
    if _breaks(text):
        _worded(visit, path, "must not contain line breaks", text, since)
    if not resolves(visit.node, text):
        _worded(visit, path, "must be a valid path", text, since)


def _worded(visit: Visit, path: str, detail: str, value: str, since: Switch | None = None) -> None:
    """Say it once with the member's name in front, as older servers do, and once without."""
    member = path.rpartition(".")[2]
    visit.add(SCHEMA, INVALID, path, detail, value, when=BARE_DETAILS)
    visit.add(SCHEMA, INVALID, path, f"{member} {detail}", value, when=since, unless=BARE_DETAILS)


def _breaks(text: str) -> bool:
    return "\n" in text or "\r" in text
