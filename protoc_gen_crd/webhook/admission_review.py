"""AdmissionReview of validating webhooks, answered with the verdict of API servers of a range of versions.

Who asks, and whether it is a dry run, makes no difference. A deletion and a connection bring nothing to judge, nor does
a subresource other than status, whose objects are of other kinds.

Source: k8s.io/apiserver pkg/admission/plugin/webhook/validating and request, k8s.io/api/admission/v1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from protoc_gen_crd.webhook.review import (
    OTHER,
    AdmissionResult,
    Failure,
    Json,
    ReviewAnswer,
    ReviewBuilder,
    ServedKind,
    ServedKinds,
    get_group_version,
    get_kind,
    get_name,
    get_request,
    make_reply,
)

API, VERSIONS, KIND = "admission.k8s.io", ("v1", "v1beta1"), "AdmissionReview"
_MEMBERS = (
    "apiVersion", "kind",
    *(f"request.{name}" for name in ("uid", "operation", "subResource", "namespace", "name", "object", "oldObject")),
)  # fmt: skip
_VALIDATED_OPERATIONS = ("CREATE", "UPDATE")
_ALLOWED_OPERATIONS = ("DELETE", "CONNECT")
_INVALID, _BAD_REQUEST = (422, "Invalid"), (400, "BadRequest")
_STATUS = "status"


class _InvalidRequestError(Exception):
    """A request that cannot be validated: the reason label of the metric, and the error message."""

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason


def admit_review(members: Callable[[], Iterator[tuple[str, Any]]], kinds: ServedKinds) -> Iterator[ReviewAnswer | None]:
    """Answer an AdmissionReview: nothing for each of its members, at last the answer.

    Raises MalformedError for what is none.
    """
    review = ReviewBuilder(_MEMBERS)
    for path, value in members():
        review.add(path, value)
        yield None
    yield _make_answer(review.review, kinds)


def _make_answer(review: Any, kinds: ServedKinds) -> ReviewAnswer:
    request = get_request(review, API, VERSIONS, KIND)
    operation, obj = request.get("operation"), request.get("object") or request.get("oldObject")  # of a deletion
    kind = kinds.get((get_group_version(obj)[0], get_kind(obj)))
    about = (kind.group, kind.name) if kind else ("", OTHER)
    try:
        found = _validate(request, kind)
    except _InvalidRequestError as error:
        labels = (*about, operation if operation in (*_VALIDATED_OPERATIONS, *_ALLOWED_OPERATIONS) else OTHER, "false")
        name = f"{get_kind(obj) or 'object'} {_get_name(request)}"
        failure = Failure(error.reason, labels, name, str(error))
        return ReviewAnswer(
            make_reply(review, _make_denied_response(_BAD_REQUEST, f"{name}: {error}")), {labels: 1}, (failure,)
        )
    labels = (*about, str(operation), "false" if found.errors else "true")
    response = _make_invalid_response(request, found) if found.errors else {"allowed": True}
    warnings = {"warnings": list(found.warnings)} if found.warnings else {}
    return ReviewAnswer(make_reply(review, {**response, **warnings}), {labels: 1})


def _get_name(request: Json) -> str:
    """An object's name, by the request where it does not say: objects that are no such have none."""
    obj = request.get("object")
    metadata = obj.get("metadata") if isinstance(obj, dict) else None
    if isinstance(metadata, dict) and metadata.get("name"):
        return get_name(obj)
    return get_name({"metadata": request})


def _validate(request: Json, kind: ServedKind | None) -> AdmissionResult:
    operation, subresource = request.get("operation"), request.get("subResource") or ""
    if operation in _ALLOWED_OPERATIONS or (operation in _VALIDATED_OPERATIONS and subresource not in ("", _STATUS)):
        return AdmissionResult()
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
    except ValueError as error:  # of a version that is not served, or an old object that is none
        raise _InvalidRequestError("version", f"{error} (apiVersion {obj.get('apiVersion')})") from None


def _make_invalid_response(request: Json, found: AdmissionResult) -> Json:
    obj = request["object"]
    texts = [text for _, text in found.errors]
    joined = texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"
    group, name = get_group_version(obj)[0], _get_name(request).rpartition("/")[2]
    causes = [{"reason": "FieldValueInvalid", "message": text, "field": path} for path, text in found.errors]
    details = {"name": name, "group": group, "kind": get_kind(obj), "causes": causes}
    return _make_denied_response(_INVALID, f'{get_kind(obj)}.{group} "{name}" is invalid: {joined}', details)


def _make_denied_response(status: tuple[int, str], message: str, details: Json | None = None) -> Json:
    code, reason = status
    more = {"details": details} if details else {}
    return {
        "allowed": False,
        "status": {"status": "Failure", "code": code, "reason": reason, "message": message, **more},
    }
