"""The old state: CRDs and objects in the paths of --old, which documents update.

Source: k8s.io/apiserver pkg/registry/rest update.go: an update does not change resource, namespace, and name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from protoc_gen_crd.documents.document_reader import CRD_GROUP, CRD_KIND, DocumentCase
from protoc_gen_crd.documents.expectation_keys import Json
from protoc_gen_crd.findings.finding import Problems

if TYPE_CHECKING:
    from protoc_gen_crd.documents.api_side import ApiSide

ObjectKey = tuple[str, str, str, str]  # group, kind, namespace, name
_DEFAULT_NAMESPACE = "default"  # as in kubectl; never looked up for cluster-scoped objects


class OldState:
    """Old objects, including CRDs, by the fields that an update cannot change."""

    def __init__(self) -> None:
        self._objects: dict[ObjectKey, Json] = {}

    def load(self, side: ApiSide, problems: Problems) -> None:
        """Add the CRDs and objects of a side. Two objects with the same name and different content are reported."""
        from protoc_gen_crd.crd.crd_encoder import encode  # noqa: PLC0415 - most runs have no old side

        for crd in side.generated:
            self._objects[CRD_GROUP, CRD_KIND, _DEFAULT_NAMESPACE, crd.name] = encode(crd)
        for case in side.cases:
            self._add(case, problems)

    def _add(self, case: DocumentCase, problems: Problems) -> None:
        if (key := _get_key(case)) and self._objects.setdefault(key, case.object) != case.object and not case.is_crd:
            message = f"old object {case.name} is defined twice with different content"
            problems.report("case-value", message, case.at)

    def find_object(self, case: DocumentCase) -> Json | None:
        """Return the old object of a document, from `_old` or by name; None if the document is new."""
        if case.expectation.old is not None:
            return case.expectation.old
        old = self._objects.get(key) if (key := _get_key(case)) else None
        return _align_namespace(old, case) if old is not None else None

    def find_crd(self, name: str) -> Json | None:
        """Return the old CRD of this name, None if it is new."""
        return self._objects.get((CRD_GROUP, CRD_KIND, _DEFAULT_NAMESPACE, name))


def _get_key(case: DocumentCase) -> ObjectKey | None:
    """Return the key of an object, None without a name: objects with generated names are always new."""
    metadata = _get_metadata(case.object)
    name, namespace = metadata.get("name"), metadata.get("namespace") or _DEFAULT_NAMESPACE
    return (case.group, case.kind, str(namespace), name) if isinstance(name, str) and name else None


def _get_metadata(obj: Json) -> Json:
    metadata = obj.get("metadata")
    return metadata if isinstance(metadata, dict) else {}


def _align_namespace(old: Json, case: DocumentCase) -> Json:
    """Copy the namespace of a document, which can omit the default namespace, to its old object."""
    old_metadata, new_metadata = _get_metadata(old), _get_metadata(case.object)
    if old_metadata.get("namespace") == new_metadata.get("namespace"):
        return old
    others = {key: value for key, value in old_metadata.items() if key != "namespace"}
    return {**old, "metadata": {**others, **{key: new_metadata[key] for key in ("namespace",) if key in new_metadata}}}
