"""What is said of a CRD without refusing it: warnings, and fields that a server is too old to know.

Source: k8s.io/apiextensions-apiserver pkg/registry/customresourcedefinition strategy.go.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import cast

from protoc_gen_crd.admission.crd.held import Held
from protoc_gen_crd.admission.crd.options import schemas
from protoc_gen_crd.admission.crd.survey import UNKNOWN, WARNING, Found, Survey, said
from protoc_gen_crd.admission.enforced import is_enforced
from protoc_gen_crd.admission.switches import NUMERIC_FORMATS, SELECTABLE_FIELDS, SET_WARNINGS, Switches
from protoc_gen_crd.base.diagnostics import Place
from protoc_gen_crd.base.record import Record

_NAMED = r"\.(\w*[pP]roperties|definitions)\[([^\]]*)\]"


class Notice(Record):
    """A text that is no field error, such as a warning, and where what it speaks of came from."""

    text: str
    origin: Place | None = None


def warnings(held: Held, old: Held | None, survey: Survey, switches: Switches) -> Iterator[Notice]:
    """Formats that the server does not know, once for each use, and sets it dislikes; on an update, new ones only."""
    before = {notice.text for notice in warnings(old, None, survey, switches)} if old is not None else set()
    shown: set[str] = set()
    for schema in schemas(held):
        for found in said(survey.of(schema), WARNING, switches):
            text = _warning(found, switches)
            if text and text not in before and not (found.when is SET_WARNINGS and text in shown):
                shown.add(text)
                yield Notice(text, found.origin)


def _warning(found: Found, switches: Switches) -> str:
    if found.when is SET_WARNINGS:
        return found.detail
    kind, name = cast("tuple[str, str]", found.value)
    if kind != "string" and NUMERIC_FORMATS not in switches:
        return ""
    if is_enforced(kind, name, switches):
        return ""
    from protoc_gen_crd.base.gotext import quote  # noqa: PLC0415 - few formats are unknown

    return f"unrecognized format {quote(name)}"


def unknown(held: Held, survey: Survey, switches: Switches) -> Iterator[Notice]:
    """Fields of a known CRD that this server is too old for, as its strict decoding names them."""
    for index, version in enumerate(held.crd.versions):
        path = f"spec.versions[{index}]"
        if version.schema is not None:
            for found in said(survey.of(version.schema), UNKNOWN, switches):
                if (
                    ".items" not in found.path and ".additionalProperties" not in found.path
                ):  # these decode on their own
                    below = re.sub(_NAMED, r".\1.\2", found.path)
                    yield _unknown(f"{path}.schema.openAPIV3Schema{below}", found.origin)
        given = version.selectable_fields or "selectableFields" in version.given
        if given and SELECTABLE_FIELDS not in switches:
            yield _unknown(f"{path}.selectableFields", version.place("selectableFields"))


def _unknown(path: str, origin: Place | None) -> Notice:
    return Notice(f'unknown field "{path}"', origin)
