"""Convert whole objects: read and write their metadata and annotations.

Metadata is copied. The conversion-data annotations are part of it, one for each
version: see `conversion_data.py`. Other converters may have annotations as well.
Only the standard library is used.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection
from typing import Any

from .conversion_data import compact, same
from .kcp_preserved import KCP, preserved
from .runtime import ConversionError, Object, misfit
from .table_conversion import Rows, fields, finite

FORMAT = 1
# JSON without nested values starts and ends like this.
_BEGIN, _END = '{"as":"%s",', f'"format":{FORMAT}}}'
DEEPEST = 500
MOST = 262_144  # limit for the bytes of the annotations of an object
# The second half of a character that takes two units in UTF-16.
_HALF = re.compile(r"[\ud800-\udfff]|\\u[dD][89a-fA-F]")


def _number(text: str) -> float:
    found: float = finite(float(text), "")
    return found


def _whole(text: str) -> int:
    _number(text)
    return int(text)


_READER = json.JSONDecoder(
    parse_int=_whole, parse_float=_number, parse_constant=_number
)


def conversion_data_of(source: Object, name: str) -> Any:
    """The conversion data of one version for the shown values, else kcp's, or None."""
    given = annotations_of(source)
    if not given:
        return None
    found = _read(given.get(name))
    if same(found.get("format"), FORMAT) and found.get("as") == _version(source):
        return found.get("data")
    return preserved(_read(given.get(_kcp(name))))


def _kcp(name: str) -> str:
    """The name of kcp's annotation for the version of one of ours."""
    return KCP + name.rpartition(".")[2]


def layers(text: Any) -> tuple[list[tuple[str, Any]], str]:
    """The layers of an annotation, the latest first: version and conversion data.

    The second result is the rest in a newer format.
    """
    made: list[tuple[str, Any]] = []
    while type(text) is str and text:
        found = _read(text)
        if type(found.get("format")) is int and found["format"] > FORMAT:
            return made, text
        known = same(found.get("format"), FORMAT) and type(found.get("as")) is str
        made += [(found["as"], found.get("data"))] if known else []
        text = found.get("others") if known else None
    return made, ""


def ours(text: Any, version: str) -> bool:
    """Return true if an annotation holds only data for what a version shows."""
    return (
        type(text) is str and text.startswith(_BEGIN % version) and text.endswith(_END)
    )


def _version(obj: Object) -> str:
    return str(obj.get("apiVersion")).rpartition("/")[2]


def annotations_of(source: Object) -> Object:
    """The annotations of an object."""
    metadata = source.get("metadata")
    found = metadata.get("annotations") if type(metadata) is dict else None
    return found if type(found) is dict else {}


def _read(text: Any) -> Object:
    """Parse an annotation as a JSON object; empty if it is none."""
    if type(text) is not str or _deep(text):
        return {}
    try:
        found = _READER.decode(text)
        if _HALF.search(text):
            compact(found).encode("utf-8")
    except (ValueError, RecursionError):
        return {}
    return found if type(found) is dict else {}


def _others(text: Any, version: str) -> str:
    """The data of modules with other conversions; empty for none.

    It has a newer format, or is for values shown in another version.
    """
    if ours(text, version):
        return ""
    (shown, _), *rest = layers(text)[0] or [("", None)]
    if not shown:
        return layers(text)[1]
    if shown != version:
        return str(text)
    found = _read(text).get("others")
    return str(found) if rest or layers(found)[1] else ""


def _deep(text: str) -> bool:
    """Return true if JSON is nested deep enough to exhaust the stack."""
    if text.count("[") + text.count("{") <= DEEPEST:
        return False
    depth = deepest = 0
    for token in re.finditer(r'"(?:[^"\\]|\\.)*"|[\[{\]}]', text):
        depth += (token[0] in "[{") - (token[0] in "]}")
        deepest = max(deepest, depth)
    return deepest > DEEPEST


def begin(
    source: Object, version: str, rows: Rows, others: Collection[str] | None = None
) -> Object:
    """Start the object in the target version: kind, metadata and copied fields."""
    result: Object = {"apiVersion": version}
    for name in ("kind", "metadata"):
        if name in source:
            result[name] = source[name]
    known = None if others is None else {*others, "apiVersion", "kind", "metadata"}
    result.update(fields(source, rows, "", known))
    return result


def finish(result: Object, restored: str, kept: str, lost: Object) -> Object:
    """Finish the object: add conversion data, remove the annotation that was restored.

    Data of other modules, such as those of a newer release or with another hub, is
    preserved: several releases may run at once, or after a rollback.
    """
    given = annotations_of(result)
    if not (lost or given):
        return result
    older = _kcp(restored)
    if not lost and given.keys().isdisjoint((restored, kept, older)):
        return result
    ends = {name: name.rpartition(".")[2] for name in (kept, restored)}
    pairs = ((restored, ends[kept]), (kept, ends[restored]))
    kinds = {name: _others(given.get(name), end) for name, end in pairs}
    left = {name: text for name, text in kinds.items() if text}
    others = {
        name: text for name, text in given.items() if name not in (*ends, older)
    } | left
    if lost:
        own = {"as": _version(result), "data": lost, "format": FORMAT}
        more = {"others": left[kept]} if kept in left else {}
        others[kept] = compact({**own, **more})
        if more and _size(others) > MOST:
            others[kept] = compact(own)
        _check_size(others, kept)
    metadata = result.get("metadata") or {}
    if type(metadata) is not dict:
        raise misfit("metadata", "an object", metadata)
    parts = dict(metadata)
    parts.pop("annotations", None)
    if others:
        parts["annotations"] = others
    if parts:
        result["metadata"] = parts
    else:
        result.pop("metadata")
    return result


def _size(given: Object) -> int:
    texts = (str(each) for pair in given.items() for each in pair)
    return sum(len(text.encode("utf-8", "replace")) for text in texts)


def _check_size(given: Object, name: str) -> None:
    size = _size(given)
    if size > MOST:
        text = f"annotations of {size:,} bytes exceed the limit of {MOST:,}"
        path = f"metadata.annotations[{name!r}]"
        raise ConversionError(f"{path}: {text} with conversion data")
