"""Deprecation notices of services, RPCs, fields, and versions: options, and comments as in csi-proxy and Go."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from protoc_gen_crd.markers.marker_collector import MarkerCollector
from protoc_gen_crd.proto.element_model import Element, File
from protoc_gen_crd.proto.source_locations import PACKAGE_PATH

_PARAGRAPH = re.compile(r"^\s*Deprecated:\s*(.+?)\s*(?:\n\s*\n|\Z)", re.MULTILINE | re.DOTALL)
_DEFAULT = "Do not use."


def find_deprecation(element: Element, collector: MarkerCollector) -> str:
    """Return the notice of a deprecated element, empty if it is not deprecated."""
    notice = _find_notice(element.comment)
    return notice or (_DEFAULT if element.deprecated or collector.is_deprecated(element) else "")


def find_package_deprecation(file: File) -> str:
    """Return the notice of a deprecated file or package, empty if it is not deprecated."""
    return _find_notice(file.source.leading.get(PACKAGE_PATH, "")) or (_DEFAULT if file.deprecated else "")


def find_version_notice(entries: Iterable[Mapping[str, Any]], version: str) -> str:
    """Return the notice of a version that an annotated service lists as deprecated, empty if it does not.

    Args:
        entries: The values of the option `deprecated_versions`.
        version: The name of the version.
    """
    entry = next((deprecation for deprecation in entries if deprecation.get("version") == version), None)
    if entry is None:
        return ""
    replacement = entry.get("replacement")
    return str(entry.get("warning") or (f"Use {replacement}." if replacement else _DEFAULT))


def _find_notice(comment: str) -> str:
    match = _PARAGRAPH.search(comment)
    return " ".join(match[1].split()) if match else ""
