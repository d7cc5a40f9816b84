"""StorageVersionMigration objects in a cluster.

Whether it is done stand in its conditions alone: controllers shorten status.storedVersions of the CRD after a migration
that failed as well.
Source: k8s.io/kubernetes pkg/controller/storageversionmigrator/migrationrunner.go (finishCRDMigration).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime

from protoc_gen_crd.base.record import Record
from protoc_gen_crd.cluster.api_server import FORBIDDEN, NOT_FOUND, ApiServer, Json, expect_code
from protoc_gen_crd.cluster.installed_crds import InstalledCrd
from protoc_gen_crd.emit.storage_version_migrations import GROUPS, PLURAL

RUNNING, SUCCEEDED, FAILED = "Running", "Succeeded", "Failed"
POLL_INTERVAL = 1.0  # seconds between two looks


class StorageVersionMigration(Record):
    """A StorageVersionMigration: its API, name and age, and texts of its conditions that are true, by type."""

    api_version: str
    name: str
    created: datetime
    conditions: dict[str, str]

    @property
    def is_done(self) -> bool:
        """Check whether nothing will change any more."""
        return SUCCEEDED in self.conditions or FAILED in self.conditions

    @property
    def condition_text(self) -> str:
        """The conditions in words."""
        said = [f"{kind}: {text}" if text else kind for kind, text in sorted(self.conditions.items())]
        return "; ".join(said) or "not started"


def find_migration(api: ApiServer, crd: InstalledCrd) -> StorageVersionMigration | None:
    """The newest migration of a kind, None where there is none. Raises ClusterError."""
    found = [one for group in GROUPS for one in _list_migrations(api, group, crd)]
    return max(found, key=lambda one: (one.created, one.name), default=None)


def watch_migration(
    api: ApiServer, crd: InstalledCrd, pause: Callable[[float], bool]
) -> Iterator[StorageVersionMigration | None]:
    """What is found, again and again until it is done or not there, or `pause` says that time is up."""
    while True:
        found = find_migration(api, crd)
        yield found
        if found is None or found.is_done or not pause(POLL_INTERVAL):
            return


def is_stale(asked: StorageVersionMigration, crd: InstalledCrd) -> bool:
    """Check whether the CRD has changed since, so that nothing is known of its storage version now."""
    trimmed = crd.stored_versions == (crd.storage,)
    return not trimmed and crd.spec_changed_at is not None and asked.created < crd.spec_changed_at


def _list_migrations(api: ApiServer, group: str, crd: InstalledCrd) -> Iterator[StorageVersionMigration]:
    served = api.call("GET", f"/apis/{group}")
    if served.code in (NOT_FOUND, FORBIDDEN):
        return
    version = expect_code(served, f"get the versions of {group}").body["preferredVersion"]["version"]
    reply = expect_code(api.call("GET", f"/apis/{group}/{version}/{PLURAL}"), f"list {PLURAL}.{group}")
    for item in reply.body["items"]:
        resource = item["spec"]["resource"]
        if (resource.get("group"), resource.get("resource")) == (crd.group, crd.plural):
            yield _parse_migration(item, f"{group}/{version}")


def _parse_migration(item: Json, api_version: str) -> StorageVersionMigration:
    metadata, conditions = item["metadata"], (item.get("status") or {}).get("conditions") or ()
    true = [one for one in conditions if one["status"] == "True"]
    texts = {one["type"]: one.get("message") or one.get("reason") or "" for one in true}
    return StorageVersionMigration(
        api_version, metadata["name"], datetime.fromisoformat(metadata["creationTimestamp"]), texts
    )
