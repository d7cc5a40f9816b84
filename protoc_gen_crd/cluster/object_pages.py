"""The objects of a kind page by page, of which the server sends metadata alone.

Source: k8s.io/apiserver pkg/storage/continue.go, pkg/storage/etcd3/store.go (what an expired token is answered with).
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cluster.api_server import (
    BAD_REQUEST,
    EXPIRED,
    LIST_OF_METADATA,
    OK,
    SERVER_ERROR,
    ApiReply,
    ApiServer,
    ClusterError,
    Json,
    expect_code,
)
from protoc_gen_crd.cluster.installed_crds import InstalledCrd

PAGE_SIZE = 500


class StoredObject(Record):
    """An object of a page; `managed_fields` are its managedFields."""

    namespace: str
    name: str
    resource_version: str
    managed_fields: tuple[Json, ...] = ()

    @property
    def managed_versions(self) -> list[str]:
        """The API versions, without the group, of its managedFields."""
        return sorted({get_entry_version(entry) for entry in self.managed_fields})

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name}" if self.namespace else self.name


class ObjectPage(Record):
    """Objects in the order of their keys; `token` leads to the next page, `remaining` is about how many there are
    behind."""

    objects: tuple[StoredObject, ...]
    token: str
    remaining: int
    is_restarted: bool = False


def make_path(crd: InstalledCrd, version: str, seen: StoredObject | None = None) -> str:
    """Return the URL path of the objects of a CRD, or of one object."""
    root = f"/apis/{crd.group}/{version}"
    if seen is None:
        return f"{root}/{crd.plural}"
    scope = f"/namespaces/{seen.namespace}" if seen.namespace else ""
    return f"{root}{scope}/{crd.plural}/{seen.name}"


def list_versions(crd: InstalledCrd) -> tuple[str, ...]:
    """The served versions, the storage version first: what is stored there is not converted."""
    return tuple(sorted(crd.served_versions, key=lambda version: version != crd.storage))


def read_page(
    api: ApiServer, crd: InstalledCrd, token: str, *, whole: bool = True, size: int = PAGE_SIZE
) -> ObjectPage:
    """The page behind a token. Where the token has expired the list goes on from there with what is stored now.

    Where not even that can be, it starts `is_restarted`. A list fails as a whole if one of its objects cannot be
    converted,
    so all versions are tried. Unless `whole`, entries of managedFields tell their version alone. Raises ClusterError.
    """
    afresh = False
    for version in list_versions(crd):
        reply = _list_objects(api, crd, version, token, size)
        if reply.code == EXPIRED or (reply.code == BAD_REQUEST and token):
            token = reply.metadata.get("continue") or ""
            afresh = afresh or not token
            reply = _list_objects(api, crd, version, token, size)
        if reply.code < SERVER_ERROR:
            break
    return _parse_page(expect_code(reply, f"list the objects of {crd.name}", OK), afresh=afresh, whole=whole)


def _list_objects(api: ApiServer, crd: InstalledCrd, version: str, token: str, size: int) -> ApiReply:
    query = urlencode({"limit": size, **({"continue": token} if token else {})})
    return api.call("GET", f"{make_path(crd, version)}?{query}", accept=LIST_OF_METADATA)


def _parse_page(reply: ApiReply, *, afresh: bool, whole: bool) -> ObjectPage:
    if "items" not in reply.body:  # a proxy's page must not pass for a kind without objects
        raise ClusterError(f"the response is not a list: {reply.message}")
    metadata = reply.metadata
    objects = tuple([parse_object(item["metadata"], whole=whole) for item in reply.body.get("items") or ()])
    return ObjectPage(objects, metadata.get("continue") or "", metadata.get("remainingItemCount") or 0, afresh)


def parse_object(metadata: Json, *, whole: bool = True) -> StoredObject:
    """An object by its metadata."""
    entries: Sequence[Json] = metadata.get("managedFields") or ()
    if not whole:
        entries = [{"apiVersion": entry.get("apiVersion", "")} for entry in entries]
    return StoredObject(metadata.get("namespace", ""), metadata["name"], metadata["resourceVersion"], tuple(entries))


def get_entry_version(entry: Json) -> str:
    """The API version of an entry of managedFields, without the group."""
    return str(entry.get("apiVersion", "")).rpartition("/")[2]
