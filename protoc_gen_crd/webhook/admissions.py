"""AdmissionReview of validating webhooks: what API servers of the asked versions would say of the object.

Who asks, and whether it is a dry run, makes no difference. A deletion and a connection bring nothing to judge, nor does
a subresource other than status, whose objects are of other kinds.

Source: k8s.io/apiserver pkg/admission/plugin/webhook/validating and request, k8s.io/api/admission/v1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from protoc_gen_crd.webhook.review import (
    OTHER,
    Answer,
    Failure,
    Gathered,
    Json,
    Judgement,
    Kind,
    Kinds,
    kind_of,
    name_of,
    reply,
    request_of,
    version_of,
)

API, VERSIONS, KIND = "admission.k8s.io", ("v1", "v1beta1"), "AdmissionReview"
_MEMBERS = (
    "apiVersion", "kind",
    *(f"request.{name}" for name in ("uid", "operation", "subResource", "namespace", "name", "object", "oldObject")),
)  # fmt: skip
_JUDGED = ("CREATE", "UPDATE")
_PASSED = ("DELETE", "CONNECT")
_INVALID, _BAD_REQUEST = (422, "Invalid"), (400, "BadRequest")
_STATUS = "status"


class _RefusedError(Exception):
    """A request that cannot be judged: the reason by which failures are counted, and the text."""

    def __init__(self, reason: str, text: str) -> None:
        super().__init__(text)
        self.reason = reason


def admit_review(members: Callable[[], Iterator[tuple[str, Any]]], kinds: Kinds) -> Iterator[Answer | None]:
    """Answer an AdmissionReview: nothing for each of its members, at last the answer.

    Raises MalformedError for what is none.
    """
    review = Gathered(_MEMBERS)
    for path, value in members():
        review.add(path, value)
        yield None
    yield _answer(review.whole, kinds)


def _answer(review: Any, kinds: Kinds) -> Answer:
    request = request_of(review, API, VERSIONS, KIND)
    operation, obj = request.get("operation"), request.get("object") or request.get("oldObject")  # of a deletion
    kind = kinds.get((version_of(obj)[0], kind_of(obj)))
    about = (kind.group, kind.name) if kind else ("", OTHER)
    try:
        found = _judged(request, kind)
    except _RefusedError as error:
        labels = (*about, operation if operation in (*_JUDGED, *_PASSED) else OTHER, "false")
        name = f"{kind_of(obj) or 'object'} {_name(request)}"
        failure = Failure(error.reason, labels, name, str(error))
        return Answer(reply(review, _denied(_BAD_REQUEST, f"{name}: {error}")), {labels: 1}, (failure,))
    labels = (*about, str(operation), "false" if found.errors else "true")
    response = _invalid(request, found) if found.errors else {"allowed": True}
    warnings = {"warnings": list(found.warnings)} if found.warnings else {}
    return Answer(reply(review, {**response, **warnings}), {labels: 1})


def _name(request: Json) -> str:
    """An object's name, by the request where it does not say: objects that are no such have none."""
    obj = request.get("object")
    metadata = obj.get("metadata") if isinstance(obj, dict) else None
    if isinstance(metadata, dict) and metadata.get("name"):
        return name_of(obj)
    return name_of({"metadata": request})


def _judged(request: Json, kind: Kind | None) -> Judgement:
    operation, subresource = request.get("operation"), request.get("subResource") or ""
    if operation in _PASSED or (operation in _JUDGED and subresource not in ("", _STATUS)):
        return Judgement()
    if operation not in _JUDGED:
        raise _RefusedError("request", f"the operation must be one of {', '.join((*_JUDGED, *_PASSED))}")
    obj, old = request.get("object"), request.get("oldObject")
    if not isinstance(obj, dict) or (operation == "UPDATE" and not isinstance(old, dict)):
        wanted = "the object and the old one" if operation == "UPDATE" else "the object"
        raise _RefusedError("request", f"{operation} must come with {wanted}")
    if kind is None or kind.judge is None:
        raise _RefusedError("kind", f"no CRD of the kind is known here, in the group {version_of(obj)[0]!r}")
    try:
        return kind.judge(obj, old if operation == "UPDATE" else None, subresource == _STATUS)
    except RecursionError:
        raise _RefusedError("depth", "it is nested too deep to be judged") from None
    except ValueError as error:  # of a version that is not served, or an old object that is none
        raise _RefusedError("version", f"{error}, of {obj.get('apiVersion')!r}") from None


def _invalid(request: Json, found: Judgement) -> Json:
    obj = request["object"]
    texts = [text for _, text in found.errors]
    joined = texts[0] if len(texts) == 1 else f"[{', '.join(texts)}]"
    group, name = version_of(obj)[0], _name(request).rpartition("/")[2]
    causes = [{"reason": "FieldValueInvalid", "message": text, "field": path} for path, text in found.errors]
    details = {"name": name, "group": group, "kind": kind_of(obj), "causes": causes}
    return _denied(_INVALID, f'{kind_of(obj)}.{group} "{name}" is invalid: {joined}', details)


def _denied(status: tuple[int, str], message: str, details: Json | None = None) -> Json:
    code, reason = status
    more = {"details": details} if details else {}
    return {
        "allowed": False,
        "status": {"status": "Failure", "code": code, "reason": reason, "message": message, **more},
    }
