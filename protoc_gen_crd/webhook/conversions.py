"""ConversionReview: every object in the version that is asked for, or one message that names those that cannot be.

The API server takes labels and annotations of the metadata from the answer and puts back the rest. Here all the rest
is put back beforehand, so that a function written by hand cannot change it, and a changed identity is told.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/conversion/webhook_converter.go.
"""

from __future__ import annotations

import re
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

from protoc_gen_crd.conversion.helpers.objects import layers
from protoc_gen_crd.conversion.helpers.runtime import ConversionError
from protoc_gen_crd.webhook.review import (
    OTHER,
    Answer,
    Convert,
    Failure,
    Gathered,
    Json,
    Kind,
    Kinds,
    kind_of,
    name_of,
    reply,
    request_of,
    told,
    version_of,
)
from protoc_gen_crd.webhook.wire import ITEM, written

API, VERSIONS, KIND = "apiextensions.k8s.io", ("v1", "v1beta1"), "ConversionReview"
_WANTED = "request.desiredAPIVersion"
_MEMBERS = ("apiVersion", "kind", "request.uid", _WANTED, "request.objects")
_MOST_FAILURES = 1000  # after which the rest of a review is not tried
_IDENTITY = ("name", "namespace", "uid")
_CHANGEABLE = ("labels", "annotations")
_NOBODY = ("", OTHER, OTHER, OTHER)  # labels of what cannot be told
_PLACE = re.compile(r"[A-Za-z_][\w.]*(?=[:\[])")  # a path up to where it names a key or an index


class _FailedError(Exception):
    """An object that is not converted: the reason by which failures are counted, and the text."""

    def __init__(self, reason: str, text: str, place: str = "") -> None:
        super().__init__(text)
        self.reason, self.place = reason, place


def _misfit(error: ConversionError) -> _FailedError:
    found = _PLACE.match(str(error))
    return _FailedError("object", str(error), found[0] if found else "")


def _broken(error: BaseException, text: str) -> _FailedError:
    """Where a function written by hand has raised an error, whose own text may hold parts of the object."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return _FailedError("function", text, f"{last.filename}:{last.lineno}")


def convert_review(members: Callable[[], Iterator[tuple[str, Any]]], kinds: Kinds) -> Iterator[Answer | None]:
    """Answer a ConversionReview, whose members can be gone through twice: nothing for each object, at last the answer.

    Raises MalformedError for what is none.
    """
    wanted = None
    for path, value in members():
        if path == _WANTED:
            wanted = value
            break
        yield None
    work = _Work(wanted if isinstance(wanted, str) else "", kinds)
    review = Gathered(_MEMBERS)
    for path, value in members():
        if path != ITEM:
            review.add(path, value)
        elif len(work.failures) < _MOST_FAILURES:
            work.take(value)
        elif "uid" in review.request:
            break
        yield None
    request = request_of(review.whole, API, VERSIONS, KIND)
    if not isinstance(wanted, str) or not isinstance(request.get("objects"), list | None):
        text = "the request must have a desiredAPIVersion and a list of objects"
        yield _failed(review.whole, [Failure("request", _NOBODY, "", text)])
    elif work.failures:
        yield _failed(review.whole, work.failures).replace(counts=work.counts, ignored=work.ignored)
    else:
        body = reply(review.whole, {"result": {"status": "Success"}, "convertedObjects": []})
        yield Answer(body, work.counts, (), work.ignored, work.made)


def _failed(review: Json, failures: list[Failure]) -> Answer:
    rest = "; the rest was not tried" if len(failures) >= _MOST_FAILURES else ""
    result = {"status": "Failure", "message": f"{told(failures)}{rest}"}
    return Answer(reply(review, {"result": result, "convertedObjects": []}), {}, tuple(failures))


class _Work:
    """One request."""

    def __init__(self, wanted: str, kinds: Kinds) -> None:
        self.counts: Counter[tuple[str, ...]] = Counter()
        self.ignored: Counter[tuple[str, ...]] = Counter()
        self.failures: list[Failure] = []
        self.made = bytearray()  # the objects, between commas
        self._wanted, self._kinds = wanted, kinds
        self._group, _, self._version = wanted.rpartition("/")
        self._taken = 0

    def take(self, obj: Any) -> None:
        """Convert an object, or keep why not. What is in that version already is left as it is."""
        index, self._taken = self._taken, self._taken + 1
        group, version = version_of(obj)
        kind = self._kinds.get((group, kind_of(obj)))
        try:
            if isinstance(obj, dict) and obj.get("apiVersion") == self._wanted:
                self._write(obj)
                return
            self._write(self._converted(obj, kind, group, version))
        except _FailedError as error:
            name = f"{kind_of(obj) or 'object'} {name_of(obj)}"
            text = f"item {index}, {name} from {version or 'no version'} to {self._version}: {error}"
            self.failures.append(Failure(error.reason, self._labels(kind, version), name, text, error.place))
        else:
            self.counts[self._labels(kind, version)] += 1

    def _write(self, obj: Json) -> None:
        """Keep the text of an object."""
        try:
            text = written(obj)
        except ValueError:
            raise _FailedError("function", "the conversion must give what JSON can hold") from None
        self.made += b"," + text if self.made else text

    def _labels(self, kind: Kind | None, version: str) -> tuple[str, ...]:
        if kind is None:
            return _NOBODY
        return kind.group, kind.name, kind.label(version), kind.label(self._version)

    def _converted(self, obj: Any, kind: Kind | None, group: str, version: str) -> Json:
        if not isinstance(obj, dict):
            raise _FailedError("object", "it must be an object")
        if kind is None or kind.convert is None:
            raise _FailedError("kind", f"no conversion is known here of this kind of the group {group!r}")
        if self._group != group:
            raise _FailedError("group", f"it must stay in the group {group!r}, not come to {self._group!r}")
        for name in (version, self._version):
            if name not in kind.versions:
                known = ", ".join(kind.versions)
                raise _FailedError("version", f"the version must be one of {known}, not {name!r}")
        if not isinstance(obj.get("metadata", {}), dict):
            raise _FailedError("object", "metadata: must be an object", "metadata")
        self._look_at_stashes(obj, kind)
        return _with_metadata(obj, self._made(obj, kind.convert), self._wanted)

    def _made(self, obj: Json, convert: Convert) -> Any:
        try:
            return convert(obj, self._version)
        except ConversionError as error:
            cause = error.__cause__
            raise _broken(cause, str(error)) if cause is not None else _misfit(error) from None
        except RecursionError:
            raise _FailedError("depth", "it is nested too deep") from None
        except (Exception, SystemExit) as error:  # noqa: BLE001 - functions written by hand may raise anything
            raise _broken(error, f"the conversion failed with {type(error).__name__}") from None

    def _look_at_stashes(self, obj: Json, kind: Kind) -> None:
        """Count stashes that nobody can read: the conversion goes on without them."""
        metadata = obj.get("metadata")
        annotations = metadata.get("annotations") if isinstance(metadata, dict) else None
        prefix = f"{kind.group}/conversion-stash."
        for name, text in annotations.items() if isinstance(annotations, dict) else ():
            if name.startswith(prefix) and not layers(text)[0]:
                self.ignored[kind.group, kind.name, kind.label(name.removeprefix(prefix))] += 1


def _with_metadata(source: Json, made: Any, wanted: str) -> Json:
    """A converted object with the metadata that it must have."""
    if not isinstance(made, dict) or made.get("apiVersion") != wanted or made.get("kind") != source["kind"]:
        raise _FailedError("function", f"the conversion must give a {source['kind']} of {wanted}")
    old, new = source.get("metadata", {}), made.get("metadata", {})
    if not isinstance(new, dict):
        raise _FailedError("function", "the conversion must leave metadata an object")
    if new is old:
        return made if "metadata" in made else {**made, "metadata": {}}
    for name in _IDENTITY:
        if new.get(name) != old.get(name):
            raise _FailedError("function", f"the conversion must not change metadata.{name}")
    metadata = {name: value for name, value in old.items() if name not in _CHANGEABLE}
    for name in _CHANGEABLE:
        if new.get(name) is not None:
            metadata[name] = _texts(name, new[name])
    return {**made, "metadata": metadata}


def _texts(name: str, given: Any) -> Json:
    if not isinstance(given, dict) or not all(isinstance(text, str) for text in given.values()):
        raise _FailedError("object", f"metadata.{name}: must be an object of texts", f"metadata.{name}")
    return given
