"""Installed CRDs: read them, set their conversion and their stored versions.

Source: k8s.io/apiextensions-apiserver pkg/apis/apiextensions/v1, pkg/registry/customresourcedefinition/strategy.go.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlencode

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cluster.api_server import (
    CONFLICT,
    MERGE,
    NOT_FOUND,
    OK,
    ApiReply,
    ApiServer,
    ClusterError,
    Json,
    expect_code,
)

_PAGE_SIZE = 50  # CRDs, which may have a megabyte each
_TYPE = {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition"}  # items of lists omit it
_CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"


class InstalledCrd(Record):
    """A CRD in a cluster.

    `stored_versions` is status.storedVersions, `spec_changed_at` the time of the last change of the spec, `read_at` the
    time of the response.
    """

    name: str
    group: str
    plural: str
    kind: str
    uid: str
    generation: int
    resource_version: str
    storage: str
    served_versions: tuple[str, ...]
    versions: tuple[str, ...]
    stored_versions: tuple[str, ...]
    conversion: Json
    conditions: Mapping[str, bool]
    spec_changed_at: datetime | None
    read_at: datetime | None
    body: Json

    @property
    def is_ready(self) -> bool:
        """Return whether its objects are served and the CRD is not being deleted."""
        return bool(self.conditions.get("Established")) and not self.conditions.get("Terminating")

    @property
    def age(self) -> float:
        """The seconds since the last change of the spec, by the server's clock; 0 if unknown."""
        return (self.read_at - self.spec_changed_at).total_seconds() if self.read_at and self.spec_changed_at else 0.0


def read_crd(api: ApiServer, name: str) -> InstalledCrd | None:
    """Read a CRD by its name; None if it does not exist. Raises ClusterError."""
    reply = api.call("GET", f"{_CRDS}/{name}")
    if reply.code == NOT_FOUND:
        return None
    return _parse_crd(expect_code(reply, f"read the CRD {name}"))


def list_manifests(api: ApiServer) -> list[Json]:
    """Return the CRDs of a cluster, page by page, without managedFields. Raises ClusterError."""
    manifests: list[Json] = []
    token = ""
    while True:
        query = urlencode({"limit": _PAGE_SIZE, **({"continue": token} if token else {})})
        reply = expect_code(api.call("GET", f"{_CRDS}?{query}"), "list the CRDs", OK)
        if "items" not in reply.body:  # the page of a proxy is not an empty list
            raise ClusterError(f"the response is not a list: {reply.message}")
        for item in reply.body["items"]:
            item["metadata"].pop("managedFields", None)
            manifests.append({**_TYPE, **item})
        token = reply.metadata.get("continue") or ""
        if not token:
            return manifests


def patch_conversion(api: ApiServer, name: str, conversion: Mapping[str, Any]) -> InstalledCrd:
    """Set spec.conversion and nothing else. Raises ClusterError with the server's message."""
    # A merge patch would keep the previous webhook with the strategy None, which servers reject.
    body = {"spec": {"conversion": {"webhook": None, **conversion}}}
    reply = api.call("PATCH", f"{_CRDS}/{name}", body, content=MERGE)
    return _parse_crd(expect_code(reply, f"set the conversion of the CRD {name}"))


def set_stored_versions(
    api: ApiServer, crd: InstalledCrd, stored: Sequence[str], *, dry: bool = False
) -> InstalledCrd | None:
    """Set status.storedVersions; None if the CRD has changed since it was read. Raises ClusterError."""
    body = {"metadata": {"resourceVersion": crd.resource_version}, "status": {"storedVersions": list(stored)}}
    path = f"{_CRDS}/{crd.name}/status{'?dryRun=All' if dry else ''}"
    reply = api.call("PATCH", path, body, content=MERGE)
    if reply.code == CONFLICT:
        return None
    return _parse_crd(expect_code(reply, f"set status.storedVersions of the CRD {crd.name}"))


def _parse_crd(reply: ApiReply) -> InstalledCrd:
    if "spec" not in reply.body:
        raise ClusterError(f"the response is not a CRD: {reply.message}")
    spec, status, metadata = reply.body["spec"], reply.body.get("status") or {}, reply.metadata
    versions = spec["versions"]
    return InstalledCrd(
        metadata["name"],
        spec["group"],
        spec["names"]["plural"],
        spec["names"]["kind"],
        metadata["uid"],
        metadata.get("generation", 0),
        metadata["resourceVersion"],
        next(version["name"] for version in versions if version["storage"]),
        tuple([version["name"] for version in versions if version["served"]]),
        tuple([version["name"] for version in versions]),
        tuple(status.get("storedVersions") or ()),
        spec.get("conversion") or {},
        {condition["type"]: condition["status"] == "True" for condition in status.get("conditions") or ()},
        _find_spec_change(metadata),
        parsedate_to_datetime(reply.headers["date"]) if "date" in reply.headers else None,
        reply.body,
    )


def _find_spec_change(metadata: Json) -> datetime | None:
    """Return the time of the last change outside the status."""
    entries = metadata.get("managedFields") or ()
    times = [entry["time"] for entry in entries if entry.get("subresource") != "status" and entry.get("time")]
    return max(map(datetime.fromisoformat, times), default=None)
