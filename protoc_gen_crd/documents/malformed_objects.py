"""Errors of documents whose apiVersion, kind, or items kubectl cannot decode.

Source: k8s.io/apimachinery pkg/apis/meta/v1/unstructured (UnstructuredJSONScheme), pkg/runtime/schema
(ParseGroupVersion); k8s.io/cli-runtime pkg/resource (FlattenListVisitor).
"""

from __future__ import annotations

import re

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.base.suggestions import find_nearest
from protoc_gen_crd.documents.expectation_keys import Json
from protoc_gen_crd.documents.old_object_key import describe_value

LIST_SUFFIX = "List"  # the whole kind of a list of objects of any kind
ITEMS = "items"
TYPE_KEYS = "apiVersion", "kind"
_API_VERSION = re.compile(r"[^0-9a-z]*(.+?)[^0-9a-z]+(v[0-9][0-9a-z]*)[^0-9a-z]*", re.DOTALL)  # with any separators
_FORM = 'write "GROUP/VERSION"'


class UnknownKind(Record):
    """The reason why a document is skipped, or an error at one of its keys."""

    skipped: str = ""
    message: str = ""
    key: str = "kind"
    hint: str = ""


def find_type_error(obj: Json, key: str, hint: str = "") -> UnknownKind | None:
    """Return the error of an apiVersion or a kind that is not a string; None if it is one or missing."""
    value = obj.get(key)
    if value is None or isinstance(value, str):
        return None
    hints = "" if isinstance(value, dict | list) else "quote the value", hint
    message = f'"{key}" is {describe_value(value)}, expected a string'
    return UnknownKind("", message, key, "; ".join(filter(None, hints)))


def has_invalid_group(api_version: str) -> bool:
    """Return whether API servers and kubectl reject an apiVersion: a group contains no slash."""
    return api_version.count("/") > 1


def make_group_error(api_version: str, hint: str) -> UnknownKind:
    """Return the error of an apiVersion with an invalid group, with the hint if there is one."""
    return UnknownKind("", f'invalid apiVersion "{api_version}"', "apiVersion", hint or _FORM)


def split_api_version(text: str) -> tuple[str, str]:
    """Return the group and version of a misspelled apiVersion, such as `Acme.Example/V1` or `acme.example.v1`.

    Both are empty if the text does not end with a version.
    """
    match = _API_VERSION.fullmatch(text.lower())
    return (match[1], match[2]) if match else ("", "")


def find_list_error(obj: Json, kind: str) -> UnknownKind:
    """Return the error of an object of the kind of a list that has no list of items."""
    if ITEMS in obj:
        message = f'"{ITEMS}" of {kind} is {describe_value(obj[ITEMS])}, expected a list'
        return UnknownKind("", message, ITEMS, 'begin each item with "- "' if isinstance(obj[ITEMS], dict) else "")
    near = find_nearest(ITEMS, obj)
    return UnknownKind(
        "", f'{kind} has no "{ITEMS}"', near or "kind", f'write "{ITEMS}" instead of "{near}"' if near else ""
    )


def find_item_error(item: Json) -> UnknownKind | None:
    """Return the error of an item of a list that lacks its apiVersion or kind; None if it has both."""
    missing = [key for key in TYPE_KEYS if not item.get(key)]
    return UnknownKind("", f"list item has no {' and no '.join(missing)}", "kind") if missing else None


def suggest_type_key(obj: Json) -> str:
    """Return a hint for a misspelled apiVersion or kind, empty if the object has both."""
    missing = next((key for key in TYPE_KEYS if key not in obj), "")
    near = find_nearest(missing, obj) if missing else None
    return f'write "{missing}" instead of "{near}"' if near else ""
