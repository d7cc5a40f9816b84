"""Reviews as an API server sends them and wants them answered: what conversion and admission have in common.

Pure: plain data in, plain data out; no clock, no network. The answer comes with what is to be counted and logged.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/conversion, k8s.io/apiserver pkg/admission/plugin/webhook/request.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.record import Record

Json = dict[str, Any]
ConvertFunction = Callable[[Json, str], Json]
ValidateFunction = Callable[
    [Json, Json | None, bool], "AdmissionResult"
]  # the object, the old one, whether it is about the status

OTHER = "other"  # in labels, where a name is one that nobody declared: who asks must not make up series
_MAX_NAMED_FAILURES = 5  # failures that a message tells


class MalformedError(ValueError):
    """The request body is not a valid review."""


class AdmissionResult(Record):
    """Validation errors of an object with their paths, and warnings."""

    errors: tuple[tuple[str, str], ...] = ()  # path and text
    warnings: tuple[str, ...] = ()


class ServedKind(Record):
    """A kind that is served: its versions, what converts its objects and what judges them, None for what is not."""

    group: str
    name: str
    versions: tuple[str, ...]
    convert: ConvertFunction | None = None
    validate: ValidateFunction | None = None

    def format_label(self, version: str) -> str:
        """A version as the value of a label."""
        return version if version in self.versions else OTHER


ServedKinds = Mapping[tuple[str, str], ServedKind]


class Failure(Record):
    """An object that could not be converted or validated. Only `text` may quote its content."""

    reason: str
    labels: tuple[str, ...]
    object: str
    text: str
    place: str = ""


class ReviewAnswer(Record):
    """The response to a review, counts by metric labels, and failures.

    `converted_objects` is what comes between the last brackets of the body: the text of the converted objects.
    """

    body: Json
    counts: Mapping[tuple[str, ...], int] = {}
    failures: tuple[Failure, ...] = ()
    ignored_data: Mapping[tuple[str, ...], int] = {}
    converted_objects: bytearray | None = None


class ReviewBuilder:
    """The members of a review that anybody reads; `review` is the review of them, or what was sent in its place."""

    def __init__(self, known: Collection[str]) -> None:
        self.review: Any = {}
        self.request: Json = {}
        self._known = known

    def add(self, path: str, value: Any) -> None:
        """Take up a member, by its path."""
        if not path:
            self.review = value
        elif path not in self._known:
            return
        elif path.startswith("request."):
            self.request[path.removeprefix("request.")] = value
            self.review["request"] = self.request
        else:
            self.review[path] = value


def get_request(review: object, api: str, versions: Sequence[str], kind: str) -> Json:
    """The request of a review. Raises MalformedError for anything else."""
    if not isinstance(review, dict):
        raise MalformedError(f"the body is not a {kind}")
    known = [f"{api}/{version}" for version in versions]
    if review.get("kind") != kind or review.get("apiVersion") not in known:
        found = f"{_shorten(review.get('apiVersion'))}, {_shorten(review.get('kind'))}"
        raise MalformedError(f"the body is {found}, expected {' or '.join(known)}, {kind}")
    request = review.get("request")
    if not isinstance(request, dict) or not isinstance(request.get("uid"), str):
        raise MalformedError(f"the {kind} has no request with a uid")
    return request


def make_reply(review: Json, response: Json) -> Json:
    """The review that answers one: of the same version, about the same call."""
    uid = review["request"]["uid"]
    return {"apiVersion": review["apiVersion"], "kind": review["kind"], "response": {"uid": uid, **response}}


def get_name(obj: object) -> str:
    """An object's namespace and name, for people."""
    metadata = obj.get("metadata") if isinstance(obj, dict) else None
    names = [metadata.get(part) for part in ("namespace", "name")] if isinstance(metadata, dict) else []
    return "/".join(_shorten(name) for name in names if isinstance(name, str) and name) or "(no name)"


def get_group_version(obj: object) -> tuple[str, str]:
    """Return the group and version of an object, empty where absent."""
    given = obj.get("apiVersion") if isinstance(obj, dict) else None
    group, _, version = given.rpartition("/") if isinstance(given, str) else ("", "", "")
    return group, version


def get_kind(obj: object) -> str:
    """Return the kind of an object, empty where absent."""
    given = obj.get("kind") if isinstance(obj, dict) else None
    return given if isinstance(given, str) else ""


def format_failures(failures: Sequence[Failure]) -> str:
    """The failures of a request in one line."""
    texts = [" ".join(failure.text.split()) for failure in failures[:_MAX_NAMED_FAILURES]]
    more = [f"and {len(failures) - _MAX_NAMED_FAILURES} more"] if len(failures) > _MAX_NAMED_FAILURES else []
    return "; ".join(texts + more)


def _shorten(value: object) -> str:
    text = value if isinstance(value, str) else type(value).__name__
    return text if len(text) <= 253 else f"{text[:250]}..."
