"""Read and write the metadata and annotations of objects.

Metadata is copied. The conversion-data annotations are part of it, one for each
version: see `conversion_data.py`. Other converters may have annotations as well.
Only the standard library is used.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping
from typing import Any

from .conversion_data import compact, same, too_deep
from .field_tables import Rows, fields, finite
from .kcp_preserved import KCP, preserved
from .runtime import ConversionError, Object, make_type_error

FORMAT = 1
# JSON without nested values starts and ends like this.
_BEGIN, _END = '{"as":"%s",', f'"format":{FORMAT}}}'
MAX_ANNOTATIONS_SIZE = 262_144  # bytes of all annotations of an object
# The second half of a character that takes two units in UTF-16.
_HALF = re.compile(r"[\ud800-\udfff]|\\u[dD][89a-fA-F]")


def _number(digits: str) -> float:
    number: float = finite(float(digits), "")
    return number


def _whole(digits: str) -> int:
    _number(digits)
    return int(digits)


_READER = json.JSONDecoder(
    parse_int=_whole, parse_float=_number, parse_constant=_number
)


def conversion_data_of(source: Object, name: str) -> Any:
    """Return the data of a version for the shown values, else kcp's, or None."""
    annotations = annotations_of(source)
    if not annotations:
        return None
    content = _read(annotations.get(name))
    if same(content.get("format"), FORMAT) and content.get("as") == _version(source):
        return content.get("data")
    return preserved(_read(annotations.get(_kcp(name))))


def _kcp(name: str) -> str:
    """Return the name of kcp's annotation for the version of an annotation."""
    return KCP + name.rpartition(".")[2]


def layers(annotation: Any) -> tuple[list[tuple[str, Any]], str]:
    """Return the layers of an annotation, latest first: version and conversion data.

    The second result is the rest in a newer format.
    """
    found_layers: list[tuple[str, Any]] = []
    while type(annotation) is str and annotation:
        content = _read(annotation)
        if type(content.get("format")) is int and content["format"] > FORMAT:
            return found_layers, annotation
        is_readable = (
            same(content.get("format"), FORMAT) and type(content.get("as")) is str
        )
        found_layers += [(content["as"], content.get("data"))] if is_readable else []
        annotation = content.get("others") if is_readable else None
    return found_layers, ""


def ours(annotation: Any, version: str) -> bool:
    """Return true if an annotation has only data for the fields of a version."""
    return (
        type(annotation) is str
        and annotation.startswith(_BEGIN % version)
        and annotation.endswith(_END)
    )


def is_shown_at(annotation: Any, version: str) -> bool:
    """Return true if an object of a third version shows the data in its fields.

    The key `at` names this version. Data without it was not converted to the version.
    """
    return type(annotation) is str and _read(annotation).get("at") == version


def _version(obj: Object) -> str:
    return str(obj.get("apiVersion")).rpartition("/")[2]


def annotations_of(source: Object) -> Object:
    """Return the annotations of an object."""
    metadata = source.get("metadata")
    annotations = metadata.get("annotations") if type(metadata) is dict else None
    return annotations if type(annotations) is dict else {}


def replace_annotations(obj: Object, changes: Mapping[str, Any]) -> Object:
    """Return the object with other annotations; empty ones are removed."""
    current = annotations_of(obj)
    annotations = {
        name: text
        for name, text in {**current, **changes}.items()
        if text or name not in changes
    }
    if annotations == current:
        return obj
    metadata = {**obj.get("metadata", {}), "annotations": annotations}
    if not annotations:
        metadata.pop("annotations")
    result = {**obj, "metadata": metadata}
    if not metadata:
        result.pop("metadata")
    return result


def _read(annotation: Any) -> Object:
    """Parse an annotation as a JSON object; empty if it is none."""
    if type(annotation) is not str or too_deep(annotation):
        return {}
    try:
        content = _READER.decode(annotation)
        if _HALF.search(annotation):
            compact(content).encode("utf-8")
    except (ValueError, RecursionError):
        return {}
    return content if type(content) is dict else {}


def _others(annotation: Any, version: str) -> str:
    """Return the data of modules with other conversions; empty for none.

    It has a newer format, or is for values shown in another version.
    """
    if ours(annotation, version):
        return ""
    (shown, _), *older = layers(annotation)[0] or [("", None)]
    if not shown:
        return layers(annotation)[1]
    if shown != version:
        return str(annotation)
    content = _read(annotation).get("others")
    return str(content) if older or layers(content)[1] else ""


def begin(
    source: Object, version: str, rows: Rows, others: Collection[str] | None = None
) -> Object:
    """Start the object in the target version: kind, metadata and copied fields."""
    result: Object = {"apiVersion": version}
    for name in ("kind", "metadata"):
        if name in source:
            result[name] = source[name]
    known_fields = (
        None if others is None else {*others, "apiVersion", "kind", "metadata"}
    )
    result.update(fields(source, rows, "", known_fields))
    return result


def finish(result: Object, restored: str, kept: str, lost: Object) -> Object:
    """Finish the object: add conversion data, remove the annotation that was restored.

    Data of other modules, such as those of a newer release or with another hub, is
    preserved: several releases may run at once, or after a rollback.
    """
    annotations = annotations_of(result)
    if not (lost or annotations):
        return result
    kcp_name = _kcp(restored)
    if not lost and annotations.keys().isdisjoint((restored, kept, kcp_name)):
        return result
    ends = {name: name.rpartition(".")[2] for name in (kept, restored)}
    pairs = ((restored, ends[kept]), (kept, ends[restored]))
    other_data = {name: _others(annotations.get(name), end) for name, end in pairs}
    remaining = {
        name: annotation for name, annotation in other_data.items() if annotation
    }
    new_annotations = {
        name: annotation
        for name, annotation in annotations.items()
        if name not in (*ends, kcp_name)
    } | remaining
    if lost:
        content = {"as": _version(result), "data": lost, "format": FORMAT}
        older_data = {"others": remaining[kept]} if kept in remaining else {}
        new_annotations[kept] = compact({**content, **older_data})
        if older_data and _size(new_annotations) > MAX_ANNOTATIONS_SIZE:
            new_annotations[kept] = compact(content)
        _check_size(new_annotations, kept)
    metadata = result.get("metadata") or {}
    if type(metadata) is not dict:
        raise make_type_error("metadata", "an object", metadata)
    new_metadata = dict(metadata)
    new_metadata.pop("annotations", None)
    if new_annotations:
        new_metadata["annotations"] = new_annotations
    if new_metadata:
        result["metadata"] = new_metadata
    else:
        result.pop("metadata")
    return result


def _size(annotations: Object) -> int:
    strings = (str(string) for pair in annotations.items() for string in pair)
    return sum(len(text.encode("utf-8", "replace")) for text in strings)


def _check_size(annotations: Object, name: str) -> None:
    size = _size(annotations)
    if size > MAX_ANNOTATIONS_SIZE:
        limit = f"the limit of {MAX_ANNOTATIONS_SIZE:,}"
        problem = f"annotations of {size:,} bytes exceed {limit}"
        path = f"metadata.annotations[{name!r}]"
        raise ConversionError(f"{path}: {problem} with conversion data")
