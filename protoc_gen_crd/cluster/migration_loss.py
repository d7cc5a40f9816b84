"""Data loss by a migration without conversion: fields of the old version that the storage version lacks.

Clients of the old version see these fields as long as an object is stored as it was written.
"""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.cluster.installed_crds import InstalledCrd
from protoc_gen_crd.comparison.version_differences import DEMANDED, SHAPE, WRITTEN, find_differences
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.schema.schema import Schema

_LOSS_DIFFERENCES = (DEMANDED, SHAPE, WRITTEN)


def find_lost_fields(crd: InstalledCrd) -> Iterator[tuple[str, str]]:
    """Yield stored versions with the paths of fields that would be lost."""
    decoded = decode(crd.body).crd
    if decoded is None or crd.conversion.get("strategy", "None") != "None":
        return
    versions = {version.name: version for version in decoded.versions}
    storage = versions[crd.storage].schema or Schema({})
    for name in crd.stored_versions:
        if name in versions and name != crd.storage:
            yield from (
                (name, difference.path)
                for difference in find_differences(versions[name], storage)
                if difference.kind in _LOSS_DIFFERENCES
            )
