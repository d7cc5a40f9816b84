"""What rewriting objects would destroy: fields of the old version that the storage version lacks, without conversion.

As long as such an object lies in storage as it was written, readers of the old version see them.
"""

from __future__ import annotations

from collections.abc import Iterator

from protoc_gen_crd.build.losses import DEMANDED, SHAPE, WRITTEN, differences
from protoc_gen_crd.cluster.crds import Installed
from protoc_gen_crd.crd.decode import decode
from protoc_gen_crd.schema.types import Schema

_LOST = (DEMANDED, SHAPE, WRITTEN)


def lost(crd: Installed) -> Iterator[tuple[str, str]]:
    """Each version that something is stored in, with the path of a field that would be lost of it."""
    known = decode(crd.body).crd
    if known is None or crd.conversion.get("strategy", "None") != "None":
        return
    versions = {version.name: version for version in known.versions}
    storage = versions[crd.storage].schema or Schema({})
    for name in crd.stored:
        if name in versions and name != crd.storage:
            yield from ((name, one.path) for one in differences(versions[name], storage) if one.kind in _LOST)
