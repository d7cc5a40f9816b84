"""Data loss by a migration without conversion: fields of the old version that the storage version lacks.

As long as such an object lies in storage as it was written, readers of the old version see them.
"""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.cluster.installed_crds import InstalledCrd
from protoc_gen_crd.comparison.version_losses import DEMANDED, SHAPE, WRITTEN, find_differences
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.schema.schema import Schema

_LOSS_DIFFERENCES = (DEMANDED, SHAPE, WRITTEN)


def find_lost_fields(crd: InstalledCrd) -> Iterator[tuple[str, str]]:
    """Each version that something is stored in, with the path of a field that would be lost of it."""
    known = decode(crd.body).crd
    if known is None or crd.conversion.get("strategy", "None") != "None":
        return
    versions = {version.name: version for version in known.versions}
    storage = versions[crd.storage].schema or Schema({})
    for name in crd.stored_versions:
        if name in versions and name != crd.storage:
            yield from (
                (name, one.path) for one in find_differences(versions[name], storage) if one.kind in _LOSS_DIFFERENCES
            )
