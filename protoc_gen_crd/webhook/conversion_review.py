"""ConversionReview: all objects in the desired version, or one message that names the objects that failed.

The API server takes labels and annotations of the metadata from the response and restores the rest. Here the rest is
restored beforehand, so that handwritten functions cannot change it. A changed identity is an error.

Source: k8s.io/apiextensions-apiserver pkg/apiserver/conversion/webhook_converter.go.
"""

from __future__ import annotations

import re
import traceback
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from protoc_gen_crd.conversion.runtime.conversion_data import ANNOTATION_INFIX
from protoc_gen_crd.conversion.runtime.object_annotations import layers
from protoc_gen_crd.conversion.runtime.runtime import ConversionError
from protoc_gen_crd.webhook.review_json import ITEM, MemberReader, encode_json
from protoc_gen_crd.webhook.review_types import (
    OTHER,
    ConvertFunction,
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

API, VERSIONS, KIND = "apiextensions.k8s.io", ("v1", "v1beta1"), "ConversionReview"
_DESIRED_VERSION = ("request", "desiredAPIVersion")
_MEMBERS = (("apiVersion",), ("kind",), ("request", "uid"), _DESIRED_VERSION, ("request", "objects"))
_MAX_FAILURES = 1000  # after these, the rest of a review is skipped
_MAX_NAMED_FAILURES = 5  # failures in a message
_IMMUTABLE_METADATA = ("name", "namespace", "uid")
_MUTABLE_METADATA = ("labels", "annotations")
_UNKNOWN_KIND = (OTHER, OTHER, OTHER)  # labels for the kind and the versions
_FIELD_PATH = re.compile(r"[A-Za-z_][\w.]*(?=[:\[])")  # a path up to a key or an index


def list_ignored_data_labels(kinds: ServedKinds) -> Iterator[tuple[str, ...]]:
    """Yield the labels that ignored conversion data can have: of each kind, each version and unknown ones."""
    for kind in kinds.values():
        yield from ((kind.group, kind.name, version) for version in (*kind.versions, OTHER))


class _ConversionFailedError(Exception):
    """An object that cannot be converted: the reason label of the metric, the message, and the place."""

    def __init__(self, reason: str, message: str, place: str = "") -> None:
        super().__init__(message)
        self.reason, self.place = reason, place


def _make_object_error(error: ConversionError) -> _ConversionFailedError:
    path = _FIELD_PATH.match(str(error))
    return _ConversionFailedError("object", str(error), path[0] if path else "")


def _make_function_error(error: BaseException, message: str) -> _ConversionFailedError:
    """Return the error for an exception of a handwritten function, whose own message may quote the object."""
    frame = traceback.extract_tb(error.__traceback__)[-1]
    return _ConversionFailedError("function", message, f"{frame.filename}:{frame.lineno}")


def convert_review(members: MemberReader, kinds: ServedKinds) -> Iterator[ReviewAnswer | None]:
    """Answer a ConversionReview: yield None for each object, and finally the answer.

    `members` is called twice. Raises MalformedError if the body is not a ConversionReview.
    """
    desired_version = None
    for path, value in members():
        if path == _DESIRED_VERSION:
            desired_version = value
            break
        yield None
    converter = _ReviewConverter(desired_version if isinstance(desired_version, str) else "", kinds)
    review = ReviewBuilder(_MEMBERS)
    for path, value in members():
        if path != ITEM:
            review.add(path, value)
        elif len(converter.failures) < _MAX_FAILURES:
            converter.convert(value)
        elif "uid" in review.request:
            break
        yield None
    request = get_request(review.review, API, VERSIONS, KIND)
    if not isinstance(desired_version, str) or not isinstance(request.get("objects"), list | None):
        message = "the request has no desiredAPIVersion or no list of objects"
        yield _make_failure_answer(review.review, [Failure("request", (OTHER, *_UNKNOWN_KIND), "", message)])
    elif converter.failures:
        yield _make_failure_answer(review.review, converter.failures).replace(
            counts=converter.counts, ignored_data=converter.ignored
        )
    else:
        body = make_reply(review.review, {"result": {"status": "Success"}, "convertedObjects": []})
        yield ReviewAnswer(body, converter.counts, (), converter.ignored, converter.converted)


def _make_failure_answer(review: Json, failures: list[Failure]) -> ReviewAnswer:
    rest = "; the other objects were skipped" if len(failures) >= _MAX_FAILURES else ""
    result = {"status": "Failure", "message": f"{_format_failures(failures)}{rest}"}
    return ReviewAnswer(make_reply(review, {"result": result, "convertedObjects": []}), {}, tuple(failures))


def _format_failures(failures: Sequence[Failure]) -> str:
    """Format the failures of a request on one line."""
    messages = [" ".join(failure.message.split()) for failure in failures[:_MAX_NAMED_FAILURES]]
    more = [f"and {len(failures) - _MAX_NAMED_FAILURES} more"] if len(failures) > _MAX_NAMED_FAILURES else []
    return "; ".join(messages + more)


class _ReviewConverter:
    """The conversion of the objects of one request."""

    def __init__(self, desired_version: str, kinds: ServedKinds) -> None:
        self.counts: Counter[tuple[str, ...]] = Counter()
        self.ignored: Counter[tuple[str, ...]] = Counter()
        self.failures: list[Failure] = []
        self.converted = bytearray()  # the objects, between commas
        self._desired_version, self._kinds = desired_version, kinds
        self._group, _, self._version = desired_version.rpartition("/")
        self._next_index = 0

    def convert(self, obj: Any) -> None:
        """Convert an object, or record the failure. Objects in the desired version are not changed."""
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
            message = f"item {index}, {name} from {version or 'no version'} to {self._version}: {error}"
            self.failures.append(
                Failure(error.reason, self._get_labels(kind, group, version), name, message, error.place)
            )
        else:
            self.counts[self._get_labels(kind, group, version)] += 1

    def _append(self, obj: Json) -> None:
        """Append the JSON of an object."""
        try:
            encoded = encode_json(obj)
        except ValueError:
            raise _ConversionFailedError("function", "the converted object is not valid JSON") from None
        self.converted += b"," + encoded if self.converted else encoded

    def _get_labels(self, kind: ServedKind | None, group: str, version: str) -> tuple[str, ...]:
        if kind is None:
            return (format_group_label(group, self._kinds), *_UNKNOWN_KIND)
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
        except (Exception, SystemExit) as error:  # noqa: BLE001 - handwritten functions may raise anything
            raise _make_function_error(error, f"the conversion failed with {type(error).__name__}") from None

    def _count_ignored_data(self, obj: Json, kind: ServedKind) -> None:
        """Count conversion-data annotations that cannot be read; the conversion ignores them."""
        metadata = obj.get("metadata")
        annotations = metadata.get("annotations") if isinstance(metadata, dict) else None
        prefix = kind.group + ANNOTATION_INFIX
        for name, data in annotations.items() if isinstance(annotations, dict) else ():
            if name.startswith(prefix) and not layers(data)[0]:
                self.ignored[kind.group, kind.name, kind.format_label(name.removeprefix(prefix))] += 1


def _restore_metadata(source: Json, converted: Any, api_version: str) -> Json:
    """Return the converted object with the metadata of its source. Raises _ConversionFailedError."""
    if (
        not isinstance(converted, dict)
        or converted.get("apiVersion") != api_version
        or converted.get("kind") != source["kind"]
    ):
        raise _ConversionFailedError("function", f"the converted object is not a {source['kind']} of {api_version}")
    old, new = source.get("metadata", {}), converted.get("metadata", {})
    if not isinstance(new, dict):
        raise _ConversionFailedError("function", "metadata of the converted object is not an object")
    if new is old:
        return converted if "metadata" in converted else {**converted, "metadata": {}}
    for name in _IMMUTABLE_METADATA:
        if new.get(name) != old.get(name):
            raise _ConversionFailedError("function", f"the conversion changed metadata.{name}, which is immutable")
    metadata = {name: value for name, value in old.items() if name not in _MUTABLE_METADATA}
    for name in _MUTABLE_METADATA:
        if new.get(name) is not None:
            metadata[name] = _check_strings(name, new[name])
    return {**converted, "metadata": metadata}


def _check_strings(name: str, value: Any) -> Json:
    if not isinstance(value, dict) or not all(isinstance(item, str) for item in value.values()):
        raise _ConversionFailedError("object", f"metadata.{name}: not an object with string values", f"metadata.{name}")
    return value
