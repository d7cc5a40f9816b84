"""The objects of a kind page by page, of which the server sends metadata alone.

Source: k8s.io/apiserver pkg/storage/continue.go, pkg/storage/etcd3/store.go (what an expired token is answered with).
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cluster.api import (
    BAD_REQUEST,
    EXPIRED,
    LIST_OF_METADATA,
    OK,
    SERVER_ERROR,
    Api,
    ClusterError,
    Json,
    Reply,
    expected,
)
from protoc_gen_crd.cluster.crds import Installed

SIZE = 500


class Seen(Record):
    """An object of a page; `entries` are its managedFields."""

    namespace: str
    name: str
    resource_version: str
    entries: tuple[Json, ...] = ()

    @property
    def managed(self) -> list[str]:
        """The API versions, without the group, of its managedFields."""
        return sorted({version_of(entry) for entry in self.entries})

    def __str__(self) -> str:
        return f"{self.namespace}/{self.name}" if self.namespace else self.name


class Page(Record):
    """Objects in the order of their keys; `token` leads to the next page, `left` is about how many there are behind."""

    objects: tuple[Seen, ...]
    token: str
    left: int
    afresh: bool = False


def path_of(crd: Installed, version: str, seen: Seen | None = None) -> str:
    """Where the objects of a CRD are, or one of them."""
    root = f"/apis/{crd.group}/{version}"
    if seen is None:
        return f"{root}/{crd.plural}"
    scope = f"/namespaces/{seen.namespace}" if seen.namespace else ""
    return f"{root}{scope}/{crd.plural}/{seen.name}"


def versions_of(crd: Installed) -> tuple[str, ...]:
    """The served versions, the storage version first: what is stored there is not converted."""
    return tuple(sorted(crd.served, key=lambda version: version != crd.storage))


def page(api: Api, crd: Installed, token: str, *, whole: bool = True, size: int = SIZE) -> Page:
    """The page behind a token. Where the token has expired the list goes on from there with what is stored now.

    Where not even that can be, it starts `afresh`. A list fails as a whole if one of its objects cannot be converted,
    so all versions are tried. Unless `whole`, entries of managedFields tell their version alone. Raises ClusterError.
    """
    afresh = False
    for version in versions_of(crd):
        reply = _listed(api, crd, version, token, size)
        if reply.code == EXPIRED or (reply.code == BAD_REQUEST and token):
            token = reply.metadata.get("continue") or ""
            afresh = afresh or not token
            reply = _listed(api, crd, version, token, size)
        if reply.code < SERVER_ERROR:
            break
    return _page(expected(reply, f"list the objects of {crd.name}", OK), afresh=afresh, whole=whole)


def _listed(api: Api, crd: Installed, version: str, token: str, size: int) -> Reply:
    query = urlencode({"limit": size, **({"continue": token} if token else {})})
    return api.call("GET", f"{path_of(crd, version)}?{query}", accept=LIST_OF_METADATA)


def _page(reply: Reply, *, afresh: bool, whole: bool) -> Page:
    if "items" not in reply.body:  # a proxy's page must not pass for a kind without objects
        raise ClusterError(f"the server must answer with a list, found {reply.message}")
    metadata = reply.metadata
    objects = tuple([seen_in(item["metadata"], whole=whole) for item in reply.body.get("items") or ()])
    return Page(objects, metadata.get("continue") or "", metadata.get("remainingItemCount") or 0, afresh)


def seen_in(metadata: Json, *, whole: bool = True) -> Seen:
    """An object by its metadata."""
    entries: Sequence[Json] = metadata.get("managedFields") or ()
    if not whole:
        entries = [{"apiVersion": entry.get("apiVersion", "")} for entry in entries]
    return Seen(metadata.get("namespace", ""), metadata["name"], metadata["resourceVersion"], tuple(entries))


def version_of(entry: Json) -> str:
    """The API version of an entry of managedFields, without the group."""
    return str(entry.get("apiVersion", "")).rpartition("/")[2]
