"""Recognition of CustomResourceDefinitions by apiVersion and kind, with the API server's error for other manifests.

Messages that contain the body of the request have it as kubectl sends it: compact and sorted.

Source: k8s.io/apimachinery pkg/runtime/serializer, pkg/runtime/error.go; k8s.io/apiserver
pkg/endpoints/handlers/create.go (transformDecodeError).
"""

from __future__ import annotations

import json
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.golang.fmt import quote

GROUP, VERSION, KIND = "apiextensions.k8s.io", "v1", "CustomResourceDefinition"
_UNVERSIONED = frozenset(("Status", "APIVersions", "APIGroup", "APIGroupList", "APIResourceList"))
_OPTIONS = frozenset((
    "WatchEvent", "ListOptions", "GetOptions", "DeleteOptions", "CreateOptions", "UpdateOptions", "PatchOptions",
))  # fmt: skip
_OTHERS = frozenset(("CustomResourceDefinitionList", "ConversionReview"))
_JSON_NAMES = {dict: "object", list: "array", str: "string", int: "number", float: "number", bool: "bool"}
_TAGS = (("APIVersion", "apiVersion"), ("Kind", "kind"))
_STRUCT = "; ".join(rf'{field} string "json:\"{tag},omitempty\""' for field, tag in _TAGS)


class KindMismatch(Record):
    """The reason that a manifest is not a CRD. For an unregistered kind, the message names a line of Go source."""

    message: str
    unregistered: bool = False

    def format_message(self, line: int) -> str:
        """Return the message, with this line number for an unregistered kind."""
        return f'{self.message} in scheme "pkg/runtime/scheme.go:{line}"' if self.unregistered else self.message


def find_kind_mismatch(plain: object) -> KindMismatch | None:
    """Return the reason that a manifest is not a CRD; None for a CRD."""
    if not isinstance(plain, dict):
        return _make_unrecognized(plain, _format_unmarshal_error(plain, f"value of type struct {{ {_STRUCT} }}"))
    for member in ("apiVersion", "kind"):
        value = plain.get(member)
        if value is not None and not isinstance(value, str):
            return _make_unrecognized(plain, _format_unmarshal_error(value, f"struct field .{member} of type string"))
    api_version: str = plain.get("apiVersion") or ""
    if api_version.count("/") > 1:
        return _make_unrecognized(plain, f"unexpected GroupVersion string: {api_version}")
    group, _, version = api_version.rpartition("/")
    if group in ("", GROUP) and not version:
        group, version = GROUP, VERSION
    return _check_kind(plain, group, version, plain.get("kind") or KIND)


def _check_kind(plain: dict[str, Any], group: str, version: str, kind: str) -> KindMismatch | None:
    is_own_group = group == GROUP and version in (VERSION, "v1beta1")
    group_version = f"{group}/{version}" if group else version
    if is_own_group and kind == KIND:
        expected = f"{GROUP}/{VERSION}"
        reason = f"the API version in the data ({group_version}) does not match the expected API version ({expected})"
        return None if version == VERSION else KindMismatch(reason)
    prefix = f"{kind} in version {quote(version)} cannot be handled as a {KIND}: "
    if not version:
        return KindMismatch(f"{prefix}Object 'apiVersion' is missing in '{_format_body(plain)}'")
    if kind in _UNVERSIONED or (is_own_group and kind in _OPTIONS | _OTHERS):
        package = version if kind in _OTHERS else "v1"
        return KindMismatch(f"{prefix}converting ({package}.{kind}) to (apiextensions.{KIND}): unknown conversion")
    return KindMismatch(
        f"{prefix}no kind {quote(kind)} is registered for version {quote(group_version)}", unregistered=True
    )


def _format_unmarshal_error(value: object, into: str) -> str:
    json_type = _JSON_NAMES.get(type(value), "null")
    return f"couldn't get version/kind; json parse error: json: cannot unmarshal {json_type} into Go {into}"


def _make_unrecognized(plain: object, reason: str) -> KindMismatch:
    body = _format_body(plain).encode()
    excerpt = body[:30].decode(errors="replace") if isinstance(plain, dict) else body[:30].hex()
    ellipsis = " ..." if len(body) > 30 else ""
    return KindMismatch(f"the object provided is unrecognized (must be of type {KIND}): {reason} ({excerpt}{ellipsis})")


def _format_body(plain: object) -> str:
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
