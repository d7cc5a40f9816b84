"""What a test document says of itself: keys that start with "_", which no server ever sees.

The format is that of Istio's API tests, extended.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from protoc_gen_crd.base.diagnostics import Location, Problems
from protoc_gen_crd.base.jsontext import shown
from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.suggestions import suggestion
from protoc_gen_crd.base.versions import NEWEST, OLDEST, minors_of

Steps = tuple[str | int, ...]
Json = dict[str, Any]


class Text(Record):
    """A text that must occur, and where in the document it stands."""

    text: str
    path: Steps


class Expected(Record):
    """What must come of a document. `refused` without `errors` means: for whatever reason."""

    refused: bool = False
    errors: tuple[Text, ...] = ()
    old: Json | None = None
    status: bool = False
    warnings: tuple[Text, ...] = ()
    unknown: tuple[Text, ...] = ()
    stored: Json | None = None
    minors: range = range(OLDEST, NEWEST + 1)
    keys: tuple[str, ...] = ()


class Key(Record):
    """A key: what it takes, and a function from what stands there to its value; it raises ValueError for the rest."""

    demand: str
    read: Callable[[str, Any], Any]


def group_of(api_version: str) -> str:
    """The API group of an apiVersion, empty for Kubernetes' core."""
    return api_version.rpartition("/")[0]


# What the object before has in common with the document: the key, what it is called, and how much of it counts.
_SAME: Sequence[tuple[str, str, Callable[[str], str]]] = (("kind", "kind", str), ("apiVersion", "API group", group_of))


def _text(key: str, value: Any) -> tuple[Text, ...]:
    if not isinstance(value, str):
        raise TypeError(value)
    return (Text(value, (key,)),)


def _texts(key: str, value: Any) -> tuple[Text, ...]:
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        raise TypeError(value)
    return tuple(Text(each, (key, index)) for index, each in enumerate(value))


def _text_or_texts(key: str, value: Any) -> tuple[Text, ...]:
    return _texts(key, value) if isinstance(value, list) else _text(key, value)


def _object(_: str, value: Any) -> Json:
    if not isinstance(value, dict):
        raise TypeError(value)
    return value


def _flag(_: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise TypeError(value)
    return value


def _versions(_: str, value: Any) -> range:
    if not isinstance(value, str) or not value:
        raise ValueError(value)
    return minors_of(value)


KEYS: Mapping[str, Key] = {
    "_err": Key("text", _text),
    "_errs": Key("a list of texts", _texts),
    "_old": Key("an object", _object),
    "_status": Key("true or false", _flag),
    "_warn": Key("text or a list of texts", _text_or_texts),
    "_unknown": Key("a field path or a list of them", _text_or_texts),
    "_stored": Key("an object", _object),
    "_kubernetes": Key('a version of Kubernetes or a range of them, such as "1.30..1.34", in quotes', _versions),
}


def expected(obj: Json, place: Callable[[Steps], Location], problems: Problems, *, refused: bool) -> Expected:
    """What an object says of itself; `refused` if its file says that it must be. What it says wrongly is reported."""
    read = {key: _read(key, obj[key], place, problems) for key in obj if key.startswith("_")}
    read = {key: value for key, value in read.items() if value is not None}
    errors = (*read.get("_err", ()), *read.get("_errs", ()))
    _check_old(read.get("_old", {}), obj, place, problems)
    return Expected(
        refused=refused or "_err" in obj or "_errs" in obj,
        errors=errors,
        old=_whole(read["_old"], obj) if "_old" in read else None,
        status=read.get("_status", False),
        warnings=read.get("_warn", ()),
        unknown=read.get("_unknown", ()),
        stored=read.get("_stored"),
        minors=read.get("_kubernetes", range(OLDEST, NEWEST + 1)),
        keys=tuple(key for key in obj if key.startswith("_")),
    )


def _check_old(old: Json, obj: Json, place: Callable[[Steps], Location], problems: Problems) -> None:
    """Report an object before that is of another kind or group: no update makes another of it."""
    for key, what, read in _SAME:
        now, before = obj.get(key), old.get(key, obj.get(key))
        if isinstance(now, str) and not (isinstance(before, str) and read(before) == read(now)):
            message = f"_old must be an object of the same {what} as the document, {shown(now)}, found {shown(before)}"
            problems.report("case-value", message, place(("_old", key)))
    if not isinstance(old.get("metadata", {}), dict):
        message = f"the metadata of _old must be an object, found {_described(old['metadata'])}"
        problems.report("case-value", message, place(("_old", "metadata")))


def _read(key: str, value: Any, place: Callable[[Steps], Location], problems: Problems) -> Any:
    """The value of a key, None with a finding where it is none; an empty _err is one that is still to be written."""
    if key not in KEYS:
        message = f"a key of a test document must be one of {', '.join(KEYS)}, found {key}"
        problems.report("case-key", message, place((key,)), hint=suggestion(key, KEYS))
        return None
    if key in ("_err", "_errs") and value is None:
        return ()
    try:
        return KEYS[key].read(key, value)
    except (TypeError, ValueError):
        message = f"{key} must be {KEYS[key].demand}, found {_described(value)}"
        problems.report("case-value", message, place((key,)))
        return None


def _described(value: Any) -> str:
    kinds = {dict: "an object", list: "a list", type(None): "nothing"}
    return kinds.get(type(value)) or (f'"{value}"' if isinstance(value, str) else str(value).lower())


def _whole(old: Json, obj: Json) -> Json:
    """The object before with what it need not repeat: its type, and fields of its metadata."""
    whole: Json = {**{key: obj[key] for key in ("apiVersion", "kind", "metadata") if key in obj}, **old}
    now, before = obj.get("metadata"), old.get("metadata")
    if isinstance(now, dict) and isinstance(before, dict):
        whole["metadata"] = {**now, **before}
    return whole
