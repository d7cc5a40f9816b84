"""Common types of ConversionReview and AdmissionReview, their request, and their response.

These are pure functions of plain data, without clock and network. An answer includes the data for metrics and logs.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/conversion, k8s.io/apiserver pkg/admission/plugin/webhook/request.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from protoc_gen_crd.admission.verdicts import Verdict
from protoc_gen_crd.base.record import Record

Json = dict[str, Any]
ConvertFunction = Callable[[Json, str], Json]
ValidateFunction = Callable[
    [Json, Json | None, bool], Verdict
]  # the object, the old object, whether the status is updated

OTHER = "other"  # label value for unknown names, so that clients cannot create series


class MalformedError(ValueError):
    """The request body is not a valid review."""


class ServedKind(Record):
    """A served kind with its versions, its converter and its validator; None if it has none."""

    group: str
    name: str
    versions: tuple[str, ...]
    convert: ConvertFunction | None = None
    validate: ValidateFunction | None = None

    def format_label(self, version: str) -> str:
        """Return the label value of a version."""
        return version if version in self.versions else OTHER


ServedKinds = Mapping[tuple[str, str], ServedKind]


def format_group_label(group: str, kinds: ServedKinds) -> str:
    """Return the label value of a group."""
    return group if any(group == known for known, _ in kinds) else OTHER


class Failure(Record):
    """An object that could not be converted or validated. Only `message` may quote its content."""

    reason: str
    labels: tuple[str, ...]
    object: str
    message: str
    place: str = ""


class ReviewAnswer(Record):
    """The response to a review, counts by metric labels, and failures.

    `converted_objects` is the JSON of the converted objects, to insert between the last brackets of the body.
    """

    body: Json
    counts: Mapping[tuple[str, ...], int] = {}
    failures: tuple[Failure, ...] = ()
    ignored_data: Mapping[tuple[str, ...], int] = {}
    converted_objects: bytearray | None = None


class ReviewBuilder:
    """A builder of a review from its known members; `review` is the review, or the value of a body that is none."""

    def __init__(self, known: Collection[tuple[str, ...]]) -> None:
        self.review: Any = {}
        self.request: Json = {}
        self._known = known

    def add(self, path: tuple[str, ...], value: Any) -> None:
        """Add a member by its path, if it is known."""
        if not path:
            self.review = value
        elif path not in self._known:
            return
        elif len(path) == 1:
            self.review[path[0]] = value
        else:
            self.request[path[1]] = value
            self.review["request"] = self.request


def get_request(review: object, api: str, versions: Sequence[str], kind: str) -> Json:
    """Return the request of a review. Raises MalformedError if the review is invalid."""
    if not isinstance(review, dict):
        raise MalformedError(f"the body is not a {kind}")
    api_versions = [f"{api}/{version}" for version in versions]
    if review.get("kind") != kind or review.get("apiVersion") not in api_versions:
        actual = f"{_shorten(review.get('apiVersion'))}, {_shorten(review.get('kind'))}"
        raise MalformedError(f"the body is {actual}, expected {' or '.join(api_versions)}, {kind}")
    request = review.get("request")
    if not isinstance(request, dict) or not isinstance(request.get("uid"), str):
        raise MalformedError(f"the {kind} has no request with a uid")
    return request


def make_reply(review: Json, response: Json) -> Json:
    """Return the review of a response, with the apiVersion and the uid of the request."""
    uid = review["request"]["uid"]
    return {"apiVersion": review["apiVersion"], "kind": review["kind"], "response": {"uid": uid, **response}}


def get_name(obj: object) -> str:
    """Return the namespace and name of an object for messages."""
    metadata = obj.get("metadata") if isinstance(obj, dict) else None
    names = [metadata.get(part) for part in ("namespace", "name")] if isinstance(metadata, dict) else []
    return "/".join(_shorten(name) for name in names if isinstance(name, str) and name) or "(no name)"


def get_group_version(obj: object) -> tuple[str, str]:
    """Return the group and version of an object, empty where absent."""
    api_version = obj.get("apiVersion") if isinstance(obj, dict) else None
    group, _, version = api_version.rpartition("/") if isinstance(api_version, str) else ("", "", "")
    return group, version


def get_kind(obj: object) -> str:
    """Return the kind of an object, empty where absent."""
    kind = obj.get("kind") if isinstance(obj, dict) else None
    return kind if isinstance(kind, str) else ""


def _shorten(value: object) -> str:
    string = value if isinstance(value, str) else type(value).__name__
    return string if len(string) <= 253 else f"{string[:250]}..."
