"""Installed CRDs: what a cluster has of one, and the two things that are changed there.

Source: k8s.io/apiextensions-apiserver pkg/apis/apiextensions/v1, pkg/registry/customresourcedefinition/strategy.go.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from email.utils import parsedate_to_datetime
from typing import Any

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cluster.api import CONFLICT, MERGE, NOT_FOUND, Api, ClusterError, Json, Reply, expected

_CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"


class Installed(Record):
    """A CRD in a cluster. `stored` is status.storedVersions, `changed` when its spec was, `read` when this is from."""

    name: str
    group: str
    plural: str
    kind: str
    uid: str
    generation: int
    resource_version: str
    storage: str
    served: tuple[str, ...]
    versions: tuple[str, ...]
    stored: tuple[str, ...]
    conversion: Json
    conditions: Mapping[str, bool]
    changed: datetime | None
    read: datetime | None
    body: Json

    @property
    def ready(self) -> bool:
        """Whether its objects are served, and will be."""
        return bool(self.conditions.get("Established")) and not self.conditions.get("Terminating")

    @property
    def age(self) -> float:
        """Seconds for which its spec has been as it is, by the server's own clock; 0 where that is not known."""
        return (self.read - self.changed).total_seconds() if self.read and self.changed else 0.0


def read(api: Api, name: str) -> Installed | None:
    """A CRD by its name, None where there is none. Raises ClusterError."""
    reply = api.call("GET", f"{_CRDS}/{name}")
    if reply.code == NOT_FOUND:
        return None
    return _installed(expected(reply, f"read the CRD {name}"))


def patch_conversion(api: Api, name: str, conversion: Mapping[str, Any]) -> Installed:
    """Set spec.conversion and nothing else. Raises ClusterError, with the server's reason."""
    # A merge patch would keep a webhook of before beside the strategy None, which servers refuse.
    body = {"spec": {"conversion": {"webhook": None, **conversion}}}
    reply = api.call("PATCH", f"{_CRDS}/{name}", body, content=MERGE)
    return _installed(expected(reply, f"set the conversion of the CRD {name}"))


def set_stored(api: Api, crd: Installed, stored: Sequence[str], *, dry: bool = False) -> Installed | None:
    """Set status.storedVersions, None where the CRD has changed since it was read. Raises ClusterError."""
    body = {"metadata": {"resourceVersion": crd.resource_version}, "status": {"storedVersions": list(stored)}}
    path = f"{_CRDS}/{crd.name}/status{'?dryRun=All' if dry else ''}"
    reply = api.call("PATCH", path, body, content=MERGE)
    if reply.code == CONFLICT:
        return None
    return _installed(expected(reply, f"set status.storedVersions of the CRD {crd.name}"))


def _installed(reply: Reply) -> Installed:
    if "spec" not in reply.body:
        raise ClusterError(f"the server must answer with a CRD, found {reply.message}")
    spec, status, metadata = reply.body["spec"], reply.body.get("status") or {}, reply.metadata
    versions = spec["versions"]
    return Installed(
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
        {one["type"]: one["status"] == "True" for one in status.get("conditions") or ()},
        _changed(metadata),
        parsedate_to_datetime(reply.headers["date"]) if "date" in reply.headers else None,
        reply.body,
    )


def _changed(metadata: Json) -> datetime | None:
    """When somebody last changed more than the status."""
    entries = metadata.get("managedFields") or ()
    times = [entry["time"] for entry in entries if entry.get("subresource") != "status" and entry.get("time")]
    return max(map(datetime.fromisoformat, times), default=None)
