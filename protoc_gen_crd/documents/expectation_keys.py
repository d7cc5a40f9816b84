"""Expectation keys of test documents. They start with "_" and are removed before validation.

The format is that of Istio's API tests, extended.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from protoc_gen_crd.admission.objects.error_paths import DocumentPath
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.suggestions import suggest
from protoc_gen_crd.documents.old_object_key import check_old_object, complete_old_object, describe_value
from protoc_gen_crd.findings.finding import Location, Problems
from protoc_gen_crd.kubernetes.supported_versions import NEWEST, OLDEST, parse_minors

Json = dict[str, Any]

VERSIONS = "_versions"
_STRING_KEYS = ("_err", "_errs", "_warn", "_unknown", "_kubernetes", VERSIONS)
_SUPPORTED = range(OLDEST, NEWEST + 1)
_KUBERNETES = f'a quoted Kubernetes version from 1.{OLDEST} to 1.{NEWEST} or a range such as "1.30..1.34"'


class ExpectedString(Record):
    """A string that is expected in an error or warning, and its path in the document."""

    text: str
    path: DocumentPath


class Expectation(Record):
    """The expected verdict on a document. `is_rejected` without `errors` accepts any reason."""

    is_rejected: bool = False
    errors: tuple[ExpectedString, ...] = ()
    old: Json | None = None
    status: bool = False
    warnings: tuple[ExpectedString, ...] = ()
    unknown_fields: tuple[ExpectedString, ...] = ()
    stored: Json | None = None
    minors: range = _SUPPORTED
    versions: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()


class ExpectationKey(Record):
    """A key: a description of its valid values, and a parser that raises TypeError or ValueError for others.

    `describe` describes a value in a message.
    """

    requirement: str
    parse: Callable[[str, Any], Any]
    describe: Callable[[Any], str] = describe_value


def _parse_string(key: str, value: Any) -> tuple[ExpectedString, ...]:
    if not isinstance(value, str):
        raise TypeError(value)
    return (ExpectedString(value, (key,)),)


def _parse_strings(key: str, value: Any) -> tuple[ExpectedString, ...]:
    if not isinstance(value, list) or not all(isinstance(string, str) for string in value):
        raise TypeError(value)
    return tuple(ExpectedString(string, (key, index)) for index, string in enumerate(value))


def _parse_string_or_strings(key: str, value: Any) -> tuple[ExpectedString, ...]:
    return _parse_strings(key, value) if isinstance(value, list) else _parse_string(key, value)


def _parse_object(_: str, value: Any) -> Json:
    if not isinstance(value, dict):
        raise TypeError(value)
    return value


def _parse_boolean(_: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(value)
    return value


def _parse_versions(_: str, value: Any) -> range:
    if not isinstance(value, str) or not value:
        raise ValueError(value)
    minors = parse_minors(value)
    if minors.stop <= OLDEST or minors.start > NEWEST:
        raise ValueError(value)
    return minors


def _parse_api_versions(_: str, value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not value or not all(map(_is_api_version, value)):
        raise TypeError(value)
    if len(set(value)) < len(value):
        raise ValueError(value)
    return tuple(value)


def _is_api_version(value: Any) -> bool:
    return isinstance(value, str) and bool(value) and "/" not in value


def _describe_api_versions(value: Any) -> str:
    """Describe an invalid value of `_versions`: the first invalid or repeated item of a list."""
    if not isinstance(value, list):
        return describe_value(value)
    invalid = [item for item in value if not _is_api_version(item)]
    repeated = [item for index, item in enumerate(value) if item in value[:index]]
    item = next(iter(invalid + repeated), None)
    if not value:
        return "an empty list"
    return describe_value(item) if invalid else f"{describe_value(item)} twice"


KEYS: Mapping[str, ExpectationKey] = {
    "_err": ExpectationKey("a string", _parse_string),
    "_errs": ExpectationKey("a list of strings", _parse_strings),
    "_old": ExpectationKey("an object", _parse_object),
    "_status": ExpectationKey("true or false", _parse_boolean),
    "_warn": ExpectationKey("a string or a list of strings", _parse_string_or_strings),
    "_unknown": ExpectationKey("a field path or a list of them", _parse_string_or_strings),
    "_stored": ExpectationKey("an object", _parse_object),
    "_kubernetes": ExpectationKey(_KUBERNETES, _parse_versions),
    VERSIONS: ExpectationKey(
        "a list of different versions of the API group", _parse_api_versions, _describe_api_versions
    ),
}


def read_expectation(
    obj: Json, place: Callable[[DocumentPath], Location], problems: Problems, *, is_rejected: bool
) -> Expectation:
    """Read the expectation of an object, and report invalid keys. `is_rejected` is the expectation of its file name."""
    values = {key: _read_key(key, obj[key], place, problems) for key in obj if key.startswith("_")}
    values = {key: value for key, value in values.items() if value is not None}
    errors = (*values.get("_err", ()), *values.get("_errs", ()))
    check_old_object(values.get("_old", {}), obj, place, problems)
    return Expectation(
        is_rejected=is_rejected or "_err" in obj or "_errs" in obj,
        errors=errors,
        old=complete_old_object(values["_old"], obj) if "_old" in values else None,
        status=values.get("_status", False),
        warnings=values.get("_warn", ()),
        unknown_fields=values.get("_unknown", ()),
        stored=values.get("_stored"),
        minors=values.get("_kubernetes", _SUPPORTED),
        versions=values.get(VERSIONS, ()),
        keys=tuple(key for key in obj if key.startswith("_")),
    )


def list_versions(obj: Json) -> tuple[str, ...]:
    """Return the API versions that an object is a test document of; none if it does not name them, or not correctly."""
    try:
        return _parse_api_versions(VERSIONS, obj.get(VERSIONS))
    except (TypeError, ValueError):
        return ()


def _read_key(key: str, value: Any, place: Callable[[DocumentPath], Location], problems: Problems) -> Any:
    """Parse the value of a key. Return None, with a finding, if it is invalid. `--update` fills in an empty `_err`."""
    if key not in KEYS:
        message = f'unknown key "{key}" in a test document, expected one of {", ".join(KEYS)}'
        problems.report("case-key", message, place((key,)), hint=suggest(key, KEYS))
        return None
    if key in ("_err", "_errs") and value is None:
        return ()
    try:
        return KEYS[key].parse(key, value)
    except (TypeError, ValueError):
        message = f'invalid value for "{key}": expected {KEYS[key].requirement}, got {KEYS[key].describe(value)}'
        problems.report("case-value", message, place((key,)), hint=_make_value_hint(key, value))
        return None


def _make_value_hint(key: str, value: Any) -> str:
    """Return a hint for a number or boolean that must be a string, and for a version with its group."""
    items = value if isinstance(value, list) else [value]
    with_group = [item for item in items if key == VERSIONS and isinstance(item, str) and "/" in item]
    if with_group and (version := with_group[0].rpartition("/")[2]):
        return f'write "{version}"'
    is_unquoted = key in _STRING_KEYS and any(isinstance(item, bool | int | float) for item in items)
    return "quote the value" if is_unquoted else ""
