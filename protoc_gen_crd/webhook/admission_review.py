"""AdmissionReview of validating webhooks: the verdict of API servers of a range of versions.

The verdict does not depend on the user or on whether it is a dry run. Deletions and connections are always allowed, as
are subresources other than status, whose objects have other kinds.

Source: k8s.io/apiserver pkg/admission/plugin/webhook/validating and request, k8s.io/api/admission/v1.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from protoc_gen_crd.admission.field_errors import INVALID
from protoc_gen_crd.admission.verdicts import Verdict
from protoc_gen_crd.webhook.review_json import MemberReader
from protoc_gen_crd.webhook.review_types import (
    OTHER,
    Failure,
    Json,
    ReviewAnswer,
    ReviewBuilder,
    ServedKind,
    ServedKinds,
    format_group_label,
    get_group_version,
    get_kind,
    get_name,
    get_request,
    make_reply,
)

API, VERSIONS, KIND = "admission.k8s.io", ("v1", "v1beta1"), "AdmissionReview"
_MEMBERS = (
    ("apiVersion",), ("kind",),
    *(("request", name) for name in ("uid", "operation", "subResource", "namespace", "name", "object", "oldObject")),
)  # fmt: skip
_VALIDATED_OPERATIONS = ("CREATE", "UPDATE")
_ALLOWED_OPERATIONS = ("DELETE", "CONNECT")
_INVALID, _BAD_REQUEST = (422, "Invalid"), (400, "BadRequest")
_STATUS = "status"


class _InvalidRequestError(Exception):
    """A request that cannot be validated: the reason label of the metric, and the error message."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


def admit_review(members: MemberReader, kinds: ServedKinds) -> Iterator[ReviewAnswer | None]:
    """Answer an AdmissionReview: yield None for each of its members, and finally the answer.

    Raises MalformedError if the body is not an AdmissionReview.
    """
    review = ReviewBuilder(_MEMBERS)
    for path, value in members():
        review.add(path, value)
        yield None
    yield _make_answer(review.review, kinds)


def _make_answer(review: Any, kinds: ServedKinds) -> ReviewAnswer:
    request = get_request(review, API, VERSIONS, KIND)
    operation, obj = request.get("operation"), request.get("object") or request.get("oldObject")  # of a deletion
    group = get_group_version(obj)[0]
    kind = kinds.get((group, get_kind(obj)))
    names = (kind.group, kind.name) if kind else (format_group_label(group, kinds), OTHER)
    try:
        result = _validate(request, kind)
    except _InvalidRequestError as error:
        labels = (*names, operation if operation in (*_VALIDATED_OPERATIONS, *_ALLOWED_OPERATIONS) else OTHER, "false")
        name = f"{get_kind(obj) or 'object'} {_get_name(request)}"
        failure = Failure(error.reason, labels, name, str(error))
        return ReviewAnswer(
            make_reply(review, _make_denied_response(_BAD_REQUEST, f"{name}: {error}")), {labels: 1}, (failure,)
        )
    labels = (*names, str(operation), "false" if result.causes else "true")
    response = _make_invalid_response(request, result) if result.causes else {"allowed": True}
    warnings = {"warnings": [cause.message for cause in result.warnings]} if result.warnings else {}
    return ReviewAnswer(make_reply(review, {**response, **warnings}), {labels: 1})


def _get_name(request: Json) -> str:
    """Return the name of an object, from the request if the object has none."""
    obj = request.get("object")
    metadata = obj.get("metadata") if isinstance(obj, dict) else None
    if isinstance(metadata, dict) and metadata.get("name"):
        return get_name(obj)
    return get_name({"metadata": request})


def _validate(request: Json, kind: ServedKind | None) -> Verdict:
    operation, subresource = request.get("operation"), request.get("subResource") or ""
    if operation in _ALLOWED_OPERATIONS or (operation in _VALIDATED_OPERATIONS and subresource not in ("", _STATUS)):
        return Verdict()
    if operation not in _VALIDATED_OPERATIONS:
        raise _InvalidRequestError(
            "request",
            f"unsupported operation, expected one of {', '.join((*_VALIDATED_OPERATIONS, *_ALLOWED_OPERATIONS))}",
        )
    obj, old = request.get("object"), request.get("oldObject")
    if not isinstance(obj, dict) or (operation == "UPDATE" and not isinstance(old, dict)):
        members = "object and oldObject" if operation == "UPDATE" else "object"
        raise _InvalidRequestError("request", f"a request for {operation} requires {members}")
    if kind is None or kind.validate is None:
        raise _InvalidRequestError("kind", f'no CRD found for this kind in group "{get_group_version(obj)[0]}"')
    try:
        return kind.validate(obj, old if operation == "UPDATE" else None, subresource == _STATUS)
    except RecursionError:
        raise _InvalidRequestError("depth", "nested too deeply to be validated") from None
    except ValueError as error:  # the version is not served, or the old object is invalid
        raise _InvalidRequestError("version", f"{error} (apiVersion {obj.get('apiVersion')})") from None


def _make_invalid_response(request: Json, result: Verdict) -> Json:
    obj = request["object"]
    messages = [cause.message for cause in result.causes]
    summary = messages[0] if len(messages) == 1 else f"[{', '.join(messages)}]"
    group, name = get_group_version(obj)[0], _get_name(request).rpartition("/")[2]
    causes = [
        {"reason": INVALID, "message": message, "field": cause.path}
        for message, cause in zip(messages, result.causes, strict=True)
    ]
    details = {"name": name, "group": group, "kind": get_kind(obj), "causes": causes}
    return _make_denied_response(_INVALID, f'{get_kind(obj)}.{group} "{name}" is invalid: {summary}', details)


def _make_denied_response(status: tuple[int, str], message: str, details: Json | None = None) -> Json:
    code, reason = status
    more = {"details": details} if details else {}
    return {
        "allowed": False,
        "status": {"status": "Failure", "code": code, "reason": reason, "message": message, **more},
    }
