"""Lists of the metadata of the objects of a kind, page by page.

Source: k8s.io/apiserver pkg/storage/continue.go, pkg/storage/etcd3/store.go (responses to expired tokens).
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
    """Objects in the order of their keys, the token of the next page, and the approximate number of remaining objects.

    `is_restarted` if the list was restarted from its beginning.
    """

    objects: tuple[StoredObject, ...]
    token: str
    remaining: int
    is_restarted: bool = False


def make_path(crd: InstalledCrd, version: str, stored_object: StoredObject | None = None) -> str:
    """Return the URL path of the objects of a CRD, or of one object."""
    root = f"/apis/{crd.group}/{version}"
    if stored_object is None:
        return f"{root}/{crd.plural}"
    scope = f"/namespaces/{stored_object.namespace}" if stored_object.namespace else ""
    return f"{root}{scope}/{crd.plural}/{stored_object.name}"


def list_versions(crd: InstalledCrd) -> tuple[str, ...]:
    """Return the served versions, the storage version first, since its objects need no conversion."""
    return tuple(sorted(crd.served_versions, key=lambda version: version != crd.storage))


def read_page(
    api: ApiServer, crd: InstalledCrd, token: str, *, whole: bool = True, size: int = PAGE_SIZE
) -> ObjectPage:
    """Read the page after a token. If the token has expired, the list continues with the objects that are stored now.

    If that is not possible either, the list is restarted. A list fails as a whole if one of its objects cannot be
    converted, so all versions are tried. Unless `whole`, entries of managedFields contain only their version. Raises
    ClusterError.
    """
    restarted = False
    for version in list_versions(crd):
        reply = _list_objects(api, crd, version, token, size)
        if reply.code == EXPIRED or (reply.code == BAD_REQUEST and token):
            token = reply.metadata.get("continue") or ""
            restarted = restarted or not token
            reply = _list_objects(api, crd, version, token, size)
        if reply.code < SERVER_ERROR:
            break
    return _parse_page(expect_code(reply, f"list the objects of {crd.name}", OK), restarted=restarted, whole=whole)


def _list_objects(api: ApiServer, crd: InstalledCrd, version: str, token: str, size: int) -> ApiReply:
    query = urlencode({"limit": size, **({"continue": token} if token else {})})
    return api.call("GET", f"{make_path(crd, version)}?{query}", accept=LIST_OF_METADATA)


def _parse_page(reply: ApiReply, *, restarted: bool, whole: bool) -> ObjectPage:
    if "items" not in reply.body:  # the page of a proxy is not an empty list
        raise ClusterError(f"the response is not a list: {reply.message}")
    metadata = reply.metadata
    objects = tuple([parse_object(item["metadata"], whole=whole) for item in reply.body.get("items") or ()])
    return ObjectPage(objects, metadata.get("continue") or "", metadata.get("remainingItemCount") or 0, restarted)


def parse_object(metadata: Json, *, whole: bool = True) -> StoredObject:
    """Return the object of metadata; see `read_page` for `whole`."""
    entries: Sequence[Json] = metadata.get("managedFields") or ()
    if not whole:
        entries = [{"apiVersion": entry.get("apiVersion", "")} for entry in entries]
    return StoredObject(metadata.get("namespace", ""), metadata["name"], metadata["resourceVersion"], tuple(entries))


def get_entry_version(entry: Json) -> str:
    """Return the API version of an entry of managedFields, without the group."""
    return str(entry.get("apiVersion", "")).rpartition("/")[2]
