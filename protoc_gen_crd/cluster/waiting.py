"""StorageVersionMigration objects in a cluster: which is about a kind, and whether it is done.

Whether it is done stand in its conditions alone: controllers shorten status.storedVersions of the CRD after a migration
that failed as well.
Source: k8s.io/kubernetes pkg/controller/storageversionmigrator/migrationrunner.go (finishCRDMigration).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cluster.api import FORBIDDEN, NOT_FOUND, Api, Json, expected
from protoc_gen_crd.cluster.crds import Installed
from protoc_gen_crd.emit.migrations import GROUPS, PLURAL

RUNNING, SUCCEEDED, FAILED = "Running", "Succeeded", "Failed"
INTERVAL = 1.0  # seconds between two looks


class Asked(Record):
    """A StorageVersionMigration: its API, name and age, and texts of its conditions that are true, by type."""

    api_version: str
    name: str
    created: datetime
    conditions: dict[str, str]

    @property
    def done(self) -> bool:
        """Whether nothing will change any more."""
        return SUCCEEDED in self.conditions or FAILED in self.conditions

    @property
    def shown(self) -> str:
        """The conditions in words."""
        said = [f"{kind}: {text}" if text else kind for kind, text in sorted(self.conditions.items())]
        return "; ".join(said) or "not begun"


def find(api: Api, crd: Installed) -> Asked | None:
    """The newest migration of a kind, None where there is none. Raises ClusterError."""
    found = [one for group in GROUPS for one in _listed(api, group, crd)]
    return max(found, key=lambda one: (one.created, one.name), default=None)


def follow(api: Api, crd: Installed, pause: Callable[[float], bool]) -> Iterator[Asked | None]:
    """What is found, again and again until it is done or not there, or `pause` says that time is up."""
    while True:
        found = find(api, crd)
        yield found
        if found is None or found.done or not pause(INTERVAL):
            return


def stale(asked: Asked, crd: Installed) -> bool:
    """Whether the CRD has changed since, so that nothing is known of its storage version now."""
    trimmed = crd.stored == (crd.storage,)
    return not trimmed and crd.changed is not None and asked.created < crd.changed


def _listed(api: Api, group: str, crd: Installed) -> Iterator[Asked]:
    served = api.call("GET", f"/apis/{group}")
    if served.code in (NOT_FOUND, FORBIDDEN):
        return
    version = expected(served, f"ask for the versions of {group}").body["preferredVersion"]["version"]
    reply = expected(api.call("GET", f"/apis/{group}/{version}/{PLURAL}"), f"list {PLURAL}.{group}")
    for item in reply.body["items"]:
        resource = item["spec"]["resource"]
        if (resource.get("group"), resource.get("resource")) == (crd.group, crd.plural):
            yield _asked(item, f"{group}/{version}")


def _asked(item: Json, api_version: str) -> Asked:
    metadata, conditions = item["metadata"], (item.get("status") or {}).get("conditions") or ()
    true = [one for one in conditions if one["status"] == "True"]
    texts = {one["type"]: one.get("message") or one.get("reason") or "" for one in true}
    return Asked(api_version, metadata["name"], datetime.fromisoformat(metadata["creationTimestamp"]), texts)
