"""Explorer pages of CRDs that tests write as plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from protoc_gen_crd.crd.crd import Crd
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.explorer.kind_page_data import ExplorerInput
from protoc_gen_crd.explorer.pages import make_explorer
from protoc_gen_crd.reference.lifecycle import make_empty_index


def crd(schemas: Mapping[str, Mapping[str, Any]], kind: str = "Widget", group: str = "acme.example") -> Crd:
    """Return a CRD with the schemas of spec by version; the first version is the storage version."""
    plural = f"{kind.lower()}s"
    versions = [
        {
            "name": name,
            "served": True,
            "storage": index == 0,
            "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": {"type": "object", **spec}}}},
        }
        for index, (name, spec) in enumerate(schemas.items())
    ]
    manifest = {
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "metadata": {"name": f"{plural}.{group}"},
        "spec": {
            "group": group,
            "names": {"kind": kind, "plural": plural},
            "scope": "Namespaced",
            "versions": versions,
        },
    }
    decoded = decode(manifest).crd
    assert decoded is not None
    return decoded


def pages(crds: Sequence[Crd]) -> dict[str, str]:
    """Return the pages by file name."""
    sources = ExplorerInput(make_empty_index(), minors=(30, 37))
    return {file.name: file.text for file in make_explorer(crds, sources)}
