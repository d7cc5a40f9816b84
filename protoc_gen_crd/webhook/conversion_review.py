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

from protoc_gen_crd.conversion.runtime.metadata import layers
from protoc_gen_crd.conversion.runtime.runtime import ConversionError
from protoc_gen_crd.webhook.review import (
    OTHER,
    ConvertFunction,
    Failure,
    Json,
    ReviewAnswer,
    ReviewBuilder,
    ServedKind,
    ServedKinds,
    format_failures,
    get_group_version,
    get_kind,
    get_name,
    get_request,
    make_reply,
)
from protoc_gen_crd.webhook.review_json import ITEM, encode_json

API, VERSIONS, KIND = "apiextensions.k8s.io", ("v1", "v1beta1"), "ConversionReview"
_DESIRED_VERSION = "request.desiredAPIVersion"
_MEMBERS = ("apiVersion", "kind", "request.uid", _DESIRED_VERSION, "request.objects")
_MAX_FAILURES = 1000  # after which the rest of a review is not tried
_IMMUTABLE_METADATA = ("name", "namespace", "uid")
_MUTABLE_METADATA = ("labels", "annotations")
_UNKNOWN_LABELS = ("", OTHER, OTHER, OTHER)  # labels of what cannot be told
_FIELD_PATH = re.compile(r"[A-Za-z_][\w.]*(?=[:\[])")  # a path up to where it names a key or an index


class _ConversionFailedError(Exception):
    """An object that is not converted: the reason by which failures are counted, and the text."""

    def __init__(self, reason: str, text: str, place: str = "") -> None:
        super().__init__(text)
        self.reason, self.place = reason, place


def _make_object_error(error: ConversionError) -> _ConversionFailedError:
    found = _FIELD_PATH.match(str(error))
    return _ConversionFailedError("object", str(error), found[0] if found else "")


def _make_function_error(error: BaseException, text: str) -> _ConversionFailedError:
    """Where a function written by hand has raised an error, whose own text may hold parts of the object."""
    last = traceback.extract_tb(error.__traceback__)[-1]
    return _ConversionFailedError("function", text, f"{last.filename}:{last.lineno}")


def convert_review(
    members: Callable[[], Iterator[tuple[str, Any]]], kinds: ServedKinds
) -> Iterator[ReviewAnswer | None]:
    """Answer a ConversionReview, whose members can be gone through twice: nothing for each object, at last the answer.

    Raises MalformedError for what is none.
    """
    wanted = None
    for path, value in members():
        if path == _DESIRED_VERSION:
            wanted = value
            break
        yield None
    work = _ReviewConverter(wanted if isinstance(wanted, str) else "", kinds)
    review = ReviewBuilder(_MEMBERS)
    for path, value in members():
        if path != ITEM:
            review.add(path, value)
        elif len(work.failures) < _MAX_FAILURES:
            work.convert(value)
        elif "uid" in review.request:
            break
        yield None
    request = get_request(review.review, API, VERSIONS, KIND)
    if not isinstance(wanted, str) or not isinstance(request.get("objects"), list | None):
        text = "the request has no desiredAPIVersion or no list of objects"
        yield _make_failure_answer(review.review, [Failure("request", _UNKNOWN_LABELS, "", text)])
    elif work.failures:
        yield _make_failure_answer(review.review, work.failures).replace(counts=work.counts, ignored_data=work.ignored)
    else:
        body = make_reply(review.review, {"result": {"status": "Success"}, "convertedObjects": []})
        yield ReviewAnswer(body, work.counts, (), work.ignored, work.converted)


def _make_failure_answer(review: Json, failures: list[Failure]) -> ReviewAnswer:
    rest = "; the other objects were skipped" if len(failures) >= _MAX_FAILURES else ""
    result = {"status": "Failure", "message": f"{format_failures(failures)}{rest}"}
    return ReviewAnswer(make_reply(review, {"result": result, "convertedObjects": []}), {}, tuple(failures))


class _ReviewConverter:
    """One request."""

    def __init__(self, wanted: str, kinds: ServedKinds) -> None:
        self.counts: Counter[tuple[str, ...]] = Counter()
        self.ignored: Counter[tuple[str, ...]] = Counter()
        self.failures: list[Failure] = []
        self.converted = bytearray()  # the objects, between commas
        self._desired_version, self._kinds = wanted, kinds
        self._group, _, self._version = wanted.rpartition("/")
        self._next_index = 0

    def convert(self, obj: Any) -> None:
        """Convert an object, or keep why not. What is in that version already is left as it is."""
        index, self._next_index = self._next_index, self._next_index + 1
        group, version = get_group_version(obj)
        kind = self._kinds.get((group, get_kind(obj)))
        try:
            if isinstance(obj, dict) and obj.get("apiVersion") == self._desired_version:
                self._append(obj)
                return
            self._append(self._convert_object(obj, kind, group, version))
        except _ConversionFailedError as error:
            name = f"{get_kind(obj) or 'object'} {get_name(obj)}"
            text = f"item {index}, {name} from {version or 'no version'} to {self._version}: {error}"
            self.failures.append(Failure(error.reason, self._get_labels(kind, version), name, text, error.place))
        else:
            self.counts[self._get_labels(kind, version)] += 1

    def _append(self, obj: Json) -> None:
        """Keep the text of an object."""
        try:
            text = encode_json(obj)
        except ValueError:
            raise _ConversionFailedError("function", "the converted object is not valid JSON") from None
        self.converted += b"," + text if self.converted else text

    def _get_labels(self, kind: ServedKind | None, version: str) -> tuple[str, ...]:
        if kind is None:
            return _UNKNOWN_LABELS
        return kind.group, kind.name, kind.format_label(version), kind.format_label(self._version)

    def _convert_object(self, obj: Any, kind: ServedKind | None, group: str, version: str) -> Json:
        if not isinstance(obj, dict):
            raise _ConversionFailedError("object", "not an object")
        if kind is None or kind.convert is None:
            raise _ConversionFailedError("kind", f'no conversion found for this kind in group "{group}"')
        if self._group != group:
            raise _ConversionFailedError("group", f'cannot convert from group "{group}" to group "{self._group}"')
        for name in (version, self._version):
            if name not in kind.versions:
                versions = ", ".join(kind.versions)
                raise _ConversionFailedError("version", f'unknown version "{name}", expected one of {versions}')
        if not isinstance(obj.get("metadata", {}), dict):
            raise _ConversionFailedError("object", "metadata: not an object", "metadata")
        self._count_ignored_data(obj, kind)
        return _restore_metadata(obj, self._call_converter(obj, kind.convert), self._desired_version)

    def _call_converter(self, obj: Json, convert: ConvertFunction) -> Any:
        try:
            return convert(obj, self._version)
        except ConversionError as error:
            cause = error.__cause__
            raise _make_function_error(cause, str(error)) if cause is not None else _make_object_error(error) from None
        except RecursionError:
            raise _ConversionFailedError("depth", "nested too deeply") from None
        except (Exception, SystemExit) as error:  # noqa: BLE001 - functions written by hand may raise anything
            raise _make_function_error(error, f"the conversion failed with {type(error).__name__}") from None

    def _count_ignored_data(self, obj: Json, kind: ServedKind) -> None:
        """Count the conversion data that cannot be read; objects are converted without it."""
        metadata = obj.get("metadata")
        annotations = metadata.get("annotations") if isinstance(metadata, dict) else None
        prefix = f"{kind.group}/conversion-data."
        for name, text in annotations.items() if isinstance(annotations, dict) else ():
            if name.startswith(prefix) and not layers(text)[0]:
                self.ignored[kind.group, kind.name, kind.format_label(name.removeprefix(prefix))] += 1


def _restore_metadata(source: Json, made: Any, wanted: str) -> Json:
    """A converted object with the metadata that it must have."""
    if not isinstance(made, dict) or made.get("apiVersion") != wanted or made.get("kind") != source["kind"]:
        raise _ConversionFailedError("function", f"the converted object is not a {source['kind']} of {wanted}")
    old, new = source.get("metadata", {}), made.get("metadata", {})
    if not isinstance(new, dict):
        raise _ConversionFailedError("function", "metadata of the converted object is not an object")
    if new is old:
        return made if "metadata" in made else {**made, "metadata": {}}
    for name in _IMMUTABLE_METADATA:
        if new.get(name) != old.get(name):
            raise _ConversionFailedError("function", f"the conversion changed metadata.{name}, which is immutable")
    metadata = {name: value for name, value in old.items() if name not in _MUTABLE_METADATA}
    for name in _MUTABLE_METADATA:
        if new.get(name) is not None:
            metadata[name] = _check_strings(name, new[name])
    return {**made, "metadata": metadata}


def _check_strings(name: str, given: Any) -> Json:
    if not isinstance(given, dict) or not all(isinstance(text, str) for text in given.values()):
        raise _ConversionFailedError("object", f"metadata.{name}: not an object with string values", f"metadata.{name}")
    return given
