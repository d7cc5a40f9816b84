"""Fields that are lost between served versions on a running API server, compared with the losses that
`comparison/version_losses.py` reports on the CRD.

The full sample of each version is written and read back through that version; the full sample of the storage version is
read and written back through each other one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from protoc_gen_crd.comparison.version_differences import (
    DEMANDED,
    READ,
    SHAPE,
    WRITTEN,
    VersionDifference,
    find_differences,
)
from protoc_gen_crd.crd.crd import Crd, CrdVersion
from protoc_gen_crd.crd.crd_decoder import decode
from protoc_gen_crd.samples.sampler import Sampler
from protoc_gen_crd.schema.schema import Schema
from protoc_gen_crd.yaml.reader import read
from tests.cluster.server import Cluster
from tests.support.verdicts import COMPAT, documents

_LOST = (DEMANDED, READ, SHAPE, WRITTEN)


def _kinds() -> Iterator[tuple[str, dict[str, Any]]]:
    """The CRDs of default mode among the goldens whose served versions lose data of each other."""
    for name, text in documents().items():
        for document in read(text) if COMPAT not in name else ():
            crd = decode(document.value).crd if document.value else None
            stored = crd is not None and any(version.storage for version in crd.versions)
            if crd is not None and stored and any(_list_losses(crd, version) for version in _others(crd)):
                yield name, document.value


def _storage(crd: Crd) -> CrdVersion:
    return next(version for version in crd.versions if version.storage)


def _others(crd: Crd) -> list[CrdVersion]:
    return [version for version in crd.versions if version.served and not version.storage]


def _list_losses(crd: Crd, version: CrdVersion) -> list[VersionDifference]:
    stored = _storage(crd).schema or Schema({})
    return [difference for difference in find_differences(version, stored) if difference.kind in _LOST]


KINDS = dict(_kinds())


def _paths(value: Any, schema: Schema | None, path: str = "") -> Iterator[str]:
    """Return the paths of an object's fields in the form of findings."""
    if isinstance(value, dict) and schema is not None:
        for key, child in value.items():
            if isinstance(schema.additional, Schema):
                yield from _paths(child, schema.additional, f"{path}{{}}")
            elif key in schema.properties:
                below = f"{path}.{key}" if path else key
                yield below
                yield from _paths(child, schema.properties[key], below)
    for item in value if isinstance(value, list) else ():
        yield from _paths(item, schema.items if schema else None, f"{path}[]")


def _url(crd: Crd, version: CrdVersion) -> str:
    return f"/apis/{crd.group}/{version.name}/namespaces/default/{crd.names.plural}"


def _list_lost_paths(written: dict[str, Any], cluster: Cluster, crd: Crd, version: CrdVersion) -> set[str]:
    """Return the fields of an object that are missing when it is read in a version."""
    now = cluster.call("GET", f"{_url(crd, version)}/{written['metadata']['name']}").body
    return {*_paths(written, version.schema)} - {*_paths(now, version.schema)}


def _explained(lost: set[str], losses: list[VersionDifference], kinds: tuple[str, ...], sent: set[str]) -> None:
    """Every lost field is reported, and every reported field that was sent is lost."""
    paths = {loss.path for loss in losses if loss.kind in kinds}
    shapes = tuple(f"{loss.path}." for loss in losses if loss.kind == SHAPE)
    assert {path for path in lost if not path.startswith(shapes)} >= paths & sent
    assert [path for path in lost if not _below(path, paths) and not path.startswith(shapes)] == []


def _below(path: str, paths: set[str]) -> bool:
    return any(
        path == candidate or path.startswith((f"{candidate}.", f"{candidate}[", f"{candidate}{{"))
        for candidate in paths
    )


@pytest.mark.parametrize("name", KINDS)
def test_reported_losses_are_the_lost_fields(name: str, cluster: Cluster) -> None:
    crd = decode(KINDS[name]).crd
    assert crd is not None
    cluster.serve([KINDS[name]])
    sampler, storage = Sampler(), _storage(crd)
    for version in _others(crd):
        losses = _list_losses(crd, version)
        written = sampler.make_sample(crd, version, full=True).object
        sent = {*_paths(written, version.schema)}
        assert cluster.call("POST", _url(crd, version), written).code == 201
        _explained(_list_lost_paths(written, cluster, crd, version), losses, (DEMANDED, WRITTEN), sent)
        cluster.call("DELETE", f"{_url(crd, version)}/example")
        if any(loss.kind == SHAPE for loss in losses):
            continue  # the object that was read could not be written back
        written = sampler.make_sample(crd, storage, full=True).object
        sent = {*_paths(written, storage.schema)}
        assert cluster.call("POST", _url(crd, storage), written).code == 201
        seen = cluster.call("GET", f"{_url(crd, version)}/example").body
        assert cluster.call("PUT", f"{_url(crd, version)}/example", seen).code == 200
        _explained(_list_lost_paths(written, cluster, crd, storage), losses, (READ,), sent)
        cluster.call("DELETE", f"{_url(crd, version)}/example")
    cluster.remove([crd.name])


def test_the_corpus_has_kinds_with_several_versions() -> None:
    assert len(KINDS) > 3
