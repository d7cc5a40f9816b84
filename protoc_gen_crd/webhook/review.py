"""Reviews as an API server sends them and wants them answered: what conversion and admission have in common.

Pure: plain data in, plain data out; no clock, no network. The answer comes with what is to be counted and logged.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/conversion, k8s.io/apiserver pkg/admission/plugin/webhook/request.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.record import Record

Json = dict[str, Any]
Convert = Callable[[Json, str], Json]
Judge = Callable[[Json, Json | None, bool], "Judgement"]  # the object, the old one, whether it is about the status

OTHER = "other"  # in labels, where a name is one that nobody declared: who asks must not make up series
_MOST_NAMED = 5  # failures that a message tells


class MalformedError(ValueError):
    """What was sent is no review; the text tells why."""


class Judgement(Record):
    """What is wrong with an object, each with its path, and what its author is warned of."""

    errors: tuple[tuple[str, str], ...] = ()  # path and text
    warnings: tuple[str, ...] = ()


class Kind(Record):
    """A kind that is served: its versions, what converts its objects and what judges them, None for what is not."""

    group: str
    name: str
    versions: tuple[str, ...]
    convert: Convert | None = None
    judge: Judge | None = None

    def label(self, version: str) -> str:
        """A version as the value of a label."""
        return version if version in self.versions else OTHER


Kinds = Mapping[tuple[str, str], Kind]


class Failure(Record):
    """An object that could not be converted or judged; `text` may quote it, nothing else does."""

    reason: str
    labels: tuple[str, ...]
    object: str
    text: str
    place: str = ""


class Answer(Record):
    """What is sent back, how often each combination of labels was met, and what went wrong.

    `objects` is what comes between the last brackets of the body: the text of the converted objects.
    """

    body: Json
    counts: Mapping[tuple[str, ...], int] = {}
    failures: tuple[Failure, ...] = ()
    ignored: Mapping[tuple[str, ...], int] = {}
    objects: bytearray | None = None


class Gathered:
    """The members of a review that anybody reads; `whole` is the review of them, or what was sent in its place."""

    def __init__(self, known: Collection[str]) -> None:
        self.whole: Any = {}
        self.request: Json = {}
        self._known = known

    def add(self, path: str, value: Any) -> None:
        """Take up a member, by its path."""
        if not path:
            self.whole = value
        elif path not in self._known:
            return
        elif path.startswith("request."):
            self.request[path.removeprefix("request.")] = value
            self.whole["request"] = self.request
        else:
            self.whole[path] = value


def request_of(review: object, api: str, versions: Sequence[str], kind: str) -> Json:
    """The request of a review. Raises MalformedError for anything else."""
    if not isinstance(review, dict):
        raise MalformedError(f"the body must be of the kind {kind}, found no object")
    known = [f"{api}/{version}" for version in versions]
    if review.get("kind") != kind or review.get("apiVersion") not in known:
        found = f"{_short(review.get('apiVersion'))}, {_short(review.get('kind'))}"
        raise MalformedError(f"the body must be of {' or '.join(known)}, {kind}, found {found}")
    request = review.get("request")
    if not isinstance(request, dict) or not isinstance(request.get("uid"), str):
        raise MalformedError(f"the {kind} must have a request with a uid")
    return request


def reply(review: Json, response: Json) -> Json:
    """The review that answers one: of the same version, about the same call."""
    uid = review["request"]["uid"]
    return {"apiVersion": review["apiVersion"], "kind": review["kind"], "response": {"uid": uid, **response}}


def name_of(obj: object) -> str:
    """An object's namespace and name, for people."""
    metadata = obj.get("metadata") if isinstance(obj, dict) else None
    names = [metadata.get(part) for part in ("namespace", "name")] if isinstance(metadata, dict) else []
    return "/".join(_short(name) for name in names if isinstance(name, str) and name) or "(no name)"


def version_of(obj: object) -> tuple[str, str]:
    """An object's group and version, empty for what it does not say."""
    given = obj.get("apiVersion") if isinstance(obj, dict) else None
    group, _, version = given.rpartition("/") if isinstance(given, str) else ("", "", "")
    return group, version


def kind_of(obj: object) -> str:
    """An object's kind, empty where it does not say."""
    given = obj.get("kind") if isinstance(obj, dict) else None
    return given if isinstance(given, str) else ""


def told(failures: Sequence[Failure]) -> str:
    """The failures of a request in one line."""
    texts = [" ".join(failure.text.split()) for failure in failures[:_MOST_NAMED]]
    more = [f"and {len(failures) - _MOST_NAMED} more"] if len(failures) > _MOST_NAMED else []
    return "; ".join(texts + more)


def _short(value: object) -> str:
    text = value if isinstance(value, str) else type(value).__name__
    return text if len(text) <= 253 else f"{text[:250]}..."
